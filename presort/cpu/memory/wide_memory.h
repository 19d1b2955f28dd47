// Real memory written past the caches by wider registers than every x86-64 processor has. Loops
// that run on these policies are compiled for the instruction set too, and must not be entered on a
// processor without it: cpu/memory/isa.h.
#pragma once

#include <cstddef>

#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/memory/memory.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define PRESORT_HAS_WIDE_MEMORY 1
#include <immintrin.h>
#endif

namespace presort::inline v0::cpu {

// Element size, bytes, and buffer capacity, elements, that loops with wide registers exist for: pairs of
// 4 and 4 bytes in buffers of 256 bytes, as tuned plans have. Other stores run as on every processor,
// because every loop takes time to compile: wide loops for all stores made the kernels compile in 100 s
// instead of 57 s.
inline constexpr size_t kWideElementBytes = 8;
inline constexpr size_t kWideCapacity = 32;

#if defined(PRESORT_HAS_WIDE_MEMORY)

struct Avx2Memory : RawMemory {
  static constexpr size_t kCapacity = kWideCapacity;

  template <class T>
  [[gnu::target("avx2")]] static void stream(T* to, size_t to_index, const T* from,
                                             size_t from_index, auto count) {
    auto* target = reinterpret_cast<__m256i*>(to + to_index);
    const auto* source = reinterpret_cast<const __m256i*>(from + from_index);
    for (size_t k = 0; k < count * sizeof(T) / sizeof(__m256i); k += 2) {
      const __m256i a = _mm256_load_si256(source + k);
      const __m256i b = _mm256_load_si256(source + k + 1);
      _mm256_stream_si256(target + k, a);
      _mm256_stream_si256(target + k + 1, b);
    }
  }

  template <class F>
  [[gnu::target("avx2"), gnu::noinline]] static void apart(const F& f) {
    f();
  }
};

struct Avx512Memory : RawMemory {
  static constexpr size_t kCapacity = kWideCapacity;

  template <class T>
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]] static void stream(T* to, size_t to_index,
                                                                           const T* from,
                                                                           size_t from_index,
                                                                           auto count) {
    auto* target = reinterpret_cast<__m512i*>(to + to_index);
    const auto* source = reinterpret_cast<const __m512i*>(from + from_index);
    for (size_t k = 0; k < count * sizeof(T) / sizeof(__m512i); ++k) {
      _mm512_stream_si512(target + k, _mm512_load_si512(source + k));
    }
  }

  template <class F>
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq"), gnu::noinline]] static void apart(
      const F& f) {
    f();
  }
};

#endif

// Calls f with the Memory policy of an instruction set, or with RawMemory where there is no wide loop for
// the buffers.
// Requires: the processor has the set (check_isa)
template <bool kWide, class F>
void with_memory(Isa isa, size_t capacity, const F& f) {
#if defined(PRESORT_HAS_WIDE_MEMORY)
  if constexpr (kWide) {
    if (isa == Isa::avx512 && capacity == kWideCapacity) {
      return f(Avx512Memory{});
    }
    if (isa == Isa::avx2 && capacity == kWideCapacity) {
      return f(Avx2Memory{});
    }
  }
#endif
  f(RawMemory{});
}

}  // namespace presort::cpu
