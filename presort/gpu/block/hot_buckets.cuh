// The buckets that many inputs of a block have, each with a word of its own in shared memory for
// every lane of a warp. Lanes that meet at one bucket wait for each other, and where an update is
// made by compare and swap they try again; lanes that have a word each do not meet.
//   HotBuckets<uint32_t, float, Sum<float>> hot(shared, monoid);
//   if (hot.find(bucket, true)) … *hot.word(bucket) instead of the bucket's own entry
//   hot.combine([&](uint32_t bucket, float all) { … });
// A sample of one input a thread finds them: a bucket that two lanes of a warp meet at may be hot,
// and is where at least kLeast of the sample have it. A bucket that the sample misses is updated
// like any other: a matter of time, never of results.
// Requires: ⊙ commutes; values of 4 or 8 bytes
#pragma once

#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

template <class Key, class Value>
struct HotWords {
  static constexpr uint32_t kSlotBits = sizeof(Value) <= 4 ? 6 : 5;
  static constexpr uint32_t kSlots = 1u << kSlotBits;
  using Word = std::conditional_t<sizeof(Key) == 8, unsigned long long, unsigned>;

  Word keys[kSlots];  // bucket of each hot-bucket slot, or kNone
  uint32_t seen[kSlots];
  Value words[kSlots * kWarpLanes];
};

template <class Key, class Value, class M>
class HotBuckets {
 public:
  using Shared = HotWords<Key, Value>;

  __device__ HotBuckets(Shared& shared, const M& monoid) : shared_(shared), monoid_(monoid) {}

  // Finds the hot buckets. Each thread passes an input's bucket; those with `counts` false are
  // ignored. True, for all threads alike, if any bucket is hot. Called by all threads of the block,
  // none of which uses what a call before found.
  __device__ bool find(Key key, bool counts) {
    if (threadIdx.x < Shared::kSlots) {
      shared_.keys[threadIdx.x] = kNone;
      shared_.seen[threadIdx.x] = 0;
    }
    const unsigned valid = __ballot_sync(kAllLanes, counts);
    const unsigned alike = __match_any_sync(kAllLanes, static_cast<Word>(key)) & valid;
    const bool is_first = counts && (alike & ((1u << threadIdx.x % kWarpLanes) - 1)) == 0;
    const bool is_met = is_first && __popc(alike) > 1;
    if (!__syncthreads_or(is_met)) {
      return false;
    }
    if (is_met) {
      atomicExch(shared_.keys + slot(key), static_cast<Word>(key));
    }
    __syncthreads();
    if (is_first && shared_.keys[slot(key)] == static_cast<Word>(key)) {
      atomicAdd(shared_.seen + slot(key), static_cast<unsigned>(__popc(alike)));
    }
    __syncthreads();
    bool is_hot = false;
    if (threadIdx.x < Shared::kSlots) {
      is_hot = shared_.seen[threadIdx.x] >= max(kLeast, blockDim.x / kLeastShare);
      if (!is_hot) {
        shared_.keys[threadIdx.x] = kNone;
      }
    }
    if (!__syncthreads_or(is_hot)) {
      return false;
    }
    for (uint32_t i = threadIdx.x; i < Shared::kSlots * kWarpLanes; i += blockDim.x) {
      shared_.words[i] = monoid_.identity();
    }
    __syncthreads();
    return true;
  }

  // The lane's word of a hot bucket; nullptr for any other bucket. Requires: find returned true
  __device__ Value* word(Key key) const {
    const uint32_t at = slot(key);
    return shared_.keys[at] == static_cast<Word>(key)
               ? shared_.words + at * kWarpLanes + threadIdx.x % kWarpLanes
               : nullptr;
  }

  // Calls combine(bucket, ⊙ of all its words) by one lane for each hot bucket. Called by all threads
  // of the block, behind a barrier. Requires: find returned true
  template <class Combine>
  __device__ void combine(const Combine& combine) const {
    for (uint32_t at = threadIdx.x / kWarpLanes; at < Shared::kSlots;
         at += blockDim.x / kWarpLanes) {
      if (shared_.keys[at] != kNone) {
        const Value all =
            reduce_warp(shared_.words[at * kWarpLanes + threadIdx.x % kWarpLanes], monoid_);
        if (threadIdx.x % kWarpLanes == 0) {
          combine(static_cast<Key>(shared_.keys[at]), all);
        }
      }
    }
  }

 private:
  using Word = typename Shared::Word;
  static constexpr Word kNone = ~Word{0};
  static constexpr uint32_t kLeast = 4;  // fewest sampled inputs that make a bucket hot
  // Least share of the sampled inputs that makes a bucket hot: 1 / kLeastShare
  static constexpr uint32_t kLeastShare = 128;

  __device__ static uint32_t slot(Key key) {
    return static_cast<uint32_t>(key) * 0x9e3779b1u >> (32 - Shared::kSlotBits);
  }

  Shared& shared_;
  M monoid_;
};

}  // namespace presort::gpu
