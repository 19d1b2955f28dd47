#include "presort/sim/cache/recency/simd.h"

#include <atomic>

namespace presort::inline v0::sim {

namespace {

constexpr int kUnforced = -1;
std::atomic<int> forced{kUnforced};

Simd widest() {
  for (const Simd simd : {Simd::avx512, Simd::avx2}) {
    if (runs_simd(simd)) {
      return simd;
    }
  }
  return Simd::plain;
}

}  // namespace

bool runs_simd(Simd simd) {
#if defined(PRESORT_SIM_HAS_SIMD)
  if (simd == Simd::avx2) {
    return __builtin_cpu_supports("avx2");
  }
  if (simd == Simd::avx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2");
  }
#endif
  return simd == Simd::plain;
}

Simd simd_in_use() {
  static const Simd chosen = widest();
  const int other = forced.load(std::memory_order_relaxed);
  return other == kUnforced ? chosen : static_cast<Simd>(other);
}

ForcedSimd::ForcedSimd(Simd simd) {
  forced.store(static_cast<int>(simd), std::memory_order_relaxed);
}

ForcedSimd::~ForcedSimd() {
  forced.store(kUnforced, std::memory_order_relaxed);
}

}  // namespace presort::sim
