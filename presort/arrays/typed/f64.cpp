#include "presort/arrays/typed/define_calls.h"

namespace presort::inline v0::arrays {

PRESORT_ARITHMETIC_CALLS(double)
PRESORT_ORDERED_CALLS(double)

}  // namespace presort::arrays
