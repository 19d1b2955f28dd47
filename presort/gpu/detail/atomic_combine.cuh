// Computes *address = *address ⊙ value as one atomic step: a native atomic where there is one,
// otherwise compare and swap.
// Requires: ⊙ commutes; the value has 4 or 8 bytes
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/core/monoid.h"

namespace presort::inline v0::gpu {

// A type of the same size and signedness for which CUDA has atomics.
template <class Value>
using AtomicWord = std::conditional_t<
    !std::is_integral_v<Value>, Value,
    std::conditional_t<sizeof(Value) == 8,
                       std::conditional_t<std::is_signed_v<Value>, long long, unsigned long long>,
                       std::conditional_t<std::is_signed_v<Value>, int, unsigned>>>;

template <class Value>
inline constexpr bool kHasAtomics = sizeof(Value) == 4 || sizeof(Value) == 8;

template <class M, class Value>
inline constexpr bool kAddsAtomically =
    std::is_same_v<M, Sum<Value>>&& std::is_arithmetic_v<Value> &&
    (sizeof(Value) == 4 || sizeof(Value) == 8);

template <class M, class Value>
inline constexpr bool kComparesAtomically =
    (std::is_same_v<M, Min<Value>> || std::is_same_v<M, Max<Value>>)&&std::is_integral_v<Value> &&
    (sizeof(Value) == 4 || sizeof(Value) == 8);

template <class M, class Value>
__device__ void combine_by_swapping(Value* address, Value value, const M& monoid) {
  static_assert(kHasAtomics<Value>, "atomic updates are of values of 4 or 8 bytes");
  using Word = std::conditional_t<sizeof(Value) == 4, unsigned, unsigned long long>;
  auto* word = reinterpret_cast<Word*>(address);
  Word seen = *reinterpret_cast<volatile Word*>(word);
  Word expected;
  do {
    expected = seen;
    Value old;
    memcpy(&old, &expected, sizeof old);
    const Value combined = monoid(old, value);
    Word wanted;
    memcpy(&wanted, &combined, sizeof wanted);
    if (wanted == expected) {
      return;  // no swap: the value does not change the bucket, which is common for a minimum
    }
    seen = atomicCAS(word, expected, wanted);
  } while (seen != expected);
}

template <class M, class Value>
__device__ void combine_atomically(Value* address, Value value, const M& monoid) {
  if constexpr (kAddsAtomically<M, Value>) {
    if constexpr (std::is_integral_v<Value>) {
      // Signed and unsigned sums have the same bits.
      using Word = std::conditional_t<sizeof(Value) == 8, unsigned long long, unsigned>;
      atomicAdd(reinterpret_cast<Word*>(address), static_cast<Word>(value));
    } else {
      atomicAdd(address, value);
    }
  } else if constexpr (kComparesAtomically<M, Value>) {
    using Word = AtomicWord<Value>;
    if constexpr (std::is_same_v<M, Min<Value>>) {
      atomicMin(reinterpret_cast<Word*>(address), static_cast<Word>(value));
    } else {
      atomicMax(reinterpret_cast<Word*>(address), static_cast<Word>(value));
    }
  } else {
    combine_by_swapping(address, value, monoid);
  }
}

}  // namespace presort::gpu
