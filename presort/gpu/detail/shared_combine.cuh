// Computes *address = *address ⊙ value in shared memory as one atomic step that needs no loop. A
// branch around the step, which the compiler makes of a predicate too, costs more than the step: so
// a lane with nothing to update updates a word that nobody reads.
// Requires: ⊙ commutes
#pragma once

#include <cstdint>
#include <type_traits>

#include "presort/gpu/detail/atomic_combine.cuh"

namespace presort::inline v0::gpu {

// True if ⊙ is one atomic step in shared memory: sums, minima and maxima of integers of 4 bytes.
// Others are updated by compare and swap.
template <class M, class Value>
inline constexpr bool kCombinesInOneStep = std::is_integral_v<Value> && sizeof(Value) == 4 &&
                                           (kAddsAtomically<M, Value> ||
                                            kComparesAtomically<M, Value>);

// Combines a value with a word of shared memory. Units: address in bytes of shared memory
template <class M, class Value>
__device__ void combine_in_one_step(uint32_t address, Value value, const M&) {
  static_assert(kCombinesInOneStep<M, Value>);
  if constexpr (std::is_same_v<
                    M, Sum<Value>>) {  // integer sums: signed and unsigned have the same bits
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  } else if constexpr (std::is_same_v<M, Min<Value>> && std::is_signed_v<Value>) {
    asm volatile("red.shared.min.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  } else if constexpr (std::is_same_v<M, Min<Value>>) {
    asm volatile("red.shared.min.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  } else if constexpr (std::is_signed_v<Value>) {
    asm volatile("red.shared.max.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  } else {
    asm volatile("red.shared.max.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  }
}

// Sums of integers of 8 bytes, as two steps of 4: whoever adds to the low word learns what was
// there, so that exactly one knows of each carry, and adds it to the high word. Between the steps
// others see neither sum: for tables that are read after a barrier. With compare and swap instead,
// one frequent label has all lanes try again and again.
template <class M, class Value>
inline constexpr bool kAddsInTwoSteps = std::is_integral_v<Value> &&
                                        sizeof(Value) == 8 && kAddsAtomically<M, Value>;

template <class Value>
__device__ void add_in_two_steps(Value* address, Value value) {
  static_assert(sizeof(Value) == 8);
  auto* words = reinterpret_cast<unsigned*>(address);
  const auto low = static_cast<unsigned>(value);
  const unsigned before = atomicAdd(words, low);
  const unsigned high = static_cast<unsigned>(static_cast<unsigned long long>(value) >> 32) +
                        (before + low < before ? 1u : 0u);
  if (high != 0) {
    atomicAdd(words + 1, high);
  }
}

// True if ⊙ is computed by compare and swap in shared memory.
template <class M, class Value>
inline constexpr bool kSwapsInShared = !kCombinesInOneStep<M, Value> && !kAddsInTwoSteps<M, Value>;
template <class Value, class Part>
inline constexpr bool kSwapsInShared<SumOfParts<Value, Part>, Value> =
    kSwapsInShared<Sum<Part>, Part>;

// Combines a value with a word of shared memory that is read after a barrier.
template <class M, class Value>
__device__ void combine_in_shared(Value* address, const Value& value, const M& monoid) {
  if constexpr (kSumsByParts<M, Value>) {
    for_each_part(address, value, monoid, [](auto* part, const auto& one) {
      combine_in_shared(part, one, Sum<std::remove_cvref_t<decltype(one)>>{});
    });
  } else if constexpr (kAddsInTwoSteps<M, Value>) {
    add_in_two_steps(address, value);
  } else {
    combine_atomically(address, value, monoid);
  }
}

}  // namespace presort::gpu
