// The last pairs of the buckets of a part, found by a block that reads them in their order, some
// rows at a time.
#pragma once

#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Rows of (label, value) pairs held in registers: each thread of the block has one pair of each
// row.
template <int kRows, class PairType>
struct PairRows {
  PairType pair[kRows];
  uint64_t first;
  uint64_t last;

  static __device__ uint64_t size() { return static_cast<uint64_t>(kRows) * blockDim.x; }
  __device__ uint64_t place(int row) const { return first + row * blockDim.x + threadIdx.x; }

  // Reads pairs [from, end) into the rows, or as many of them as fit.
  __device__ void read(const PairType* pairs, uint64_t from, uint64_t end) {
    first = from;
    last = min(from + size(), end);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      if (place(i) < last) {
        pair[i] = pairs[place(i)];
      }
    }
  }
};

// The last pair of each bucket of a part, in shared memory.
template <class PairType, class Index>
struct LastPairs {
  using Label = decltype(PairType::label);
  using Word = decltype(PairType::value);
  Index* places;  // places[buckets]: place of the last pair + 1, or 0 for none
  Word* values;   // values[buckets]: value of the last pair; arbitrary where places is 0

  // Marks the last pairs of rows that are in the order of their places. Where all lanes of a warp
  // have one label, only the last lane counts.
  template <int kRows>
  __device__ void mark(const PairRows<kRows, PairType>& rows, Label first_label) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const bool is_pair = rows.place(i) < rows.last;
      const uint32_t k = is_pair ? bucket(rows.pair[i], first_label) : UINT32_MAX;
      const bool is_uniform = __all_sync(kAllLanes, k == __shfl_sync(kAllLanes, k, kLastLane));
      if (is_pair && (!is_uniform || threadIdx.x % kWarpLanes == kLastLane)) {
        atomicMax(places + k, static_cast<Index>(rows.place(i) + 1));
      }
    }
  }

  // Stores in the table the values of those pairs of the rows that are their buckets' last.
  // Requires: all rows are marked
  template <int kRows>
  __device__ void keep(const PairRows<kRows, PairType>& rows, Label first_label) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      if (rows.place(i) < rows.last) {
        const uint32_t k = bucket(rows.pair[i], first_label);
        if (places[k] == static_cast<Index>(rows.place(i) + 1)) {
          values[k] = rows.pair[i].value;
        }
      }
    }
  }

  __device__ void clear(uint32_t count) {
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      places[i] = 0;
    }
  }

 private:
  static constexpr int kLastLane = kWarpLanes - 1;
  __device__ static uint32_t bucket(const PairType& pair, Label first_label) {
    return static_cast<uint32_t>(pair.label - first_label);
  }
};

}  // namespace presort::gpu
