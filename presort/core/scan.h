// The inputs that a scan's result takes in: those before its own, or its own as well.
#pragma once

namespace presort::inline v0 {

enum class Scan { exclusive, inclusive };

}  // namespace presort
