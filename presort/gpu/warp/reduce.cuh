// Reductions over the 32 lanes of a warp, and whether their labels are equal.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/core/monoid.h"

namespace presort::inline v0::gpu {

inline constexpr unsigned kAllLanes = 0xffffffffu;
inline constexpr int kWarpLanes = 32;

// Shuffles a value of any trivially copyable type word by word; shuffle(word) is the word of
// another lane.
template <class Value, class Shuffle>
__device__ Value shuffle_words(Value value, const Shuffle& shuffle) {
  unsigned words[(sizeof(Value) + 3) / 4] = {};
  memcpy(words, &value, sizeof value);
#pragma unroll
  for (unsigned& word : words) {
    word = shuffle(word);
  }
  memcpy(&value, words, sizeof value);
  return value;
}

// The value of the lane whose number differs in the bits of `lanes`. Requires: all lanes call it
template <class Value>
__device__ Value shuffle_xor(const Value& value, int lanes) {
  return shuffle_words(value,
                       [=](unsigned word) { return __shfl_xor_sync(kAllLanes, word, lanes); });
}

// The value that lane number `lane` of the warp holds; arbitrary if no lane has that number.
// Requires: all lanes call it
template <class Value>
__device__ Value shuffle_from(const Value& value, int lane) {
  return shuffle_words(value, [=](unsigned word) { return __shfl_sync(kAllLanes, word, lane); });
}

// True if one instruction computes ⊙ of all lanes: sums, minima and maxima of integers of 4 bytes,
// from compute capability 8.0 on.
template <class M, class Value>
inline constexpr bool kReducesInOneStep =
#if __CUDA_ARCH__ >= 800
    std::is_integral_v<Value> && sizeof(Value) == 4 &&
    (std::is_same_v<M, Sum<Value>> || std::is_same_v<M, Min<Value>> ||
     std::is_same_v<M, Max<Value>>);
#else
    false;
#endif

// ⊙ of the values of a warp's 32 lanes, in every lane. Requires: all lanes call it; ⊙ commutes
template <class M, class Value>
__device__ Value reduce_warp(Value value, const M& monoid) {
  if constexpr (kReducesInOneStep<M, Value>) {
    using Word = std::conditional_t<std::is_signed_v<Value>, int, unsigned>;
    const auto word = static_cast<Word>(value);
    if constexpr (std::is_same_v<M, Sum<Value>>) {
      return static_cast<Value>(__reduce_add_sync(kAllLanes, word));
    } else if constexpr (std::is_same_v<M, Min<Value>>) {
      return static_cast<Value>(__reduce_min_sync(kAllLanes, word));
    } else {
      return static_cast<Value>(__reduce_max_sync(kAllLanes, word));
    }
  } else {
#pragma unroll
    for (int lanes = kWarpLanes / 2; lanes > 0; lanes /= 2) {
      value = monoid(value, shuffle_xor(value, lanes));
    }
    return value;
  }
}

// True if all lanes hold the same label. Requires: all lanes call it
template <class Label>
__device__ bool is_uniform(Label label) {
  return __all_sync(kAllLanes, label == __shfl_sync(kAllLanes, label, 0));
}

// True if all labels of a warp are the same, several in each lane. Requires: all lanes call it
template <class Label, int kCount>
__device__ bool is_uniform(const Label (&label)[kCount]) {
  const Label first = __shfl_sync(kAllLanes, label[0], 0);
  bool is_same = true;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    is_same &= label[i] == first;
  }
  return __all_sync(kAllLanes, is_same);
}

// ⊙ of all values of a warp, several in each lane; every lane gets the result. Requires: all lanes
// call it; ⊙ commutes
template <class M, class Value, int kCount>
__device__ Value reduce_warp(const Value (&value)[kCount], const M& monoid) {
  Value all = value[0];
#pragma unroll
  for (int i = 1; i < kCount; ++i) {
    all = monoid(all, value[i]);
  }
  return reduce_warp(all, monoid);
}

}  // namespace presort::gpu
