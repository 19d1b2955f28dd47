// A scan per bucket of the inputs of one warp, in their order: its table (gpu/block/part_table.cuh)
// holds ⊙ of each bucket's inputs so far.
// Requires: ⊙ associates; it need not commute, and values are of any trivially copyable type
#pragma once

#include <cstdint>

#include "presort/core/scan.h"
#include "presort/gpu/block/part_table.cuh"

namespace presort::inline v0::gpu {

template <class Value, class M>
struct ScanTable : PartTable<Value, M> {
  // Adds one input of each active lane to the table, in the order of the lanes, and returns ⊙ of
  // the inputs of its bucket before it, or with it. All lanes call it.
  template <Scan kScan>
  __device__ Value scan(uint32_t bucket, Value value, bool is_active) const {
    const unsigned equal = this->lanes_of(bucket, is_active);
    const unsigned before = equal & ((1u << this->lane()) - 1);
    const int previous = before == 0 ? -1 : 31 - __clz(static_cast<int>(before));
    Value of_row = value;  // ⊙ of the row's inputs with the lane's bucket, up to the lane
    Value of_previous = value;
    if (__any_sync(kAllLanes, previous >= 0)) {
      // Lanes with one bucket are scanned: each lane combines its sum with that of an earlier lane,
      // which reaches further back with every step.
      int from = previous;
      do {
        const Value other = shuffle_from(of_row, from);
        const int next = __shfl_sync(kAllLanes, from, from);
        if (from >= 0) {
          of_row = this->monoid(other, of_row);
          from = next;
        }
      } while (__any_sync(kAllLanes, from >= 0));
      of_previous = shuffle_from(of_row, previous);
    }
    return finish<kScan>(bucket, of_row, of_previous, previous >= 0, is_active, equal);
  }

  // Scans inputs whose values are all 1 where ⊙ is a sum: counting lanes suffices.
  template <Scan kScan>
  __device__ Value scan_ones(uint32_t bucket, bool is_active) const {
    const unsigned equal = this->lanes_of(bucket, is_active);
    const int before = __popc(equal & ((1u << this->lane()) - 1));
    return finish<kScan>(bucket, static_cast<Value>(before + 1), static_cast<Value>(before),
                         before > 0, is_active, equal);
  }

 private:
  template <Scan kScan>
  __device__ Value finish(uint32_t bucket, const Value& of_row, const Value& of_previous,
                          bool has_previous, bool is_active, unsigned equal) const {
    Value result = this->monoid.identity();
    Value sum = result;
    if (is_active) {
      const Value start = this->entries[bucket];
      sum = this->monoid(start, of_row);
      if constexpr (kScan == Scan::inclusive) {
        result = sum;
      } else {
        result = has_previous ? this->monoid(start, of_previous) : start;
      }
    }
    __syncwarp();
    // Only the last of the lanes with one bucket stores the bucket's sum
    if (is_active && equal >> this->lane() == 1) {
      this->entries[bucket] = sum;
    }
    __syncwarp();
    return result;
  }
};

}  // namespace presort::gpu
