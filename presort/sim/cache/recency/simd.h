// Instruction sets for which the functions on sets of lines are compiled, in addition to plain
// x86-64.
#pragma once

#include <string>

#include "presort/core/text/names.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define PRESORT_SIM_HAS_SIMD 1
#endif

namespace presort::inline v0::sim {

enum class Simd { plain, avx2, avx512 };

inline constexpr Named<Simd> kSimds[] = {
    {"plain", Simd::plain}, {"avx2", Simd::avx2}, {"avx512", Simd::avx512}};

// True if this build has code for an instruction set and this processor runs it.
bool runs_simd(Simd simd);

// The instruction set for arrays made from now on: the widest that runs, unless one is forced.
Simd simd_in_use();

// For tests: arrays made while this object lives use instruction set `simd`, on all threads.
// Requires: runs_simd(simd); at most one such object lives at a time
class ForcedSimd {
 public:
  explicit ForcedSimd(Simd simd);
  ~ForcedSimd();
  ForcedSimd(const ForcedSimd&) = delete;
  ForcedSimd& operator=(const ForcedSimd&) = delete;
};

}  // namespace presort::sim
