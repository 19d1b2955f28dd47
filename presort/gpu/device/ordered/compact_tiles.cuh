// Divides values into those that are kept and those that are not, in one pass and in their order. A
// tile counts what it keeps; a warp gathers what it keeps in shared memory and writes it side by
// side. In place, kept values overwrite values that an earlier tile, or the same one, has read:
// every tile fences its reads before it publishes its count.
#pragma once

#include <cstdint>
#include <span>

#include "presort/core/monoid.h"
#include "presort/gpu/block/tile_block.cuh"
#include "presort/gpu/block/tile_heads.cuh"
#include "presort/gpu/block/tile_pipeline.cuh"
#include "presort/gpu/device/ordered/look_back.cuh"
#include "presort/gpu/device/ordered/scan_tiles.cuh"

namespace presort::inline v0::gpu {

// Keeps values whose flag is not 0.
struct KeepFlagged {
  template <int kOfLane, int kStageCount>
  using Shared = ByteHeads::Shared<kOfLane, kStageCount>;

  ByteHeads flags;

  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                       uint64_t n) const {
    flags.copy<kOfLane>(shared, stage, at, n);
  }
  template <class Value, int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Value (&)[kOfLane], const Shared<kOfLane, kStageCount>& shared,
                           uint32_t stage, uint64_t at, uint64_t n) const {
    return flags.bits<kOfLane>(shared, stage, at, n);
  }
};

// Keeps values that a predicate is true of.
template <class Predicate>
struct KeepIf {
  template <int kOfLane, int kStageCount>
  struct Shared {};

  Predicate is_kept;

  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>&, uint32_t, uint64_t, uint64_t) const {}
  template <class Value, int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Value (&value)[kOfLane], const Shared<kOfLane, kStageCount>&,
                           uint32_t, uint64_t at, uint64_t n) const {
    const uint64_t first = at + threadIdx.x % kWarpLanes * kOfLane;
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      bits |= (first + i < n && is_kept(value[i]) ? 1u : 0u) << i;
    }
    return bits;
  }
};

template <class Value, class Keep>
struct CompactArguments {
  const Value* values;
  Value* kept;      // array for kept values; may be `values` itself if `others` is null
  Value* others;    // array for values that are not kept; null: drop them
  uint64_t* count;  // count[1]: number of kept values
  Keep keep;
  uint64_t n;  // number of input values, at least 1
  bool is_aligned;
};

template <class Value, class Keep, class Shape = PipelineShape>
class CompactWork {
 public:
  using Summary = uint64_t;  // number of kept values before and in a tile
  using Stages = WarpStages<Value, kLaneValues<Value>, Shape::kStageCount>;
  static constexpr int kOfLane = Stages::kOfLane;
  using KeepStages = typename Keep::template Shared<kOfLane, Shape::kStageCount>;
  struct State {
    uint32_t kept;         // mask of keep flags: bit i is set if the lane keeps its value i
    uint32_t kept_before;  // number of kept values in the warp's lanes before this one
    uint32_t of_warp;      // number of kept values in the warp
  };
  struct Shared {
    Stages values;
    KeepStages keep;
  };
  static constexpr int kWarps = Shape::template kWarps<sizeof(Shared)>;
  static constexpr uint32_t kTile = kWarps * Stages::kValues;  // number of values in a tile

  __device__ CompactWork(const CompactArguments<Value, Keep>& arguments,
                         const Sum<uint64_t>& monoid, Shared& shared)
      : to_(arguments), monoid_(monoid), values_(shared.values), keep_(shared.keep) {}

  __device__ const Sum<uint64_t>& monoid() const { return monoid_; }
  __device__ bool begins_with_head(const State&) const { return false; }

  __device__ void copy(uint32_t stage, uint32_t tile) {
    const uint64_t at = share(tile);
    values_.copy(stage, to_.values, at, to_.n, to_.is_aligned);
    to_.keep.template copy<kOfLane>(keep_, stage, at, to_.n);
  }

  __device__ Aggregate<uint64_t> fold(uint32_t stage, uint32_t tile, State& state) {
    Value value[kOfLane];
    values_.read(stage, value);
    state.kept = to_.keep.template bits<Value, kOfLane>(value, keep_, stage, share(tile), to_.n);
    const auto own = static_cast<uint32_t>(__popc(state.kept));
    const uint32_t scanned = scan_lanes(own, 0, Sum<uint32_t>{});
    state.kept_before = scanned - own;
    state.of_warp = __shfl_sync(kAllLanes, scanned, kWarpLanes - 1);
    return {state.of_warp, false};
  }

  __device__ void finish(uint32_t stage, uint32_t tile, uint64_t before, const State& state) {
    const uint64_t first = share(tile);
    if (first >= to_.n) {
      return;
    }
    const auto values = static_cast<uint32_t>(min(uint64_t{Stages::kValues}, to_.n - first));
    Value* gathered = gather(stage, state, values);
    const uint32_t lane = threadIdx.x % kWarpLanes;
    for (uint32_t i = lane; i < state.of_warp; i += kWarpLanes) {
      to_.kept[before + i] = gathered[i];
    }
    if (to_.others != nullptr) {
      Value* others = to_.others + (first - before);
      for (uint32_t i = lane; i < values - state.of_warp; i += kWarpLanes) {
        others[i] = gathered[state.of_warp + i];
      }
    }
    if (first + values == to_.n && lane == 0) {
      *to_.count = before + state.of_warp;
    }
  }

 private:
  static __device__ uint64_t share(uint32_t tile) {
    return static_cast<uint64_t>(tile) * kTile + threadIdx.x / kWarpLanes * Stages::kValues;
  }

  // Reorders a warp's share in shared memory: kept values first, then the others.
  __device__ Value* gather(uint32_t stage, const State& state, uint32_t values) {
    Value value[kOfLane];
    values_.read(stage, value);
    __syncwarp();
    Value* gathered = values_.plain(stage);
    const uint32_t place = threadIdx.x % kWarpLanes * kOfLane;
    uint32_t kept = state.kept_before;
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      const bool is_kept = (state.kept >> i & 1u) != 0;
      if (is_kept || place + i < values) {
        gathered[is_kept ? kept : state.of_warp + place + i - kept] = value[i];
      }
      kept += is_kept ? 1 : 0;
    }
    __syncwarp();
    return gathered;
  }

  const CompactArguments<Value, Keep>& to_;
  const Sum<uint64_t>& monoid_;
  Stages& values_;
  KeepStages& keep_;
};

template <class Value, class Keep>
__global__ void __launch_bounds__(kPipelineThreads<8>, kPipelineBlocks<8>)
    compact_tiles_kernel(const __grid_constant__ CompactArguments<Value, Keep> arguments,
                         const __grid_constant__ LookBack<uint64_t> look_back) {
  look_back.clear_in_launch();
  const bool is_in_place = arguments.kept == arguments.values;
  run_pipeline<CompactWork<Value, Keep>>(arguments, look_back, Sum<uint64_t>{}, is_in_place);
}

template <class Value, class Keep>
__global__ void __launch_bounds__(kTileBlockWarps* kWarpLanes, kTileBlocks < 5 ? kTileBlocks : 5)
    compact_tile_blocks_kernel(const __grid_constant__ CompactArguments<Value, Keep> arguments,
                               const __grid_constant__ LookBack<uint64_t> look_back) {
  const bool is_in_place = arguments.kept == arguments.values;
  run_tile_block<CompactWork<Value, Keep, TileBlockShape>>(arguments, look_back, Sum<uint64_t>{},
                                                           is_in_place);
}

// Launches a compaction in the given schedule. Requires: a look-back over the tiles of n values
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Value, class Keep>
void compact_tiles(cudaStream_t stream, const CompactArguments<Value, Keep>& arguments,
                   const LookBack<uint64_t>& look_back, TileSchedule schedule) {
  using Work = CompactWork<Value, Keep>;
  static_assert(Work::kWarps == 8);
  if constexpr (kHasTileBlocks<Value>) {
    using BlockWork = CompactWork<Value, Keep, TileBlockShape>;
    static_assert(Work::kTile == BlockWork::kTile);
    if (schedule == TileSchedule::blocks) {
      look_back.clear(stream);
      return launch_tile_blocks<BlockWork>(stream, compact_tile_blocks_kernel<Value, Keep>,
                                           arguments, look_back);
    }
  }
  launch_pipeline<Work>(stream, compact_tiles_kernel<Value, Keep>, arguments, look_back);
}

// Most tiles of a compaction whose blocks take a tile each. µs of 4 bytes, two of three kept, by
// pipelines and by blocks: n = 2^21 21.7, 19.9; 2^22 28.8, 29.3; 2^24 86, 88; 2^26 262, 285 (one
// H100, 2026-11-25).
inline constexpr uint64_t kMostTilesOfBlocks = 512;

// Launches a compaction in the schedule that suits the number of tiles.
template <class Value, class Keep>
void compact_tiles(cudaStream_t stream, const CompactArguments<Value, Keep>& arguments,
                   const LookBack<uint64_t>& look_back) {
  compact_tiles(stream, arguments, look_back,
                tile_schedule(look_back.tiles(), kMostTilesOfCluster, kMostTilesOfBlocks));
}

}  // namespace presort::gpu
