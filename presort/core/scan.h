// Kinds of scan: the result for an input includes that input's own value, or not.
#pragma once

namespace presort::inline v0 {

enum class Scan { exclusive, inclusive };

}  // namespace presort
