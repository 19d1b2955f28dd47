// Code between PRESORT_TARGET_BEGIN("avx2") and PRESORT_TARGET_END is compiled for that instruction
// set, whatever the rest of the file is compiled for. Functions that it calls from outside are not,
// so functions of the standard library run on every processor, whichever copy the linker keeps.
#pragma once

#include "presort/sim/cache/recency/simd.h"

#if defined(PRESORT_SIM_HAS_SIMD)
#define PRESORT_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define PRESORT_TARGET_BEGIN(set) \
  PRESORT_PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define PRESORT_TARGET_END PRESORT_PRAGMA(clang attribute pop)
#else
#define PRESORT_TARGET_BEGIN(set) PRESORT_PRAGMA(GCC push_options) PRESORT_PRAGMA(GCC target(set))
#define PRESORT_TARGET_END PRESORT_PRAGMA(GCC pop_options)
#endif
#endif
