// The Memory policy: every kernel phase does all its loads and stores through one, so that the very
// same code runs on real memory (RawMemory, here) or feeds the simulator (TracingMemory, in
// predict/).
//
// A policy M has:
//   M::Array<T>                  handle of an array of T (const T for a read-only one)
//   M::Loaded<T>                 a T that came from memory; carries its dependence when tracing;
//                                default-constructible and assignable
//   load(array, i)               -> Loaded<T>; i is an integer or a Loaded integer
//   load_member(array, i, &T::x) -> Loaded of one member of element i
//   store(array, i, value)       value is a T or a Loaded<T>
//   store_member(array, i, &T::x, value)  stores one member of element i
//   modify(array, i, f, args…)   stores f(old, args…) in element i, -> the old value. Its address
//                                is in one register, and it is loaded by an instruction of its own:
//                                only then do cores that rename memory hand a value from update to
//                                update in no time, instead of in 7 cycles through the store buffer
//   store_shared(array, i, value)         store, while other threads may store to the same element
//   prefetch(array, i)           hint that [i] will be updated soon
//   fetch(array, i)              hint that [i] will be read soon; i may be past the end
//   fetch_to_write(array, i)     hint that [i] will be written soon; i may be past the end
//   stream(to, i, from, j, k)    copies k elements past the caches; both ends 64-byte aligned and
//                                k elements a multiple of 64 bytes; i and j may be Loaded
//   copy(to, i, from, j, k)      the same with ordinary stores
//   fold(array, i, k, f, sum)    sum ⊙ elements [i, i + k), where ⊙ is f; of numbers several are
//                                loaded by one instruction, if f associates (core/monoid.h)
//   vector_loop<N>(i, k, ops, f) f(j) for j in [i, k): loads at computed places, and stores of what
//                                they loaded; compilers do N at a time in registers of 16 bytes,
//                                with `ops` micro-operations beside
//   apply(f, args…)              f of the plain values; the result depends on all args
//   branch(condition)            -> bool; a branch that the predictor can miss
//   ops(k)                       k micro-operations without memory (fused domain, x86-64, -O3)
// Loads, stores, prefetches and branches count one micro-operation each by themselves.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/cpu/detail/warn_unoptimised.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace presort::inline v0::cpu {

// Plain memory: every member compiles to the bare instruction.
struct RawMemory {
  template <class T>
  using Array = T*;
  template <class T>
  using Loaded = T;

  template <class T>
  static T load(const T* array, size_t index) {
    return array[index];
  }

  template <class T, class Member>
  static Member load_member(const T* array, size_t index, Member T::*member) {
    return array[index].*member;
  }

  template <class T>
  static void store(T* array, size_t index, T value) {
    array[index] = value;
  }

  template <class T>
  static void store_shared(T* array, size_t index, T value) {
    std::atomic_ref<T>(array[index]).store(value, std::memory_order_relaxed);
  }

  template <class T, class F, class... Args>
  static T modify(T* array, size_t index, F f, Args... args) {
    T* place = array + index;
    T old;
    if constexpr (std::is_integral_v<T>) {
      asm("" : "+r"(place));  // keeps gcc from addressing the element by array and index
      old = *place;
      asm("" : "+r"(old));  // keeps gcc from merging the load, the operation and the store
    } else {
      old = *place;
    }
    *place = f(old, args...);
    return old;
  }

  template <class T, class Member>
  static void store_member(T* array, size_t index, Member T::*member, Member value) {
    array[index].*member = value;
  }

  template <class T>
  static void prefetch(const T* array, size_t index) {
    __builtin_prefetch(array + index, 1);
  }

  // Address of array[index], which may lie past the end of the array, for hints alone: they do not
  // fault. It is computed as a number, as a pointer past the end must not be formed.
  template <class T>
  static const void* address_of(const T* array, size_t index) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(array) + index * sizeof(T);
    return reinterpret_cast<const void*>(address);  // NOLINT: no object is read there
  }

  // Prefetches array[index].
  template <class T>
  static void fetch(const T* array, size_t index) {
    __builtin_prefetch(address_of(array, index));
  }

  template <class T>
  static void fetch_to_write(const T* array, size_t index) {
    __builtin_prefetch(address_of(array, index), 1);
  }

  template <class T>
  static void stream(T* to, size_t to_index, const T* from, size_t from_index, auto count) {
#if defined(__SSE2__)
    auto* target = reinterpret_cast<__m128i*>(to + to_index);
    const auto* source = reinterpret_cast<const __m128i*>(from + from_index);
    for (size_t k = 0; k < count * sizeof(T) / sizeof(__m128i); k += 4) {
      const __m128i a = _mm_load_si128(source + k);
      const __m128i b = _mm_load_si128(source + k + 1);
      const __m128i c = _mm_load_si128(source + k + 2);
      const __m128i d = _mm_load_si128(source + k + 3);
      _mm_stream_si128(target + k, a);
      _mm_stream_si128(target + k + 1, b);
      _mm_stream_si128(target + k + 2, c);
      _mm_stream_si128(target + k + 3, d);
    }
#else
    copy(to, to_index, from, from_index, count);
#endif
  }

  template <class T>
  static void copy(T* to, size_t to_index, const T* from, size_t from_index, size_t count) {
    std::memcpy(to + to_index, from + from_index, count * sizeof(T));
  }

  template <class T, class F>
  static T fold(const T* array, size_t index, size_t count, const F& f, T sum) {
    for (size_t k = 0; k < count; ++k) {
      sum = f(sum, array[index + k]);
    }
    return sum;
  }

  template <size_t, class F>
  static void vector_loop(size_t first, size_t last, int, const F& f) {
    for (size_t i = first; i < last; ++i) {
      f(i);
    }
  }

  template <class F, class... Args>
  static auto apply(F f, Args... args) {
    return f(args...);
  }

  // Runs a loop f as a separate function that is not inlined.
  template <class F>
  [[gnu::noinline]] static void apart(const F& f) {
    f();
  }
  static bool branch(bool condition) {
    return condition;
  }
  static void ops(int) {}
};

// Orders streaming stores before what follows; call it after the last `stream` of a pass.
inline void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace presort::cpu
