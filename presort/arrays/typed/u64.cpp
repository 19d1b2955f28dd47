#include "presort/arrays/typed/define_calls.h"

namespace presort::inline v0::arrays {

PRESORT_ARITHMETIC_CALLS(uint64_t)
PRESORT_ORDERED_CALLS(uint64_t)
PRESORT_MOVING_CALLS(uint64_t)

}  // namespace presort::arrays
