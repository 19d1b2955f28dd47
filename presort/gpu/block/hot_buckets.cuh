// The buckets that many inputs of a block have, each with a word of its own in shared memory for
// every lane of a warp. Lanes that meet at one bucket wait for each other, and where an update is
// made by compare and swap they try again; lanes that have a word each do not meet.
//   HotBuckets<uint32_t, float, Sum<float>> hot(shared, monoid);
//   if (hot.find(bucket, true)) … *hot.word(bucket) instead of the bucket's own entry
//   hot.combine([&](uint32_t bucket, float all) { … });
// A sample of one input a thread finds them (find): a bucket that two lanes of a warp meet at may
// be hot, and is where at least kLeast of the sample have it. Or one of several inputs a thread,
// which are counted (find_by_counts): buckets of a share of 0.2 % are found too. A bucket that a
// sample misses, or that finds both of its places taken by others, is updated like any other: a
// matter of time, never of results.
// Requires: ⊙ commutes; values of up to 16 bytes
#pragma once

#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// A bucket's hash names a set of two places, either of which it may take. With one place for each
// hash, two frequent buckets of one hash left one of them out, in every block: 2^21.4 inputs of
// zipf:1.25 labels, f64, took 337 µs, others of the kind a third of that an input (one H100,
// 2026-11-25).
// kMoreBits: twice as many slots for each bit.
template <class Key, class Value, uint32_t kMoreBits = 0>
struct HotWords {
  static constexpr uint32_t kSlotBits = (sizeof(Value) <= 4 ? 6 : 5) + kMoreBits;
  static constexpr uint32_t kSlots = 1u << kSlotBits;
  static constexpr uint32_t kWays = 2;
  static constexpr uint32_t kTops = 2;
  using Word = std::conditional_t<sizeof(Key) == 8, unsigned long long, unsigned>;
  struct alignas(kWays * sizeof(Word)) Set {
    Word keys[kWays];
  };

  Set sets[kSlots / kWays];  // bucket of each hot-bucket slot, or kNone
  Word tops[kTops];          // the most frequent hot buckets, or kNone
  uint32_t seen[kSlots];
  alignas(16) Value words[kSlots * kWarpLanes];
};

template <class Key, class Value, class M, uint32_t kMoreBits = 0>
class HotBuckets {
 public:
  using Shared = HotWords<Key, Value, kMoreBits>;

  __device__ HotBuckets(Shared& shared, const M& monoid) : shared_(shared), monoid_(monoid) {}

  // No bucket: the number of a place that none has, and of a top that there is not.
  static constexpr typename Shared::Word kNone = ~typename Shared::Word{0};

  // Finds the hot buckets. Each thread passes an input's bucket; those with `counts` false are
  // ignored. True, for all threads alike, if any bucket is hot. Called by all threads of the block,
  // none of which uses what a call before found.
  __device__ bool find(Key key, bool counts) {
    if (threadIdx.x < Shared::kSlots) {
      place(threadIdx.x) = kNone;
      shared_.seen[threadIdx.x] = 0;
    }
    const unsigned valid = __ballot_sync(kAllLanes, counts);
    const unsigned alike = __match_any_sync(kAllLanes, static_cast<Word>(key)) & valid;
    const bool is_first = counts && (alike & ((1u << threadIdx.x % kWarpLanes) - 1)) == 0;
    const int lanes = __popc(alike);
    const bool is_met = is_first && lanes > 1 && static_cast<Word>(key) != kNone;
    if (!__syncthreads_or(is_met)) {
      return false;
    }
    // Buckets of many lanes of a warp take their places first.
    if (is_met && lanes >= kManyLanes) {
      take_place(key);
    }
    __syncthreads();
    if (is_met && lanes < kManyLanes) {
      take_place(key);
    }
    __syncthreads();
    if (const uint32_t at = is_first ? place_of(key) : Shared::kSlots; at < Shared::kSlots) {
      atomicAdd(shared_.seen + at, static_cast<unsigned>(lanes));
    }
    __syncthreads();
    bool is_hot = false;
    if (threadIdx.x < Shared::kSlots) {
      is_hot = shared_.seen[threadIdx.x] >= max(kLeast, blockDim.x / kLeastShare);
      if (!is_hot) {
        place(threadIdx.x) = kNone;
        shared_.seen[threadIdx.x] = 0;
      }
    }
    if (!__syncthreads_or(is_hot)) {
      return false;
    }
    start();
    return true;
  }

  // Finds the hot buckets among those below `buckets`, each of which the caller has `copies` of:
  // lanes that take turns at these meet less. All blocks together have all_buckets of them. Each
  // thread passes kCount buckets of inputs; those with `counts` false are ignored. Inputs are
  // counted in tally[buckets], of shared memory, which is free again behind the call. Otherwise as
  // find.
  template <int kCount>
  __device__ bool find_by_counts(uint32_t* tally, uint32_t buckets, uint64_t all_buckets,
                                 uint32_t copies, const Key (&key)[kCount],
                                 const bool (&counts)[kCount]) {
    if (threadIdx.x < Shared::kSlots) {
      place(threadIdx.x) = kNone;
      shared_.seen[threadIdx.x] = 0;
    }
    for (uint32_t i = threadIdx.x; i < buckets; i += blockDim.x) {
      tally[i] = 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if (counts[i]) {
        atomicAdd(tally + key[i], 1u);
      }
    }
    __syncthreads();
    // Sampled inputs that make a bucket hot: 1 / 512 of them, and kTimesAverage times what an
    // average bucket has, as otherwise all of them might be hot; or 1 / 512 for each copy of the
    // bucket, if that is less. Buckets of four times as many inputs take places first. f32, R-MAT
    // labels, times of u32, before, which was 1 / 512 for each copy, and now: m = 2^11, 16 copies,
    // 1.19, 1.34; 2^13.6, four copies, 1.72, 1.56; 2^14, two copies, 1.83, 1.68. With 8 times the
    // average instead of 32, uniform labels had hot buckets by chance: m = 2^12 1.30 instead of
    // 1.12, 2^12.6 1.35, 1.19 (one H100, 2026-11-26).
    constexpr uint32_t kTimesAverage = 32;
    const uint32_t sampled = blockDim.x * kCount;
    const uint32_t average = kTimesAverage * sampled / static_cast<uint32_t>(all_buckets);
    const uint32_t least = max(kLeast, min(copies * (sampled / 512), max(sampled / 512, average)));
    const uint32_t many = 4 * least;
    uint32_t often[kCount];
    bool is_hot = false;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      often[i] = counts[i] ? tally[key[i]] : 0;
      is_hot |= often[i] >= least;
    }
    if (!__syncthreads_or(is_hot)) {
      return false;
    }
    const auto for_each_hot = [&](uint32_t from, uint32_t to, const auto& call) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if (often[i] >= from && often[i] < to) {
          call(key[i], often[i]);
        }
      }
      __syncthreads();
    };
    for_each_hot(many, UINT32_MAX, [&](Key own, uint32_t) { take_place(own); });
    for_each_hot(least, many, [&](Key own, uint32_t) { take_place(own); });
    for_each_hot(least, UINT32_MAX, [&](Key own, uint32_t times) {
      if (const uint32_t at = place_of(own); at < Shared::kSlots) {
        shared_.seen[at] = times;  // every input of the bucket writes the same number
      }
    });
    start();
    return true;
  }

  // The lane's word of a hot bucket; nullptr for any other bucket. Requires: find returned true
  __device__ Value* word(Key key) const {
    const uint32_t at = place_of(key);
    return at < Shared::kSlots ? shared_.words + at * kWarpLanes + threadIdx.x % kWarpLanes
                               : nullptr;
  }

  // Calls combine(bucket, ⊙ of all its words) by one lane for each hot bucket. Called by all
  // threads of the block, behind a barrier. Requires: find returned true
  template <class Combine>
  __device__ void combine(const Combine& combine) const {
    for (uint32_t at = threadIdx.x / kWarpLanes; at < Shared::kSlots;
         at += blockDim.x / kWarpLanes) {
      if (place(at) != kNone) {
        const Value all =
            reduce_warp(shared_.words[at * kWarpLanes + threadIdx.x % kWarpLanes], monoid_);
        if (threadIdx.x % kWarpLanes == 0) {
          combine(static_cast<Key>(place(at)), all);
        }
      }
    }
  }

 private:
  using Word = typename Shared::Word;
  static constexpr uint32_t kLeast = 4;  // fewest sampled inputs that make a bucket hot
  // Least share of the sampled inputs that makes a bucket hot: 1 / kLeastShare
  static constexpr uint32_t kLeastShare = 128;
  static constexpr int kManyLanes = 4;

  __device__ Word& place(uint32_t at) const {
    return shared_.sets[at / Shared::kWays].keys[at % Shared::kWays];
  }

  // Number of the set of a bucket's places.
  __device__ static uint32_t set_of(Key key) {
    return static_cast<uint32_t>(key) * 0x9e3779b1u >> (32 - (Shared::kSlotBits - 1));
  }
  static_assert(Shared::kWays == 2);

  // Begins the words of the hot buckets that were found. Ends with a barrier.
  __device__ void start() const {
    if (threadIdx.x < kWarpLanes) {
      find_tops();
    }
    for (uint32_t i = threadIdx.x; i < Shared::kSlots * kWarpLanes; i += blockDim.x) {
      shared_.words[i] = monoid_.identity();
    }
    __syncthreads();
  }

  // Takes a place for a bucket, if one is free. Others may do so at the same time.
  __device__ void take_place(Key key) const {
    for (Word& own : shared_.sets[set_of(key)].keys) {
      const Word before = atomicCAS(&own, kNone, static_cast<Word>(key));
      if (before == kNone || before == static_cast<Word>(key)) {
        return;
      }
    }
  }

  // Number of a bucket's place; kSlots if it has none.
  __device__ uint32_t place_of(Key key) const {
    const uint32_t set = set_of(key);
    const typename Shared::Set places = shared_.sets[set];
    const auto own = static_cast<Word>(key);
    const uint32_t at = places.keys[0] == own   ? set * Shared::kWays
                        : places.keys[1] == own ? set * Shared::kWays + 1
                                                : Shared::kSlots;
    return own == kNone ? Shared::kSlots : at;
  }

  // Finds the buckets that most of the sample have. Called by the first warp.
  __device__ void find_tops() const {
    uint32_t seen[Shared::kSlots / kWarpLanes] = {};
    uint32_t best = 0;
#pragma unroll
    for (uint32_t top = 0; top < Shared::kTops; ++top) {
      uint32_t own = 0;  // the lane's largest number of sampled inputs, and their place
#pragma unroll
      for (uint32_t i = 0; i < Shared::kSlots / kWarpLanes; ++i) {
        const uint32_t at = i * kWarpLanes + threadIdx.x;
        const uint32_t number = shared_.seen[at] * Shared::kSlots + at;
        seen[i] = top == 0 ? number : seen[i] == best ? 0 : seen[i];
        own = max(own, seen[i]);
      }
      best = reduce_warp(own, Max<uint32_t>{});
      if (threadIdx.x == 0) {
        shared_.tops[top] = best >= Shared::kSlots ? place(best % Shared::kSlots) : kNone;
      }
    }
  }

  Shared& shared_;
  M monoid_;
};

}  // namespace presort::gpu
