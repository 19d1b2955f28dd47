// A table of buckets in a block's shared memory: filled with the identity, updated, and combined
// with the buckets in device memory.
// Requires: ⊙ commutes; the value has 4 or 8 bytes, or up to 16 in parts (core/sum_of_parts.h)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "presort/gpu/block/hot_buckets.cuh"
#include "presort/gpu/detail/atomic_combine.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/detail/shared_combine.cuh"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// True if a value is known to change no bucket.
template <class Value, class M>
__device__ bool is_identity(const Value& value, const M& monoid) {
  if constexpr (kSumsByParts<M, Value>) {
    bool is_zero = true;
    for (const auto part : std::bit_cast<typename M::Parts>(value).items) {
      is_zero &= part == 0;
    }
    return is_zero;
  } else if constexpr (requires { value == value; }) {
    return value == monoid.identity();
  }
  return false;
}

// Combines a value with a bucket in device memory, by an atomic where other blocks may do so at the
// same time. The identity is not written.
template <bool kOthersMay, class Value, class M>
__device__ void combine_one(Value* bucket, const Value& value, const M& monoid) {
  if (is_identity(value, monoid)) {
    return;
  }
  if constexpr (kOthersMay) {
    combine_atomically(bucket, value, monoid);
  } else {
    *bucket = monoid(*bucket, value);
  }
}

// True if a table may keep hot buckets in words of their own (hot_buckets.cuh), which pays where an
// update takes more than one step.
template <class M, class Value>
inline constexpr bool kMayHaveHot = !kCombinesInOneStep<M, Value>;

// The two buckets of a table that most inputs have. A bucket outside the table means none.
struct FrequentBuckets {
  uint32_t first = UINT32_MAX;
  uint32_t second = UINT32_MAX;
};

// A table has kSets copies of each bucket, side by side. A lane updates the copy of its number, so
// that lanes with equal labels meet less.
// Inputs of other tables take no branch: their lanes update a word of their own behind the entries.
// With that a warp takes 7.5 instructions for an input of each lane instead of 18, and 2^18 buckets
// in five ranges 0.00435 ns an input instead of 0.00489 (one H200, u32 + u32, 2026-11-22). With
// kHasFrequent, lanes have words of their own for two buckets too. Lanes that meet at one address
// wait: where 17 % of the labels were the same one, blocks with its table took 10.6 cycles for the
// 32 inputs of a warp instead of 7 (same H200, zipf:1.25).
// Where an update takes more than one step, hot buckets have words of their own instead
// (hot_buckets.cuh), if the block has found any.
// Requires: kSpareBytes behind the entries
// kKeepsTops: threads collect the two most frequent buckets in registers.
template <class Value, class M, bool kHasFrequent = false,
          class HotOf = HotBuckets<uint32_t, Value, M>, bool kKeepsTops = true>
class SharedTable {
 public:
  using Hot = HotOf;

  __device__ SharedTable(Value* entries, uint32_t buckets, int sets_log2, const M& monoid,
                         FrequentBuckets frequent = {})
      : entries_(entries),
        own_(entries + (threadIdx.x & ((1u << sets_log2) - 1))),
        own_address_(kept(shared_address(own_))),
        spare_address_(
            kept(shared_address(entries + (buckets << sets_log2)) + threadIdx.x % kWarpLanes * 4)),
        stride_(kept(static_cast<uint32_t>(sizeof(Value)) << sets_log2)),
        buckets_(buckets),
        sets_log2_(sets_log2),
        frequent_(frequent),
        monoid_(monoid) {
    static_assert(!kHasFrequent || kCombinesInOneStep<M, Value>);
  }

  __device__ void fill() {
    for (uint32_t i = threadIdx.x; i < buckets_ << sets_log2_; i += blockDim.x) {
      entries_[i] = monoid_.identity();
    }
    if (kHasFrequent && threadIdx.x < kWarpLanes) {
      own_frequent(1) = monoid_.identity();
      own_frequent(2) = monoid_.identity();
    }
  }

  // Updates the table with kCount inputs of each lane. Inputs whose bucket is not below `buckets`
  // belong to another table.
  // Requires: all lanes of the warp call it. A warp of which all labels are equal updates its
  //           bucket once.
  template <class Label, int kCount>
  __device__ void update(const Label (&bucket)[kCount], const Value (&value)[kCount]) {
    if (is_uniform(bucket[0]) && is_uniform(bucket)) {
      if (bucket[0] < buckets_) {
        if constexpr (kMayHaveHot<M, Value>) {
          if (hot_ != nullptr && combine_with_top(static_cast<uint32_t>(bucket[0]), value)) {
            return;
          }
        }
        const Value all = reduce_warp(value, monoid_);
        if (threadIdx.x % kWarpLanes == 0) {
          combine_with_entry(bucket[0], all);
        }
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      update_alone(bucket[i], value[i]);
    }
  }

  // True if a bucket is one of the table.
  template <class Label>
  __device__ bool has(Label bucket) const {
    return bucket < buckets_;
  }

  // Slow path: updates the table with one input of one lane.
  template <class Label>
  __device__ void update_alone(Label bucket, Value value) {
    if constexpr (kCombinesInOneStep<M, Value>) {
      const auto at = static_cast<uint32_t>(bucket);
      uint32_t address = own_address_ + at * stride_;
      if constexpr (kHasFrequent) {
        address = at == frequent_.first ? spare_address_ + kLaneWords : address;
        address = at == frequent_.second ? spare_address_ + 2 * kLaneWords : address;
      }
      combine_in_one_step(bucket < buckets_ ? address : spare_address_, value, monoid_);
    } else if (bucket < buckets_) {
      if constexpr (kMayHaveHot<M, Value>) {
        if (hot_ != nullptr) {
          if (combine_with_top(static_cast<uint32_t>(bucket), value)) {
            return;
          }
          Value* word = Hot(*hot_, monoid_).word(static_cast<uint32_t>(bucket));
          combine_in_shared(word != nullptr ? word : entry(bucket), value, monoid_);
          return;
        }
      }
      combine_with_entry(bucket, value);
    }
  }

  // From here on updates hot buckets in words of their own, and the most frequent of them in
  // registers of each thread, until take_back_hot().
  // Requires: kMayHaveHot; hot buckets were found (Hot::find)
  __device__ void set_hot(typename Hot::Shared& hot) {
    hot_ = &hot;
    if constexpr (kKeepsTops) {
      first_ = {hot.tops[0], monoid_.identity()};
      second_ = {hot.tops[1], monoid_.identity()};
    }
  }

  // Combines the words of hot buckets with the buckets' entries in the table. Called by all threads
  // of the block, between two barriers.
  __device__ void take_back_hot() {
    if constexpr (kMayHaveHot<M, Value>) {
      if (hot_ != nullptr) {
        if constexpr (kKeepsTops) {
          take_back(first_);
          take_back(second_);
        }
        Hot(*hot_, monoid_).combine([&](uint32_t bucket, const Value& all) {
          combine_in_shared(entries_ + (bucket << sets_log2_), all, monoid_);
        });
        hot_ = nullptr;
      }
    }
  }

  // Combines the frequent buckets into the caller's table.
  // Requires: kHasFrequent; all lanes of a warp call it, threads below kWarpLanes among them
  __device__ void combine_frequent_into(Value* buckets) {
    if (threadIdx.x < kWarpLanes) {
      const Value first = reduce_warp(own_frequent(1), monoid_);
      const Value second = reduce_warp(own_frequent(2), monoid_);
      if (threadIdx.x == 0 && frequent_.first < buckets_) {
        combine_one<true>(buckets + frequent_.first, first, monoid_);
      }
      if (threadIdx.x == 0 && frequent_.second < buckets_) {
        combine_one<true>(buckets + frequent_.second, second, monoid_);
      }
    }
  }

  // Combines every updated bucket of the table with buckets[i] in device memory, by an atomic where
  // `others_may`.
  template <bool kOthersMay>
  __device__ void combine_into(Value* buckets) const {
    if constexpr (!kOthersMay) {
      if (sets_log2_ == 0 && reinterpret_cast<uintptr_t>(buckets) % sizeof(Buckets) == 0) {
        return combine_packs_into(buckets);
      }
    }
    const uint32_t first = first_set();
    const uint32_t last = (1u << sets_log2_) - 1;
    for (uint32_t i = threadIdx.x; i < buckets_; i += blockDim.x) {
      const Value* sets = entries_ + (i << sets_log2_);
      Value value = sets[first];
      for (uint32_t set = 1; set <= last; ++set) {
        value = monoid_(value, sets[(first + set) & last]);
      }
      combine_one<kOthersMay>(buckets + i, value, monoid_);
    }
  }

 private:
  // The set with which a lane begins to add up its bucket. Lanes that access shared memory together
  // read entries in different banks then, at every step: without it 32 sets put all lanes in one
  // bank.
  __device__ uint32_t first_set() const {
    constexpr int kBanksLog2 = std::countr_zero(kBankRowBytes / sizeof(Value));
    const uint32_t lane = threadIdx.x % kWarpLanes;
    const uint32_t from = sets_log2_ >= kBanksLog2 ? lane : lane >> (kBanksLog2 - sets_log2_);
    return from & ((1u << sets_log2_) - 1);
  }

  // A bucket, and what a thread has collected for it.
  struct Collected {
    uint32_t bucket;
    Value all;
  };
  static_assert(Hot::Shared::kTops == 2);

  // Combines values, one or an array, with the thread's own sum of a bucket, if that is one of the
  // two most frequent. Lanes that have one of these do not wait for each other.
  template <class Values>
  __device__ bool combine_with_top(uint32_t bucket, const Values& values) {
    if constexpr (kKeepsTops) {
      if (bucket == first_.bucket) {
        collect(first_, values);
        return true;
      }
      if (bucket == second_.bucket) {
        collect(second_, values);
        return true;
      }
    }
    return false;
  }

  __device__ void collect(Collected& to, const Value& value) {
    to.all = monoid_(to.all, value);
  }
  template <int kCount>
  __device__ void collect(Collected& to, const Value (&values)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      to.all = monoid_(to.all, values[i]);
    }
  }

  // Combines what the lanes of a warp have collected for a bucket with its entry.
  __device__ void take_back(const Collected& from) {
    const Value all = reduce_warp(from.all, monoid_);
    if (threadIdx.x % kWarpLanes == 0 && from.bucket != Hot::kNone) {
      combine_in_shared(entries_ + (from.bucket << sets_log2_), all, monoid_);
    }
  }

  static constexpr size_t kBankRowBytes = 128;  // bytes that all banks deliver at a time
  static constexpr uint32_t kLaneWords =
      kWarpLanes * 4;  // bytes of 32 words, one for each lane of a warp
  static_assert(3 * kLaneWords == kSpareBytes);

  // The word in which a lane of the first warp collects a frequent bucket. Requires: kHasFrequent
  __device__ Value& own_frequent(uint32_t which) const {
    return entries_[(buckets_ << sets_log2_) + which * kWarpLanes + threadIdx.x];
  }

  static constexpr int kPackOfBuckets = 16 / sizeof(Value);
  using Buckets = Pack<Value, kPackOfBuckets>;

  __device__ bool is_updated(const Buckets& pack) const {
    bool is_any = false;
#pragma unroll
    for (const Value& value : pack.items) {
      is_any |= !is_identity(value, monoid_);
    }
    return is_any;
  }

  // Combines the table with buckets that belong to one block alone. kPacks packs of loads are in
  // flight, as a thread would otherwise wait for memory at each bucket.
  __device__ void combine_packs_into(Value* buckets) const {
    constexpr int kPacks = 4;
    auto* packs = reinterpret_cast<Buckets*>(buckets);
    const auto* own = reinterpret_cast<const Buckets*>(entries_);
    const uint32_t count = buckets_ / kPackOfBuckets;
    for (uint32_t first = threadIdx.x; first < count; first += kPacks * blockDim.x) {
      Buckets pack[kPacks];
      Buckets updates[kPacks];
      bool is_written[kPacks];
#pragma unroll
      for (int i = 0; i < kPacks; ++i) {
        const uint32_t at = first + i * blockDim.x;
        is_written[i] = false;
        if (at < count) {
          updates[i] = own[at];
          is_written[i] = is_updated(updates[i]);
        }
        if (is_written[i]) {
          pack[i] = packs[at];
        }
      }
#pragma unroll
      for (int i = 0; i < kPacks; ++i) {
        if (is_written[i]) {
#pragma unroll
          for (int j = 0; j < kPackOfBuckets; ++j) {
            pack[i].items[j] = monoid_(pack[i].items[j], updates[i].items[j]);
          }
          packs[first + i * blockDim.x] = pack[i];
        }
      }
    }
    for (uint32_t i = count * kPackOfBuckets + threadIdx.x; i < buckets_; i += blockDim.x) {
      combine_one<false>(buckets + i, entries_[i], monoid_);
    }
  }

  __device__ static uint32_t shared_address(const Value* entry) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(entry));
  }

  // Returns `number` and makes the compiler hold it in a register. Otherwise the compiler computes
  // such numbers again for every few updates, by more instructions than the updates take.
  __device__ static uint32_t kept(uint32_t number) {
    return __shfl_sync(kAllLanes, number, threadIdx.x % kWarpLanes);
  }

  template <class Label>
  __device__ Value* entry(Label bucket) const {
    return own_ + (static_cast<uint32_t>(bucket) << sets_log2_);
  }

  template <class Label>
  __device__ void combine_with_entry(Label bucket, const Value& value) const {
    combine_in_shared(entry(bucket), value, monoid_);
  }

  Value* entries_;
  Value* own_;            // address of this lane's copy of bucket 0
  uint32_t own_address_;  // shared-memory address of this lane's copy of bucket 0
  uint32_t spare_address_;
  uint32_t stride_;  // distance from a bucket to the next, bytes
  uint32_t buckets_;
  int sets_log2_;
  FrequentBuckets frequent_;
  typename Hot::Shared* hot_ = nullptr;
  Collected first_;  // the most frequent bucket; read only where hot_ is set
  Collected second_;
  M monoid_;
};

}  // namespace presort::gpu
