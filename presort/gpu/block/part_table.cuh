// A table of the buckets of a part in shared memory that a warp has by itself: values are combined
// with them in the order of the inputs. A row is an input of each lane: the lanes that hold one
// bucket are reduced in their order, and the last of them updates it.
// Requires: ⊙ associates; it need not commute, and values are of any trivially copyable type
#pragma once

#include <cstdint>
#include <type_traits>

#include "presort/gpu/block/warp_ranks.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/host_device.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Type of a part's number, which is the top bits of a label.
template <class Label>
using PartOf = std::conditional_t<sizeof(Label) == 8, uint64_t, uint32_t>;

// Splits a label into the part it belongs to and the bucket within the part.
struct PartBits {
  int table_bits;
  template <class Label>
  __device__ PartOf<Label> part(Label label) const {
    return static_cast<PartOf<Label>>(label) >> table_bits;
  }
  template <class Label>
  __device__ uint32_t bucket(Label label) const {
    return static_cast<uint32_t>(label) & (table_size() - 1);
  }
  PRESORT_HOST_DEVICE uint32_t table_size() const { return 1u << table_bits; }
  PRESORT_HOST_DEVICE uint32_t mask_words() const {
    return 1u << (table_bits < kMaskBits ? table_bits : kMaskBits);
  }
};

// Bytes of a warp's table in shared memory; its masks lie behind it.
template <class Value>
PRESORT_HOST_DEVICE uint32_t part_entry_bytes(const PartBits& bits) {
  return whole_packs(bits.table_size() * static_cast<uint32_t>(sizeof(Value)));
}
template <class Value>
PRESORT_HOST_DEVICE uint32_t part_table_bytes(const PartBits& bits) {
  return part_entry_bytes<Value>(bits) + whole_packs(bits.mask_words() * 4);
}

// The table of a warp. All lanes call every member together.
template <class Value, class M>
struct PartTable {
  Value* entries;   // entries[table_size]: one for each bucket of the part
  uint32_t* masks;  // masks[mask_words]: lanes that hold a bucket; zero between updates
  PartBits bits;
  M monoid;

  __device__ uint32_t lane() const { return threadIdx.x % kWarpLanes; }

  __device__ void clear() const {
    for (uint32_t i = lane(); i < bits.table_size(); i += kWarpLanes) {
      entries[i] = monoid.identity();
    }
    for (uint32_t i = lane(); i < bits.mask_words(); i += kWarpLanes) {
      masks[i] = 0;
    }
    __syncwarp();
  }

  // For an active lane, the active lanes that hold the same bucket; for other lanes, none.
  __device__ unsigned lanes_of(uint32_t bucket, bool is_active) const {
    uint32_t* mask = masks + bucket % bits.mask_words();
    if (is_active) {
      atomicOr(mask, 1u << lane());
    }
    __syncwarp();
    unsigned equal = is_active ? *static_cast<volatile uint32_t*>(mask) : 0;
    for (int bit = kMaskBits; bit < bits.table_bits; ++bit) {
      const bool is_set = (bucket >> bit) & 1u;
      const unsigned set = __ballot_sync(kAllLanes, is_set);
      equal &= is_set ? set : ~set;
    }
    __syncwarp();
    if (is_active) {
      *mask = 0;
    }
    return equal;
  }

  // Combines one input of each active lane, in the order of the lanes. Lanes with one bucket are
  // reduced like a tree: each lane combines its sum with that of an earlier lane, until none is
  // earlier.
  __device__ void update(uint32_t bucket, Value value, bool is_active) const {
    const unsigned equal = lanes_of(bucket, is_active);
    const unsigned before = equal & ((1u << lane()) - 1);
    int from = before == 0 ? -1 : 31 - __clz(static_cast<int>(before));
    while (__any_sync(kAllLanes, from >= 0)) {
      const Value other = shuffle_from(value, from);
      const int next = __shfl_sync(kAllLanes, from, from);
      if (from >= 0) {
        value = monoid(other, value);
        from = next;
      }
    }
    if (is_active && equal >> lane() == 1) {
      entries[bucket] = monoid(entries[bucket], value);
    }
    __syncwarp();
  }

  // Combines a warp's table with the `count` buckets of its part, and clears the table.
  __device__ void combine_into(Value* buckets, uint64_t count) const {
    constexpr int kBuckets =
        sizeof(Value) <= 8 ? 4 : 1;  // number of buckets that a lane loads at a time
    const auto last = static_cast<uint32_t>(min(static_cast<uint64_t>(bits.table_size()), count));
    for (uint32_t first = lane(); first < last; first += kBuckets * kWarpLanes) {
      Value old[kBuckets];
#pragma unroll
      for (int i = 0; i < kBuckets; ++i) {
        if (first + i * kWarpLanes < last) {
          old[i] = buckets[first + i * kWarpLanes];
        }
      }
#pragma unroll
      for (int i = 0; i < kBuckets; ++i) {
        const uint32_t at = first + i * kWarpLanes;
        if (at < last) {
          buckets[at] = monoid(old[i], entries[at]);
          entries[at] = monoid.identity();
        }
      }
    }
    __syncwarp();
  }

  // Moves a warp's table to device memory, and clears the table.
  __device__ void move_to(Value* table) const {
    for (uint32_t i = lane(); i < bits.table_size(); i += kWarpLanes) {
      table[i] = entries[i];
      entries[i] = monoid.identity();
    }
    __syncwarp();
  }
};

}  // namespace presort::gpu
