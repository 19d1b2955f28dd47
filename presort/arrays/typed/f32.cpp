#include "presort/arrays/typed/define_calls.h"

namespace presort::inline v0::arrays {

PRESORT_ARITHMETIC_CALLS(float)
PRESORT_ORDERED_CALLS(float)

}  // namespace presort::arrays
