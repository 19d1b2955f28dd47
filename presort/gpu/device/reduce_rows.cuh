// Reduces rows that are in the order of their labels, chunk by chunk (core/row_chunks.h): inputs of
// one level, or the list that the level before left.
//   Lanes of a warp, as many as a row has 16 bytes, share a row: a warp reduces as many chunks at
//   the same time as rows fit it. A row of more than 512 bytes is cut into slices, each a warp's.
//   First the places of the chunks' inputs are copied to shared memory, with a mark where a run of
//   equal labels ends. Then each group of lanes goes through its chunk, with kInFlight rows on
//   their way. Rows of a list, whose level takes as long as a warp, are copied to shared memory.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <type_traits>

#include "presort/core/row_chunks.h"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/detail/row_values.cuh"
#include "presort/gpu/device/row_arguments.cuh"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// The work of one warp in a reduction of rows. kUnit: number of elements of a row that one
// instruction reads.
template <int kUnit, bool kIsList, bool kHasWeights, class In, class Bucket, class M>
class RowReduction {
 public:
  using Arguments = RowArguments<In, Bucket>;
  using Sum = RowSum<In>;

  // shared: the warp's words of StagedRows; kept: its room for rows (keeps_rows)
  __device__ RowReduction(const Arguments& arguments, const M& monoid, uint32_t* shared,
                          unsigned char* kept)
      : to_(arguments),
        monoid_(monoid),
        staged_(StagedRows::cut(shared, arguments.staged())),
        kept_(reinterpret_cast<Raw*>(kept)) {}

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
  // Number of rows that are loaded at a time. With 8 of float and 6 of bfloat16, 7.77 M rows of 128
  // columns took 1.735 and 1.092 ms instead of 1.542 and 1.029 (one H200, uniform, 2026-11-27).
  static constexpr int kInFlight = 2;
  using Unit = UnitOfBytes<kUnit* static_cast<int>(sizeof(In))>;
  struct alignas(kRowLaneBytes) Raw {
    Unit units[kUnits];
  };
  static constexpr bool kMayKeep = kIsList && sizeof(In) >= 4;  // as asynchronous copies take
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
        uint32_t filled = 0;
        if constexpr (kIsList) {
          filled = __ballot_sync(kAllLanes, place[i].position != kNoRow);
          filled_tiles_ |= uint64_t{filled != 0} << (first + i);
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
            if constexpr (kIsList) {
              staged_.filled[first + i] = filled;
            }
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
    if constexpr (kMayKeep) {
      if (to_.keeps_rows) {
        fold_kept(left.at, last);
        return end_chunk(begin, end, right.cuts_run, writes_slots);
      }
    }
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
    end_chunk(begin, end, right.cuts_run, writes_slots);
  }

  // Leaves the open run of a chunk, and writes its slots.
  __device__ void end_chunk(uint32_t begin, uint32_t end, bool cuts_run, bool writes_slots) {
    if (cuts_run) {
      leave_in(is_carried_ ? 0 : 1);
    }
    if (to_.slots != nullptr && writes_slots) {
      write_slot(0, to_.places[first_input_ + begin].label);
      write_slot(1, to_.places[first_input_ + end - 1].label);
    }
  }

  // Folds slots [first, last) of a list by way of shared memory; passes over empty ones in a run.
  __device__ void fold_kept(uint32_t first, uint32_t last) {
    keep(first, last);
    for (uint32_t tile = first / kWarpLanes; tile * kWarpLanes < last; ++tile) {
      const uint32_t begin = tile * kWarpLanes;
      uint32_t left = staged_.lasts[tile] | staged_.filled[tile];
      left &= begin < first ? ~0u << (first - begin) : ~0u;
      left &= last - begin < kWarpLanes ? ~(~0u << (last - begin)) : ~0u;
      for (; left != 0; left &= left - 1) {
        const uint32_t at = begin + __ffs(static_cast<int>(left)) - 1;
        fold(*kept(at), at);
        const uint32_t label = staged_.ends[padded(at)];
        if (label != kNoLabel) {
          close_run(label);
        }
      }
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
    const In* row = row_of(position);
#pragma unroll
    for (int k = 0; k < kUnits; ++k) {
      if (has_unit(k)) {
        raw.units[k] = __ldcs(reinterpret_cast<const Unit*>(row + k * column_step_));
      }
    }
  }

  // The lane's part of the row at a position.
  __device__ const In* row_of(uint32_t position) const {
    return to_.rows + (static_cast<uint64_t>(position) * to_.columns + column_);
  }

  // Room for the lane's part of the row of an input, which no other lane reads.
  __device__ Raw* kept(uint32_t at) const {
    const uint32_t lanes = 1u << to_.lane_bits;
    return kept_ + (padded(at) * lanes + threadIdx.x % lanes);
  }

  // Copies the lane's part of the rows of slots [first, last) to shared memory.
  __device__ void keep(uint32_t first, uint32_t last) const {
#pragma unroll 4
    for (uint32_t at = first; at < last; ++at) {
      const uint32_t position = staged_.positions[padded(at)];
      if (position != kNoRow) {
        const In* row = row_of(position);
        Raw* to = kept(at);
#pragma unroll
        for (int k = 0; k < kUnits; ++k) {
          if (has_unit(k)) {
            __pipeline_memcpy_async(to->units + k, row + k * column_step_, sizeof(Unit));
          }
        }
      }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
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
  Raw* kept_;
  uint64_t first_input_ = 0;  // first input of the warp's chunks
  uint64_t filled_tiles_ =
      0;  // in a list: bit t is set if one of inputs 32 t … 32 t + 31 has a row
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

}  // namespace presort::gpu
