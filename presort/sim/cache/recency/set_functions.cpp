#include "presort/sim/cache/recency/set_functions.h"

#include "presort/sim/cache/recency/ordered_set.h"

namespace presort::inline v0::sim {

namespace {

namespace plain {
using Set = PlainSet;
#include "presort/sim/cache/recency/set_functions.inc"
}  // namespace plain

#if defined(PRESORT_SIM_HAS_SIMD)

PRESORT_TARGET_BEGIN("avx2")
namespace avx2 {
using Set = Avx2Set;
#include "presort/sim/cache/recency/set_functions.inc"
}  // namespace avx2
PRESORT_TARGET_END

PRESORT_TARGET_BEGIN("avx512f,avx2")
namespace avx512 {
using Set = Avx512Set;
#include "presort/sim/cache/recency/set_functions.inc"
}  // namespace avx512
PRESORT_TARGET_END

#endif

}  // namespace

const SetFunctions& set_functions(Simd simd) {
#if defined(PRESORT_SIM_HAS_SIMD)
  if (simd != Simd::plain) {
    return simd == Simd::avx2 ? avx2::kFunctions : avx512::kFunctions;
  }
#endif
  static_cast<void>(simd);
  return plain::kFunctions;
}

}  // namespace presort::sim
