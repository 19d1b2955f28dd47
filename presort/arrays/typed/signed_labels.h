// Signed labels go to the kernels as unsigned integers; their errors name the signed number.
#pragma once

#include "presort/core/error.h"
#include "presort/core/types.h"

namespace presort::inline v0::arrays {

// Throws a label error again; if labels are signed and the bad label is negative, with the negative
// number.
[[noreturn]] void throw_with_sign(ScalarType labels, const LabelError& error);

}  // namespace presort::arrays
