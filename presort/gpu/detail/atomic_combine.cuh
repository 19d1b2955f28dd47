// Computes *address = *address ⊙ value as one atomic step: a native atomic where there is one,
// otherwise compare and swap; and sums of parts (core/sum_of_parts.h) as one for each part.
// Requires: ⊙ commutes; the value has 4 or 8 bytes, or parts that have
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/core/monoid.h"
#include "presort/core/sum_of_parts.h"

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

// True if ⊙ sums parts of a value, each of which has an atomic. Between the atomics of two parts
// others see one of them updated, which no kernel looks at.
template <class M, class Value>
inline constexpr bool kSumsByParts = false;
template <class Value, class Part>
inline constexpr bool kSumsByParts<SumOfParts<Value, Part>, Value> = (sizeof(Part) == 4 ||
                                                                      sizeof(Part) == 8) &&
                                                                     sizeof(Value) <= 16;

// True if buckets are updated in any order, by atomics.
template <class M, class Value>
inline constexpr bool kUpdatesInAnyOrder = M::is_commutative &&
                                           (kHasAtomics<Value> || kSumsByParts<M, Value>);

// Calls update(address of the part, value of the part) for each part of a value.
template <class Value, class Part, class Update>
__device__ void for_each_part(Value* address, const Value& value, const SumOfParts<Value, Part>&,
                              const Update& update) {
  auto* parts = reinterpret_cast<Part*>(address);
  const auto values = std::bit_cast<typename SumOfParts<Value, Part>::Parts>(value);
#pragma unroll
  for (size_t i = 0; i < SumOfParts<Value, Part>::kParts; ++i) {
    update(parts + i, values.items[i]);
  }
}

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
  if constexpr (kSumsByParts<M, Value>) {
    for_each_part(address, value, monoid, [](auto* part, const auto& one) {
      combine_atomically(part, one, Sum<std::remove_cvref_t<decltype(one)>>{});
    });
  } else if constexpr (kAddsAtomically<M, Value>) {
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
