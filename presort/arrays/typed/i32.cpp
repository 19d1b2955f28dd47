#include "presort/arrays/typed/define_calls.h"

namespace presort::inline v0::arrays {

PRESORT_ORDERED_CALLS(int32_t)

}  // namespace presort::arrays
