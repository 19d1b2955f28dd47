// What the 32 lanes of a warp do together about labels that are equal.
#pragma once

#include <cstdint>
#include <cstring>

namespace presort::gpu {

inline constexpr unsigned kAllLanes = 0xffffffffu;
inline constexpr int kWarpLanes = 32;

// The value of another lane, of any trivially copyable type of whole words.
template <class Value>
__device__ Value shuffle_xor(Value value, int lanes) {
  static_assert(sizeof(Value) % 4 == 0);
  unsigned words[sizeof(Value) / 4];
  memcpy(words, &value, sizeof value);
#pragma unroll
  for (unsigned& word : words) {
    word = __shfl_xor_sync(kAllLanes, word, lanes);
  }
  memcpy(&value, words, sizeof value);
  return value;
}

// ⊙ of all lanes, in every lane. Requires: all lanes call it; ⊙ commutes
template <class M, class Value>
__device__ Value reduce_warp(Value value, const M& monoid) {
#pragma unroll
  for (int lanes = kWarpLanes / 2; lanes > 0; lanes /= 2) {
    value = monoid(value, shuffle_xor(value, lanes));
  }
  return value;
}

// Whether all lanes hold the same label. Requires: all lanes call it
template <class Label>
__device__ bool is_uniform(Label label) {
  return __all_sync(kAllLanes, label == __shfl_sync(kAllLanes, label, 0));
}

}  // namespace presort::gpu
