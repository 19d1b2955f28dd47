// Labels that are signed integers go to the kernels as unsigned ones; their errors say what they were.
#pragma once

#include "presort/core/error.h"
#include "presort/core/types.h"

namespace presort::inline v0::arrays {

// Throws the error again, with the negative label where the labels are of a signed type and it is
// one.
[[noreturn]] void throw_with_sign(ScalarType labels, const LabelError& error);

}  // namespace presort::arrays
