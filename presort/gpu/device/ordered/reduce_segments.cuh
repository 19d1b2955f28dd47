// Reduces segments whose ends are numbered, in one pass. A warp takes a chunk of values and ends,
// and goes through it tile by tile, carrying along ⊙ of the open segment so far: in a tile without
// an end lanes fold their values; in one that has ends, a lane goes through its values one by one
// and replaces the last value of each segment by the segment's result, which a lane for each end
// then fetches. So a chunk takes as long whatever the lengths of its segments, and no size is asked
// for. The segment that began before the chunk is completed last, by a look-back, when the chunks
// before are done as well.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/gpu/block/warp_stages.cuh"
#include "presort/gpu/detail/segments.cuh"
#include "presort/gpu/device/ordered/look_back.cuh"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

inline constexpr int kReduceWarps = 4;   // number of warps of a reducing block
inline constexpr int kReduceBlocks = 8;  // number of reducing blocks on a multiprocessor

template <class Value, class Segments>
struct ReduceArguments {
  const Value* values;
  Value* results;  // results[s]: result of segment s, whose end is number s + 1
  Segments segments;
  uint32_t chunk;   // number of values and segment ends in a chunk, together
  bool is_aligned;  // true: the values are aligned to units of 16 bytes
  bool are_cut;     // true: a segment may go on in the next chunk
};

// The length of a chunk in values and ends. The length depends on the number of values and ends
// alone, so that sums which round are the same on every device: small enough for four chunks to
// each warp of a large device, and at least a tile.
template <class Value>
uint32_t chunk_length(uint64_t values_and_ends) {
  constexpr uint64_t kChunks = 8192;
  constexpr uint64_t kMost = 16384;
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(std::bit_floor(values_and_ends / kChunks), WarpStages<Value>::kValues,
                           std::max<uint64_t>(kMost, WarpStages<Value>::kValues)));
}

template <class Value>
struct ReduceShared {
  WarpStages<Value> stages[kReduceWarps];
  uint32_t lasts[kReduceWarps][kWarpLanes];  // bit i: value i of a lane is last in its segment
};

template <class Value, class Segments, class M>
class SegmentReduction {
 public:
  using Shared = ReduceShared<Value>;

  __device__ SegmentReduction(const ReduceArguments<Value, Segments>& arguments,
                              const LookBack<Value>& look_back, const M& monoid, Shared& shared)
      : to_(arguments),
        look_back_(look_back),
        monoid_(monoid),
        stages_(shared.stages[threadIdx.x / kWarpLanes]),
        lasts_(shared.lasts[threadIdx.x / kWarpLanes]),
        lane_(threadIdx.x % kWarpLanes) {}

  // Reduces one chunk for each warp. Requires: first is the first of consecutive chunks, one for
  // each warp of the block
  __device__ void run(uint32_t first) {
    uint32_t chunk = first + threadIdx.x / kWarpLanes;
    while (chunk < look_back_.tiles()) {
      reduce_chunk(chunk);
      if (to_.are_cut) {
        chunk = lane_ == 0 ? look_back_.next_tile() : 0;
        chunk = __shfl_sync(kAllLanes, chunk, 0);
      } else {
        chunk += gridDim.x * kReduceWarps;
      }
    }
  }

 private:
  using Stages = WarpStages<Value>;

  __device__ void reduce_chunk(uint32_t chunk) {
    range_ = to_.segments.range(chunk, to_.chunk);
    base_ = range_.first - range_.first % Stages::kPack;
    last_ = static_cast<uint32_t>(range_.last - base_);
    is_carried_ =
        range_.first_end < range_.last_end && range_.first_end > 0 && !range_.begins_segment;
    carry_ = monoid_.identity();
    next_end_ = range_.first_end;
    window_ = next_end_;
    ends_ = end_of(window_ + lane_);
    ends_ahead_ = end_of(window_ + kWarpLanes + lane_);
    __syncwarp();  // all lanes have finished reading the warp's stages
#pragma unroll
    for (uint32_t s = 0; s < kStages - 1; ++s) {
      copy(s);
    }
    for (uint32_t tile = 0; tile == 0 || tile * Stages::kValues < last_; ++tile) {
      wait_for_copies();
      __syncwarp();
      copy(tile + kStages - 1);
      reduce_tile(tile);
    }
    if (to_.are_cut) {
      look_back(chunk);
    }
  }

  // Completes the segment that began before the warp's chunk, by a look-back.
  __device__ void look_back(uint32_t chunk) {
    const bool is_prefix = range_.first_end < range_.last_end || range_.begins_segment;
    const Descriptor<Value> own{is_prefix ? TileState::prefix : TileState::aggregate, carry_};
    const Value before = look_back_.pass(chunk, own, is_carried_, monoid_);
    if (is_carried_ && lane_ == 0) {
      to_.results[range_.first_end - 1] = monoid_(before, carried_);
    }
  }

  // The place of a segment end, in values from the chunk's base; beyond all values if the end is
  // not in the chunk.
  __device__ uint32_t end_of(uint64_t k) const {
    return k < range_.last_end ? static_cast<uint32_t>(to_.segments.end(k) - base_) : ~0u;
  }

  __device__ void copy(uint32_t tile) {
    if (tile * Stages::kValues < last_) {
      stages_.copy(tile % kStages, to_.values, base_ + tile * Stages::kValues, range_.last,
                   to_.is_aligned);
    }
    commit_copies();
  }

  __device__ void reduce_tile(uint32_t tile) {
    const uint32_t stage = tile % kStages;
    const uint32_t first = tile * Stages::kValues;
    const uint32_t last = min(last_, first + Stages::kValues);
    Value value[Stages::kOfLane];
    stages_.read(stage, value);
    if (last - first < Stages::kValues || (tile == 0 && range_.first != base_)) {
      leave_out(value, first, last);
    }
    const uint64_t past_ends = mark_lasts(first, last);
    if (past_ends == next_end_) {
      carry_ = monoid_(carry_, fold_lanes(fold(value), monoid_));
      return;
    }
    __syncwarp();
    leave_at_lasts(value, stage, lasts_[lane_]);
    __syncwarp();
    fetch_results(stage, first, past_ends);
    next_end_ = past_ends;
  }

  // Replaces values outside the chunk by the identity.
  __device__ void leave_out(Value (&value)[Stages::kOfLane], uint32_t first, uint32_t last) const {
    const auto chunk_first = static_cast<uint32_t>(range_.first - base_);
#pragma unroll
    for (int i = 0; i < Stages::kOfLane; ++i) {
      const uint32_t at = first + lane_ * Stages::kOfLane + i;
      if (at < chunk_first || at >= last) {
        value[i] = monoid_.identity();
      }
    }
  }

  __device__ Value fold(const Value (&value)[Stages::kOfLane]) const {
    Value sum = value[0];
#pragma unroll
    for (int i = 1; i < Stages::kOfLane; ++i) {
      sum = monoid_(sum, value[i]);
    }
    return sum;
  }

  // Marks the last values of the segments that end behind values [first, last). Returns the number
  // of the first end behind these values.
  __device__ uint64_t mark_lasts(uint32_t first, uint32_t last) {
    uint64_t next = next_end_;
    lasts_[lane_] = 0;
    __syncwarp();
    while (true) {
      const bool is_here = window_ + lane_ >= next && ends_ <= last;
      const auto here = static_cast<uint32_t>(__popc(__ballot_sync(kAllLanes, is_here)));
      if (is_here && ends_ > first) {
        const uint32_t at = ends_ - 1 - first;
        atomicOr(lasts_ + at / Stages::kOfLane, 1u << at % Stages::kOfLane);
      }
      next += here;
      if (next < window_ + kWarpLanes) {
        return next;
      }
      window_ += kWarpLanes;
      ends_ = ends_ahead_;
      ends_ahead_ = end_of(window_ + kWarpLanes + lane_);
    }
  }

  // Replaces the last value of each segment in a tile by ⊙ of the segment's values.
  __device__ void leave_at_lasts(const Value (&value)[Stages::kOfLane], uint32_t stage,
                                 uint32_t lasts) {
    Value sum = value[0];
#pragma unroll
    for (int i = 0; i < Stages::kOfLane; ++i) {
      if (i > 0) {
        sum = (lasts >> (i - 1) & 1u) != 0 ? value[i] : monoid_(sum, value[i]);
      }
      if ((lasts >> i & 1u) != 0) {
        stages_.of_lane(stage, i) = sum;
      }
    }
    if ((lasts >> (Stages::kOfLane - 1) & 1u) != 0) {
      sum = monoid_.identity();
    }
    const unsigned lanes = __ballot_sync(kAllLanes, lasts != 0);
    const Value scanned = scan_lanes(sum, lanes, monoid_);
    const Value left = shuffle_from(scanned, static_cast<int>(lane_) - 1);
    if (lasts != 0) {
      const bool is_open = (lanes & lanes_before()) == 0;
      const Value before = lane_ == 0 ? carry_ : is_open ? monoid_(carry_, left) : left;
      Value& first = stages_.of_lane(stage, __ffs(static_cast<int>(lasts)) - 1);
      first = monoid_(before, first);
    }
    const Value all = shuffle_from(scanned, kWarpLanes - 1);
    carry_ = lanes != 0 ? all : monoid_(carry_, all);
  }

  // Writes the results of segments, by a lane for each end.
  __device__ void fetch_results(uint32_t stage, uint32_t first, uint64_t past_ends) {
    for (uint64_t k = next_end_ + lane_; k < past_ends; k += kWarpLanes) {
      const uint32_t end = end_of(k);
      bool is_empty = end <= static_cast<uint32_t>(range_.first - base_);
      if constexpr (Segments::kHasEmpty) {
        is_empty = is_empty || (k > 0 && to_.segments.end(k - 1) == base_ + end);
      }
      const Value value = is_empty ? monoid_.identity() : stages_.at(stage, end - 1 - first);
      if (is_carried_ && k == range_.first_end) {
        carried_ = value;
      } else if (k > 0) {
        to_.results[k - 1] = value;
      }
    }
  }

  const ReduceArguments<Value, Segments>& to_;
  const LookBack<Value>& look_back_;
  const M& monoid_;
  Stages& stages_;
  uint32_t (&lasts_)[kWarpLanes];
  uint32_t lane_;
  // State of the chunk that the warp works on:
  PieceRange range_;
  uint64_t base_;    // index of the chunk's first value, rounded down to a 16-byte unit
  uint32_t last_;    // end of the chunk's values, as an index from the base
  bool is_carried_;  // true: the chunk's first end belongs to a segment that began before it
  Value carry_;      // ⊙ of the chunk's values in the open segment
  Value carried_;    // ⊙ of the chunk's values in the carried segment; only in lane 0
  uint64_t next_end_;
  uint64_t window_;  // number of the segment end whose place the first lane holds
  uint32_t ends_;    // place of a segment end for each lane, in values from the base
  uint32_t ends_ahead_;
};

template <class Value, class Segments, class M>
__global__ void __launch_bounds__(kReduceWarps* kWarpLanes, kReduceBlocks)
    reduce_segments_kernel(const __grid_constant__ ReduceArguments<Value, Segments> arguments,
                           const __grid_constant__ LookBack<Value> look_back,
                           const __grid_constant__ M monoid) {
  using Reduction = SegmentReduction<Value, Segments, M>;
  __shared__ alignas(16) unsigned char memory[sizeof(typename Reduction::Shared)];
  __shared__ uint32_t first;
  if (threadIdx.x == 0) {
    first = arguments.are_cut ? look_back.next_tile(kReduceWarps) : blockIdx.x * kReduceWarps;
  }
  __syncthreads();
  Reduction(arguments, look_back, monoid, *reinterpret_cast<typename Reduction::Shared*>(memory))
      .run(first);
}

// Length of the chunks that segments are cut into, counted in values and ends.
template <class Value, class Segments>
uint32_t chunk_of(const Segments& segments) {
  return segments.piece_length(chunk_length<Value>(segments.path()));
}

// Bytes of scratch of a segmented reduction: a look-back over its chunks.
template <class Value, class Segments>
size_t reduce_segments_scratch_bytes(const Segments& segments) {
  Carver carver;
  LookBack<Value>::take(carver, segments.pieces(chunk_of<Value>(segments)));
  return carver.used_bytes();
}

// Launches the kernel that reduces segments. Requires: at least one end;
// reduce_segments_scratch_bytes() of scratch
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Value, class Segments, class M>
void reduce_segments(cudaStream_t stream, const Value* values, Value* results,
                     const Segments& segments, const M& monoid, std::span<std::byte> scratch) {
  const uint32_t chunk = chunk_of<Value>(segments);
  const uint64_t chunks = segments.pieces(chunk);
  const ReduceArguments<Value, Segments> arguments{values,
                                                   results,
                                                   segments,
                                                   chunk,
                                                   are_packs_aligned<kPackOf<Value>>(values),
                                                   chunks > 1 && segments.are_cut(chunk)};
  Carver carver(scratch.data());
  const auto look_back = LookBack<Value>::take(carver, chunks);
  if (arguments.are_cut) {
    look_back.clear(stream);
  }
  const uint64_t most =
      uint64_t{kReduceBlocks} * static_cast<uint64_t>(current_device_limits().multiprocessors);
  const uint64_t blocks = (chunks + kReduceWarps - 1) / kReduceWarps;
  reduce_segments_kernel<<<static_cast<unsigned>(std::min(blocks, most)), kReduceWarps * kWarpLanes,
                           0, stream>>>(arguments, look_back, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
