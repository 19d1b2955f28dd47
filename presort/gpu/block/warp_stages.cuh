// Values on their way from memory to the lanes of a warp, without registers: runs of consecutive
// values are copied to shared memory, two ahead of the one that is worked on. Memory is read a row
// of 16 bytes for each lane at a time; a lane then has consecutive values, of kUnits units of 16
// bytes. Units are swapped so that neither way meets a bank twice.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "presort/gpu/block/packs.cuh"
#include "presort/gpu/warp/scan.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kStages = 3;

// Number of a stage's values that one lane works on: as many as registers hold without spilling.
template <class Value>
inline constexpr int kLaneValues = sizeof(Value) == 1   ? 16
                                   : sizeof(Value) == 2 ? 16
                                   : sizeof(Value) > 16 ? 1
                                                        : 4 * kPackOf<Value>;

// Closes a batch: all copies that this thread has begun since the last call.
__device__ inline void commit_copies() {
  __pipeline_commit();
}
// Waits for all batches but the last. What other lanes copied is there after __syncwarp().
__device__ inline void wait_for_copies() {
  __pipeline_wait_prior(1);
}
// Waits for all batches. What other lanes copied is there after __syncwarp().
__device__ inline void wait_for_all_copies() {
  __pipeline_wait_prior(0);
}

// Copies to shared memory, asynchronously where there is such a copy of that size.
template <class T, int kCount>
__device__ void copy_pack(T* to, const T* from) {
  constexpr size_t kBytes = sizeof(T) * kCount;
  if constexpr (kBytes == 4 || kBytes == 8 || kBytes == 16) {
    __pipeline_memcpy_async(to, from, kBytes);
  } else {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      to[i] = from[i];
    }
  }
}

// kStageCount: number of runs of values that shared memory holds.
template <class ValueType, int kOfLaneValues = kLaneValues<ValueType>, int kStageCount = kStages>
class WarpStages {
 public:
  using Value = ValueType;
  static_assert(sizeof(Value) <= 64);
  static constexpr int kOfLane = kOfLaneValues;
  static constexpr int kPack = kPackOf<Value> < kOfLane ? kPackOf<Value> : kOfLane;
  static constexpr int kUnits = kOfLane / kPack;
  static constexpr uint32_t kValues =
      kOfLane * kWarpLanes;  // number of values in a stage of one warp

  // Begins to copy values [at, at + kValues), those below n, to a stage; by registers, which the
  // lane waits for, where there is a single stage, unless kIsAsync.
  // Requires: at is a multiple of kPack; all lanes call it
  template <bool kIsAsync = false>
  __device__ void copy(uint32_t stage, const Value* values, uint64_t at, uint64_t n,
                       bool is_aligned) {
    if constexpr (kStageCount == 1 && !kIsAsync) {
      if (is_aligned && at + kValues <= n) {
        return copy_by_registers(stage, values + at);
      }
    }
#pragma unroll
    for (int r = 0; r < kUnits; ++r) {
      const uint32_t row = place_of_row(r);
      Value* to = values_[stage] + swapped(row);
      if (is_aligned && at + row + kPack <= n) {
        copy_pack<Value, kPack>(to, values + at + row);
      } else {
#pragma unroll
        for (int i = 0; i < kPack; ++i) {
          if (at + row + i < n) {
            to[i] = values[at + row + i];
          }
        }
      }
    }
  }

  // Reads the calling lane's consecutive values from a stage in shared memory.
  __device__ void read(uint32_t stage, Value (&value)[kOfLane]) const {
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
      Value unit[kPack];
      read_pack(values_[stage] + swapped(place_of_lane(u)), unit);
#pragma unroll
      for (int i = 0; i < kPack; ++i) {
        value[u * kPack + i] = unit[i];
      }
    }
  }
  __device__ void write(uint32_t stage, const Value (&value)[kOfLane]) {
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
      Value unit[kPack];
#pragma unroll
      for (int i = 0; i < kPack; ++i) {
        unit[i] = value[u * kPack + i];
      }
      write_pack(values_[stage] + swapped(place_of_lane(u)), unit);
    }
  }
  // Calls change(i, value) for the lane's values in order, and leaves what it makes of them in
  // their place: a unit at a time, so that few registers are needed.
  template <class Change>
  __device__ void change_each(uint32_t stage, const Change& change) {
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
      Value* at = values_[stage] + swapped(place_of_lane(u));
      Value unit[kPack];
      read_pack(at, unit);
#pragma unroll
      for (int i = 0; i < kPack; ++i) {
        change(u * kPack + i, unit[i]);
      }
      write_pack(at, unit);
    }
  }
  // Reference to value i of the calling lane in a stage; i should be a compile-time constant for
  // speed.
  __device__ Value& of_lane(uint32_t stage, int i) {
    return values_[stage][swapped(place_of_lane(i / kPack)) + i % kPack];
  }
  // A stage's shared memory as a plain array, for callers that lay out values themselves.
  __device__ Value* plain(uint32_t stage) {
    return values_[stage];
  }
  // Reference to value number `at` of a stage, whichever lane it belongs to.
  __device__ Value& at(uint32_t stage, uint32_t at) {
    return values_[stage][swapped(at / kPack * kPack) + at % kPack];
  }

  // Copies a stage to values [at, at + kValues) of an array, but only those in [first, last);
  // is_streamed: caches need not keep them.
  // Requires: all lanes call it, after __syncwarp()
  __device__ void copy_out(uint32_t stage, Value* values, uint64_t at, uint64_t first,
                           uint64_t last, bool is_aligned, bool is_streamed) const {
#pragma unroll
    for (int r = 0; r < kUnits; ++r) {
      const uint64_t to = at + place_of_row(r);
      Value unit[kPack];
      read_pack(values_[stage] + swapped(place_of_row(r)), unit);
      if (is_aligned && to >= first && to + kPack <= last) {
        if (is_streamed) {
          stream_pack(values + to, unit);
        } else {
          write_pack(values + to, unit);
        }
      } else {
#pragma unroll
        for (int i = 0; i < kPack; ++i) {
          if (to + i >= first && to + i < last) {
            values[to + i] = unit[i];
          }
        }
      }
    }
  }

 private:
  // Copies a whole stage, read into registers first: nothing else is on its way that would need
  // them. A segmented scan of 2^28 floats by blocks of one tile took 0.0045 ns a value by copies
  // that bypass registers, and 0.0041 so (one H100, 2026-11-25).
  __device__ void copy_by_registers(uint32_t stage, const Value* values) {
    Value unit[kUnits][kPack];
#pragma unroll
    for (int r = 0; r < kUnits; ++r) {
      read_pack(values + place_of_row(r), unit[r]);
    }
#pragma unroll
    for (int r = 0; r < kUnits; ++r) {
      write_pack(values_[stage] + swapped(place_of_row(r)), unit[r]);
    }
  }
  static __device__ uint32_t place_of_row(int row) {
    return (row * kWarpLanes + threadIdx.x % kWarpLanes) * kPack;
  }
  static __device__ uint32_t place_of_lane(int unit) {
    return threadIdx.x % kWarpLanes * kOfLane + unit * kPack;
  }
  // The index in the stage of the 16-byte unit that begins with value `at`.
  static __device__ uint32_t swapped(uint32_t at) {
    const uint32_t unit = at / kPack;
    return (unit ^ (unit / 8 & (kUnits - 1))) * kPack;
  }
  alignas(16) Value values_[kStageCount][kValues];
};

}  // namespace presort::gpu
