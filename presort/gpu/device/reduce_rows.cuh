// Reduces rows that are in the order of their labels, chunk by chunk (core/row_chunks.h): inputs of
// one level, or the list that the level before left.
//   Lanes of a warp, as many as a row has 16 bytes, share a row: a warp reduces as many chunks at
//   the same time as rows fit it. A row of more than 512 bytes is cut into slices, each a warp's.
//   First the places of the chunks' inputs are copied to shared memory, with a mark where a run of
//   equal labels ends. Then each group of lanes goes through its chunk, with kInFlight rows on
//   their way.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "presort/core/row_chunks.h"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/detail/row_values.cuh"
#include "presort/gpu/device/row_arguments.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// The work of one warp in a reduction of rows. kUnit: number of elements of a row that one
// instruction reads.
template <int kUnit, bool kIsList, bool kHasWeights, class In, class Bucket, class M>
class RowReduction {
 public:
  using Arguments = RowArguments<In, Bucket>;
  using Sum = RowSum<In>;

  __device__ RowReduction(const Arguments& arguments, const M& monoid, uint32_t* shared)
      : to_(arguments), monoid_(monoid), staged_(StagedRows::cut(shared, arguments.staged())) {}

  __device__ void run(uint64_t task) {
    const auto slice = static_cast<uint32_t>(task % to_.slices);
    const uint64_t first_chunk = task / to_.slices * to_.groups();
    first_input_ = first_chunk * to_.chunks.inputs;
    if (first_input_ >= to_.n) {
      return;
    }
    const uint32_t lane = threadIdx.x % kWarpLanes;
    stage(lane);
    const uint32_t group = lane >> to_.lane_bits;
    const uint32_t lane_of_row = lane & ((1u << to_.lane_bits) - 1);
    const uint64_t rest = to_.n - first_input_;
    const uint32_t begin = group * to_.chunks.inputs;
    if (begin >= rest || !place_lane(slice, lane_of_row)) {
      return;
    }
    const auto end =
        static_cast<uint32_t>(min(static_cast<uint64_t>(begin) + to_.chunks.inputs, rest));
    const bool writes_slots = slice == 0 && lane_of_row == 0;
    reduce_chunk(first_chunk + group, begin, end, end < rest, writes_slots);
  }

 private:
  static constexpr int kOfLane = static_cast<int>(kRowLaneBytes / sizeof(In));
  static constexpr int kUnits =
      kOfLane / kUnit;  // number of instructions that read a lane's part of a row
  // Number of rows that are loaded at a time. With as many as 64 registers leave room for, 8 of
  // float and 6 of bfloat16, 7.77 M rows of 128 columns took 1.735 and 1.092 ms instead of 1.542 and
  // 1.029 (one H200, uniform labels, 2026-11-27): other warps hide the
  // wait for a row.
  static constexpr int kInFlight = 2;
  using Unit = UnitOfBytes<kUnit* static_cast<int>(sizeof(In))>;
  struct Raw {
    Unit units[kUnits];
  };
  // A border between two chunks of inputs.
  struct Border {
    uint32_t at;
    bool cuts_run;
  };

  __device__ static uint32_t padded(uint32_t at) { return StagedRows::padded(at); }

  // Copies the places (labels and positions) of the warp's inputs to shared memory.
  __device__ void stage(uint32_t lane) {
    constexpr uint32_t kTiles =
        4;  // number of 32-input tiles whose places are read before the first is used
    const uint32_t tiles = to_.staged() / kWarpLanes;
    begins_run_ =
        first_input_ == 0 || to_.places[first_input_ - 1].label != to_.places[first_input_].label;
    for (uint32_t first = 0; first < tiles; first += kTiles) {
      RowPlace place[kTiles];
      uint32_t next[kTiles];
#pragma unroll
      for (uint32_t i = 0; i < kTiles; ++i) {
        const uint64_t at = first_input_ + (first + i) * kWarpLanes + lane;
        place[i] = {kNoLabel, kNoRow};
        next[i] = kNoLabel;
        if (first + i < tiles && at < to_.n) {
          place[i] = to_.places[at];
          next[i] = at + 1 < to_.n ? to_.places[at + 1].label : kNoLabel;
        }
      }
      float weight[kTiles];
      if constexpr (kHasWeights) {
#pragma unroll
        for (uint32_t i = 0; i < kTiles; ++i) {
          weight[i] = place[i].position != kNoRow ? to_.weights[place[i].position] : 0;
        }
      }
#pragma unroll
      for (uint32_t i = 0; i < kTiles; ++i) {
        const bool is_last = place[i].label != next[i];
        const uint32_t lasts = __ballot_sync(kAllLanes, is_last);
        if constexpr (kIsList) {
          const bool has_rows = __any_sync(kAllLanes, place[i].position != kNoRow) != 0;
          filled_tiles_ |= uint64_t{has_rows} << (first + i);
        }
        if (first + i < tiles) {
          const uint32_t at = padded((first + i) * kWarpLanes + lane);
          staged_.positions[at] = place[i].position;
          staged_.ends[at] = is_last ? place[i].label : kNoLabel;
          if constexpr (kHasWeights) {
            staged_.weights[at] = weight[i];
          }
          if (lane == 0) {
            staged_.lasts[first + i] = lasts;
          }
        }
      }
    }
    __syncwarp();
  }

  // Finds the columns of a row that the lane works on. False: no column is left for the lane.
  __device__ bool place_lane(uint32_t slice, uint32_t lane_of_row) {
    const uint32_t lanes = 1u << to_.lane_bits;
    const uint32_t unit = slice * lanes * kUnits + lane_of_row;
    const uint32_t units = to_.columns / kUnit;
    if (unit >= units) {
      return false;
    }
    column_ = unit * kUnit;
    column_step_ = lanes * kUnit;
    own_units_ = min(static_cast<uint32_t>(kUnits), (units - unit + lanes - 1) / lanes);
    return true;
  }

  __device__ bool has_unit(int k) const {
    return k == 0 || static_cast<uint32_t>(k) < own_units_;
  }

  // True if inputs [first, last) may have rows. Most chunks of a list have none where runs are
  // short: 64 empty slots that a chunk went through took 10 of a level's 15 µs (one H200,
  // 2026-11-27).
  __device__ bool may_have_rows(uint32_t first, uint32_t last) const {
    if (!kIsList || first >= last) {
      return true;
    }
    const uint32_t tiles = (last - 1) / kWarpLanes - first / kWarpLanes + 1;
    return (filled_tiles_ >> (first / kWarpLanes) & ~uint64_t{0} >> (64 - tiles)) != 0;
  }

  // The border of two chunks of inputs near input `at`, which is a multiple of 32.
  __device__ Border border(uint32_t at) const {
    const bool begins_run = at == 0 ? begins_run_ : staged_.lasts[at / 32 - 1] >> 31 != 0;
    if (begins_run) {
      return {at, false};
    }
    const uint32_t lasts = staged_.lasts[at / 32] & (~0u >> (32 - to_.chunks.reach));
    return lasts == 0 ? Border{at, true} : Border{at + __ffs(static_cast<int>(lasts)), false};
  }

  __device__ void reduce_chunk(uint64_t chunk, uint32_t begin, uint32_t end, bool is_followed,
                               bool writes_slots) {
    const Border left = border(begin);
    const Border right = is_followed ? border(end) : Border{end, false};
    is_carried_ = left.cuts_run;
    left_slot_ = 2 * chunk;
    clear();
    const uint32_t last = may_have_rows(left.at, right.at) ? right.at : left.at;
    Raw raw[kInFlight] = {};
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) {
      if (left.at + i < last) {
        load(raw[i], left.at + i);
      }
    }
    for (uint32_t first = left.at; first < last; first += kInFlight) {
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        const uint32_t at = first + i;
        if (at < last) {
          fold(raw[i], at);
          if (at + kInFlight < last) {
            load(raw[i], at + kInFlight);
          }
          const uint32_t label = staged_.ends[padded(at)];
          if (label != kNoLabel) {
            close_run(label);
          }
        }
      }
    }
    if (right.cuts_run) {
      leave_in(is_carried_ ? 0 : 1);
    }
    if (to_.slots != nullptr && writes_slots) {
      write_slot(0, to_.places[first_input_ + begin].label);
      write_slot(1, to_.places[first_input_ + end - 1].label);
    }
  }

  __device__ void write_slot(int which, uint32_t label) const {
    const auto slot = static_cast<uint32_t>(left_slot_ + which);
    to_.slots[slot] = {label, (filled_ >> which & 1u) != 0 ? slot : kNoRow};
  }

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      sum_[i] = monoid_.identity();
    }
    is_empty_ = true;
  }

  __device__ void load(Raw& raw, uint32_t at) const {
    const uint32_t position = staged_.positions[padded(at)];
    if (kIsList && position == kNoRow) {
      return;
    }
    const In* row = to_.rows + (static_cast<uint64_t>(position) * to_.columns + column_);
#pragma unroll
    for (int k = 0; k < kUnits; ++k) {
      if (has_unit(k)) {
        raw.units[k] = __ldcs(reinterpret_cast<const Unit*>(row + k * column_step_));
      }
    }
  }

  __device__ void fold(const Raw& raw, uint32_t at) {
    if constexpr (kIsList) {
      if (staged_.positions[padded(at)] == kNoRow) {
        return;
      }
      is_empty_ = false;
    }
#pragma unroll
    for (int k = 0; k < kUnits; ++k) {
      In items[kUnit];
      memcpy(items, &raw.units[k], sizeof items);
#pragma unroll
      for (int e = 0; e < kUnit; ++e) {
        Sum value = to_sum(items[e]);
        if constexpr (kHasWeights) {
          value = weighted(value, staged_.weights[padded(at)]);
        }
        Sum& sum = sum_[k * kUnit + e];
        sum = monoid_(sum, value);
      }
    }
  }

  // Ends a run of equal labels: its sum goes to the list of open runs if the run began before the
  // chunk, otherwise to its bucket.
  __device__ void close_run(uint32_t label) {
    if (is_carried_) {
      leave_in(0);
      is_carried_ = false;
    } else if (!kIsList || !is_empty_) {
      update_bucket(label);
    }
    clear();
  }

  __device__ void leave_in(int which) {
    if (kIsList && is_empty_) {
      return;
    }
    filled_ |= 1u << which;
    Sum* row = to_.slot_rows + ((left_slot_ + which) * to_.columns + column_);
#pragma unroll
    for (int k = 0; k < kUnits; ++k) {
      if (has_unit(k)) {
        Pack<Sum, kUnit> pack;
#pragma unroll
        for (int e = 0; e < kUnit; ++e) {
          pack.items[e] = sum_[k * kUnit + e];
        }
        *reinterpret_cast<Pack<Sum, kUnit>*>(row + k * column_step_) = pack;
      }
    }
  }

  __device__ void update_bucket(uint32_t label) {
    using Buckets = Pack<Bucket, kUnit>;
    Bucket* row = to_.buckets + (static_cast<uint64_t>(label) * to_.columns + column_);
    Buckets pack[kUnits];
#pragma unroll
    for (int k = 0; k < kUnits; ++k) {
      if (has_unit(k)) {
        pack[k] = *reinterpret_cast<const Buckets*>(row + k * column_step_);
      }
    }
#pragma unroll
    for (int k = 0; k < kUnits; ++k) {
      if (has_unit(k)) {
#pragma unroll
        for (int e = 0; e < kUnit; ++e) {
          Bucket& item = pack[k].items[e];
          item = from_sum<Bucket>(monoid_(to_sum(item), sum_[k * kUnit + e]));
        }
        *reinterpret_cast<Buckets*>(row + k * column_step_) = pack[k];
      }
    }
  }

  const Arguments& to_;
  const M& monoid_;
  StagedRows staged_;
  uint64_t first_input_ = 0;  // first input of the warp's chunks
  uint64_t filled_tiles_ =
      0;  // in a list: bit t is set if some of inputs 32 t … 32 t + 31 has a row
  bool begins_run_ = false;   // true: a run begins with the warp's first input
  uint32_t column_ = 0;       // first column of a row that the lane works on
  uint32_t column_step_ = 0;  // columns between two consecutive units of the lane
  uint32_t own_units_ = 0;    // number of units of the row that the lane works on
  // State of the chunk that the warp works on:
  uint64_t left_slot_ = 0;
  uint32_t filled_ = 0;      // mask of the chunk's slots in the list of open runs that are filled
  bool is_carried_ = false;  // true: the open run began before the chunk
  bool is_empty_ = true;     // true: no row was added to the open run yet (in a list)
  Sum sum_[kOfLane];         // ⊙ of the rows of the open run
};

template <int kUnit, bool kIsList, bool kHasWeights, class In, class Bucket, class M>
__global__ void __launch_bounds__(kRowWarps* kWarpLanes, kRowBlocks)
    reduce_rows_kernel(const __grid_constant__ RowArguments<In, Bucket> arguments,
                       const __grid_constant__ M monoid) {
  extern __shared__ __align__(16) uint32_t row_words[];
  const uint32_t warp = threadIdx.x / kWarpLanes;
  RowReduction<kUnit, kIsList, kHasWeights, In, Bucket, M>(
      arguments, monoid, row_words + warp * StagedRows::words(arguments.staged(), kHasWeights))
      .run(static_cast<uint64_t>(blockIdx.x) * kRowWarps + warp);
}

// Calls a function with the largest number of elements, of kMost or fewer, that one instruction can
// read or write.
template <int kMost, class In, class Bucket, class Call>
void with_row_unit(const RowArguments<In, Bucket>& arguments, const Call& call) {
  if constexpr (kMost > 1) {
    const auto is_aligned = [](const auto* array) {
      using Element = std::remove_cvref_t<decltype(*array)>;
      return reinterpret_cast<uintptr_t>(array) % alignof(Pack<Element, kMost>) == 0;
    };
    if (arguments.columns % kMost != 0 || !is_aligned(arguments.rows) ||
        !is_aligned(arguments.buckets)) {
      return with_row_unit<kMost / 2>(arguments, call);
    }
  }
  call(std::integral_constant<int, kMost>{});
}

// Launches one level of a reduction of rows. Requires: arguments.n >= 1. Errors: EnvironmentError
// when CUDA refuses
template <bool kIsList, bool kHasWeights, class In, class Bucket, class M>
void reduce_level_of_rows(cudaStream_t stream, RowArguments<In, Bucket> arguments,
                          const M& monoid) {
  const uint64_t row_bytes = uint64_t{arguments.columns} * sizeof(In);
  arguments.slices = static_cast<uint32_t>(row_slices(row_bytes));
  arguments.lane_bits = std::countr_zero(row_lanes(row_bytes));
  const uint64_t warps = (arguments.chunks.count(arguments.n) + arguments.groups() - 1) /
                         arguments.groups() * arguments.slices;
  const size_t shared_bytes =
      kRowWarps * sizeof(uint32_t) * StagedRows::words(arguments.staged(), kHasWeights);
  constexpr int kMostOfUnit = static_cast<int>(kRowLaneBytes / sizeof(In));
  with_row_unit<kMostOfUnit>(arguments, [&]<int kUnit>(std::integral_constant<int, kUnit>) {
    const auto kernel = reduce_rows_kernel<kUnit, kIsList, kHasWeights, In, Bucket, M>;
    allow_shared_bytes(kernel, shared_bytes);
    kernel<<<static_cast<unsigned>((warps + kRowWarps - 1) / kRowWarps), kRowWarps * kWarpLanes,
             shared_bytes, stream>>>(arguments, monoid);
    PRESORT_CUDA(cudaGetLastError());
  });
}

}  // namespace presort::gpu
