// Whether a scan's result for an input includes that input's own value.
#pragma once

namespace presort::inline v0 {

enum class Scan { exclusive, inclusive };

}  // namespace presort
