// A table of buckets in a block's shared memory: filled with the identity, updated, and combined
// with the buckets in device memory.
// Requires: ⊙ commutes; the value has 4 or 8 bytes
#pragma once

#include <cstdint>

#include "gpu/atomic_combine.cuh"
#include "gpu/input.cuh"
#include "gpu/warp/reduce.cuh"

namespace presort::gpu {

// Combines a value with a bucket in device memory, by an atomic where others may do so at the same
// time; not if it is the identity.
template <bool kOthersMay, class Value, class M>
__device__ void combine_one(Value* bucket, const Value& value, const M& monoid) {
  if constexpr (requires { value == value; }) {
    if (value == monoid.identity()) {
      return;
    }
  }
  if constexpr (kOthersMay) {
    combine_atomically(bucket, value, monoid);
  } else {
    *bucket = monoid(*bucket, value);
  }
}

// Of kSets copies of each bucket a lane updates the one of its number: lanes with equal labels
// then meet less. The copies of a bucket lie side by side.
template <class Value, class M>
class SharedTable {
 public:
  __device__ SharedTable(Value* entries, uint32_t buckets, int sets_log2, const M& monoid)
      : entries_(entries), buckets_(buckets), sets_log2_(sets_log2), monoid_(monoid) {}

  __device__ void fill() {
    for (uint32_t i = threadIdx.x; i < buckets_ << sets_log2_; i += blockDim.x) {
      entries_[i] = monoid_.identity();
    }
  }

  // Of kCount inputs a lane; those whose bucket is not below `buckets` are not of this table.
  // Requires: all lanes of the warp call it. A warp of which all labels are equal updates its
  // bucket once: 32 atomics to one address take twice as long as 32 to any others.
  template <class Label, int kCount>
  __device__ void update(const Label (&bucket)[kCount], const Value (&value)[kCount]) {
    if (is_uniform(bucket)) {
      if (bucket[0] < buckets_) {
        const Value all = reduce_warp(value, monoid_);
        if (threadIdx.x % kWarpLanes == 0) {
          combine_atomically(entry(bucket[0]), all, monoid_);
        }
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      update_alone(bucket[i], value[i]);
    }
  }

  // Of one input of one lane by itself.
  template <class Label>
  __device__ void update_alone(Label bucket, Value value) {
    if (bucket < buckets_) {
      combine_atomically(entry(bucket), value, monoid_);
    }
  }

  // Combines every bucket that was updated with buckets[i], by an atomic where `others_may`.
  template <bool kOthersMay>
  __device__ void combine_into(Value* buckets) const {
    if constexpr (!kOthersMay) {
      if (sets_log2_ == 0 && reinterpret_cast<uintptr_t>(buckets) % sizeof(Buckets) == 0) {
        return combine_packs_into(buckets);
      }
    }
    for (uint32_t i = threadIdx.x; i < buckets_; i += blockDim.x) {
      Value value = entries_[i << sets_log2_];
      for (int set = 1; set < 1 << sets_log2_; ++set) {
        value = monoid_(value, entries_[(i << sets_log2_) + set]);
      }
      combine_one<kOthersMay>(buckets + i, value, monoid_);
    }
  }

 private:
  static constexpr int kPackOfBuckets = 16 / sizeof(Value);
  using Buckets = Pack<Value, kPackOfBuckets>;

  __device__ bool is_updated(const Buckets& pack) const {
    if constexpr (requires(Value value) { value == value; }) {
      bool is_any = false;
#pragma unroll
      for (const Value& value : pack.items) {
        is_any |= !(value == monoid_.identity());
      }
      return is_any;
    }
    return true;
  }

  // The buckets of this block alone: kPacks packs of them are asked for before the first is there.
  // One at a time, a thread waits for memory as often as it has buckets.
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

  template <class Label>
  __device__ Value* entry(Label bucket) const {
    return entries_ + ((static_cast<uint32_t>(bucket) << sets_log2_) |
                       (threadIdx.x & ((1u << sets_log2_) - 1)));
  }

  Value* entries_;
  uint32_t buckets_;
  int sets_log2_;
  M monoid_;
};

}  // namespace presort::gpu
