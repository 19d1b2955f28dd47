// A scan in one pass: every value is read once and every result written once. A tile in which a
// segment begins publishes a prefix at once; one that begins with a segment does not look back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "presort/core/scan.h"
#include "presort/gpu/block/tile_block.cuh"
#include "presort/gpu/block/tile_heads.cuh"
#include "presort/gpu/block/tile_pipeline.cuh"
#include "presort/gpu/device/ordered/look_back.cuh"
#include "presort/gpu/device/ordered/mark_heads.cuh"

namespace presort::inline v0::gpu {

// The arguments of a scan; it works in place if results are the same array as values.
template <class Value, class Heads>
struct ScanArguments {
  const Value* values;
  Value* results;
  Heads heads;
  uint64_t n;
  bool is_aligned;           // true: the arrays of values and results are aligned to packs
  bool is_streamed = false;  // true: results are too many for a cache to keep
};

// State that a lane keeps between folding its values and scanning them.
template <class Value>
struct LaneScan {
  Value before;    // ⊙ of the warp's values before the lane's, from the last head before it on
  bool is_open;    // true: no segment begins in the warp before the lane's values
  uint32_t heads;  // mask: bit i is set if a segment begins at the lane's value i
};

// Reduces a lane's values from the last head on, finds ⊙ of the values before them in the warp, and
// returns the warp's aggregate. Requires: all lanes call it
template <bool kHasHeads, int kCount, class Value, class M>
__device__ Aggregate<Value> fold_warp(const Value (&value)[kCount], uint32_t heads, const M& monoid,
                                      LaneScan<Value>& lane) {
  Value sum = value[0];
#pragma unroll
  for (int i = 1; i < kCount; ++i) {
    const bool is_head = kHasHeads && (heads >> i & 1u) != 0;
    sum = is_head ? value[i] : monoid(sum, value[i]);
  }
  const unsigned lanes = kHasHeads ? __ballot_sync(kAllLanes, heads != 0) : 0;
  const Value scanned = scan_lanes(sum, lanes, monoid);
  const int number = static_cast<int>(threadIdx.x % kWarpLanes);
  const Value left = shuffle_from(scanned, number - 1);
  lane = {number == 0 ? monoid.identity() : left, (lanes & lanes_before()) == 0, heads};
  return {shuffle_from(scanned, kWarpLanes - 1), lanes != 0};
}

template <Scan kScan, class Value, class Heads, class M, class Shape = PipelineShape>
class ScanWork {
 public:
  using Summary = Value;
  using State = LaneScan<Value>;
  using Stages = WarpStages<Value, Shape::template kOfLane<Value>, Shape::kStageCount>;
  static constexpr int kOfLane = Stages::kOfLane;
  using HeadStages = typename Heads::template Shared<kOfLane, Shape::kStageCount>;
  struct Shared {
    Stages values;
    HeadStages heads;
  };
  static constexpr int kWarps = Shape::template kWarps<sizeof(Shared)>;
  static constexpr uint32_t kTile = kWarps * Stages::kValues;  // number of values in a tile

  __device__ ScanWork(const ScanArguments<Value, Heads>& arguments, const M& monoid, Shared& shared)
      : to_(arguments),
        monoid_(monoid),
        values_(shared.values),
        heads_(shared.heads),
        results_(arguments.heads.results(arguments.n)) {}

  __device__ const M& monoid() const { return monoid_; }
  __device__ bool begins_with_head(const State& state) const { return (state.heads & 1u) != 0; }

  __device__ void copy(uint32_t stage, uint32_t tile) {
    const uint64_t at = share(tile);
    values_.template copy<Heads::kCopiesFirst>(stage, to_.values, at, to_.n, to_.is_aligned);
    to_.heads.template copy<kOfLane>(heads_, stage, at, to_.n);
  }

  __device__ Aggregate<Value> fold(uint32_t stage, uint32_t tile, State& state) {
    const uint64_t at = share(tile);
    Value value[kOfLane];
    values_.read(stage, value);
    if (at + Stages::kValues > to_.n) {
      leave_out(value, at + threadIdx.x % kWarpLanes * kOfLane);
    }
    const uint32_t heads = to_.heads.template bits<kOfLane>(heads_, stage, at, to_.n);
    return fold_warp<Heads::kHasHeads>(value, heads, monoid_, state);
  }

  __device__ void finish(uint32_t stage, uint32_t tile, const Value& before, const State& state) {
    Value sum = state.is_open ? monoid_(before, state.before) : state.before;
    values_.change_each(stage, [&](int i, Value& value) {
      if (Heads::kHasHeads && (state.heads >> i & 1u) != 0) {
        sum = monoid_.identity();
      }
      const Value including = monoid_(sum, value);
      value = kScan == Scan::inclusive ? including : sum;
      sum = including;
    });
    __syncwarp();
    values_.copy_out(stage, to_.results, share(tile), results_.first, results_.last, to_.is_aligned,
                     to_.is_streamed);
  }

 private:
  static __device__ uint64_t share(uint32_t tile) {
    return static_cast<uint64_t>(tile) * kTile + threadIdx.x / kWarpLanes * Stages::kValues;
  }
  // Replaces a lane's values beyond the end of the array by the identity.
  __device__ void leave_out(Value (&value)[kOfLane], uint64_t first) const {
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      if (first + i >= to_.n) {
        value[i] = monoid_.identity();
      }
    }
  }

  const ScanArguments<Value, Heads>& to_;
  const M& monoid_;
  Stages& values_;
  HeadStages& heads_;
  ResultRange results_;
};

template <Scan kScan, class Value, class Heads, class M>
__global__ void __launch_bounds__(kPipelineThreads<8>, kPipelineBlocks<8>)
    scan_tiles_kernel(const __grid_constant__ ScanArguments<Value, Heads> arguments,
                      const __grid_constant__ LookBack<Value> look_back,
                      const __grid_constant__ M monoid) {
  if (look_back.is_left_to_launch()) {
    look_back.clear_in_launch();
    if constexpr (Heads::kAreMade) {
      mark_heads_by_all(arguments.heads.offsets, arguments.heads.count, arguments.n,
                        arguments.heads.made);
      sync_cluster();
    }
  }
  run_pipeline<ScanWork<kScan, Value, Heads, M>>(arguments, look_back, monoid);
}

template <Scan kScan, class Value, class Heads, class M>
__global__ void __launch_bounds__(kTileBlockWarps* kWarpLanes, kTileBlocks)
    scan_tile_blocks_kernel(const __grid_constant__ ScanArguments<Value, Heads> arguments,
                            const __grid_constant__ LookBack<Value> look_back,
                            const __grid_constant__ M monoid) {
  run_tile_block<ScanWork<kScan, Value, Heads, M, TileBlockShape>>(arguments, look_back, monoid);
}

// The shape of the tiles of scans of many values: twice as many values a lane, in fewer blocks of a
// multiprocessor, whose threads have 48 or 64 registers in place of 32. µs of f32 by tiles of
// (warps, values of a lane, blocks of a multiprocessor), in brackets how many times as long CUB
// takes by turns (one H100, 2026-11-26). Without segments:
//   n     8, 16, 8     16, 16, 4    8, 24, 8     8, 32, 6     8, 32, 5     16, 32, 3    4, 32, 12
//   2^20  12.1 (1.33)  12.1 (1.36)  12.9 (1.29)  14.0 (1.27)  13.6 (1.32)  14.2 (1.26)  13.8 (1.32)
//   2^21  19.5 (1.04)  16.0 (1.28)  16.4 (1.22)  13.6 (1.37)  13.9 (1.33)  14.1 (1.25)  17.4 (1.03)
//   2^23  49.6 (1.02)  47.2 (0.91)  49.3 (0.88)  49.0 (0.89)  42.4 (0.99)  48.3 (0.94)  46.8 (0.92)
//   2^24  75.5 (0.91)  76.6 (0.92)  76.8 (0.89)  72.3 (0.93)  68.0 (1.00)  73.5 (0.94)  73.0 (0.94)
//   2^26  263 (0.87)   252 (0.91)   255 (0.91)   242 (0.94)   226 (1.02)   238 (0.97)   247 (0.94)
// Segments of 1000 values, by flags of a byte; by packed flags:
//   n     8, 16, 8            8, 16, 5            8, 32, 5            8, 32, 4
//   2^20  13.5; 12.6          13.7; 13.1          13.9; 12.7          14.6; 12.7
//   2^21  19.0; 18.6          16.8; 17.6          16.3; 14.6          15.9; 14.9
//   2^24  74.1; 69.8          75.0; 69.0          72.5; 61.5          69.7; 62.6
//   2^28  992; 934            985; 904            975; 788            874; 806
using WideTileShape = TileBlockShapeOf<kTileBlockWarps, 4>;
template <class Heads>
inline constexpr int kWideTileBlocks = kTileBlocks*(std::is_same_v<Heads, ByteHeads> ? 4 : 5) / 8;
inline constexpr uint64_t kFewestOfWideTiles = uint64_t{3} << 19;

// True if a scan takes wide tiles.
template <class Value>
constexpr bool scans_wide_tiles(uint64_t n) {
  return kHasTileBlocks<Value> && n >= kFewestOfWideTiles;
}

template <Scan kScan, class Value, class Heads, class M>
__global__ void __launch_bounds__(kTileBlockWarps* kWarpLanes, kWideTileBlocks<Heads>)
    scan_wide_tiles_kernel(const __grid_constant__ ScanArguments<Value, Heads> arguments,
                           const __grid_constant__ LookBack<Value> look_back,
                           const __grid_constant__ M monoid) {
  run_tile_block<ScanWork<kScan, Value, Heads, M, WideTileShape>>(arguments, look_back, monoid);
}

// The number of tiles of n values that are not wide, with any kind of heads.
template <class Value>
uint64_t tile_count(uint64_t n) {
  constexpr uint64_t kTile = kTileBlockWarps * WarpStages<Value>::kValues;
  return (n + kTile - 1) / kTile;
}

// The number of tiles of a scan of n values.
template <class Value>
uint64_t scan_tile_count(uint64_t n) {
  constexpr uint64_t kWide = WideTileShape::kWarps<0> * kWarpLanes * WideTileShape::kOfLane<Value>;
  return scans_wide_tiles<Value>(n) ? (n + kWide - 1) / kWide : tile_count<Value>(n);
}

// Most tiles of a launch that is one cluster and makes its heads. Time over CUB's in the same run,
// up to three launches and one: 16 tiles 1.29 and 0.98, 24 tiles 1.33 and 1.04, 32 tiles 1.29 and
// 1.16, 64 tiles 1.27 and 1.56 (one H100, 2026-11-25).
inline constexpr uint64_t kMostTilesOfHeads = 24;
template <class Heads>
inline constexpr uint64_t kMostTilesOfOneLaunch =
    Heads::kAreMade ? kMostTilesOfHeads : kMostTilesOfCluster;

// Makes the heads of a scan where offsets tell them, and clears its look-back.
template <class Value, class Heads>
void prepare_scan(cudaStream_t stream, const ScanArguments<Value, Heads>& arguments,
                  const LookBack<Value>& look_back) {
  if constexpr (Heads::kAreMade) {
    make_heads(stream, arguments.heads.offsets, arguments.heads.count, arguments.n,
               arguments.heads.made, look_back);
  } else {
    look_back.clear(stream);
  }
}

// Launches the scan by tiles that are not wide, in the given schedule, after what makes its heads.
// Requires: n >= 1; a look-back over tile_count() tiles
// Errors:   EnvironmentError when CUDA refuses a launch
template <Scan kScan, class Value, class Heads, class M>
void scan_tiles(cudaStream_t stream, const ScanArguments<Value, Heads>& arguments,
                const LookBack<Value>& look_back, const M& monoid, TileSchedule schedule) {
  using Work = ScanWork<kScan, Value, Heads, M>;
  static_assert(Work::kWarps == kTileBlockWarps);
  if constexpr (kHasTileBlocks<Value>) {
    using BlockWork = ScanWork<kScan, Value, Heads, M, TileBlockShape>;
    static_assert(Work::kTile == BlockWork::kTile);
    if (schedule == TileSchedule::blocks) {
      prepare_scan(stream, arguments, look_back);
      return launch_tile_blocks<BlockWork>(stream, scan_tile_blocks_kernel<kScan, Value, Heads, M>,
                                           arguments, look_back, monoid);
    }
  }
  const auto prepare = [&](const LookBack<Value>& to) { prepare_scan(stream, arguments, to); };
  launch_cleared_pipeline<Work>(stream, scan_tiles_kernel<kScan, Value, Heads, M>, arguments,
                                look_back, kMostTilesOfOneLaunch<Heads>, prepare, monoid);
}

// Launches the scan by tiles, and in the schedule, that suit its size.
// Requires: n >= 1; a look-back over scan_tile_count() tiles
// Errors:   EnvironmentError when CUDA refuses a launch
template <Scan kScan, class Value, class Heads, class M>
void scan_tiles(cudaStream_t stream, const ScanArguments<Value, Heads>& arguments,
                const LookBack<Value>& look_back, const M& monoid) {
  if constexpr (kHasTileBlocks<Value>) {
    if (scans_wide_tiles<Value>(arguments.n)) {
      prepare_scan(stream, arguments, look_back);
      return launch_tile_blocks<ScanWork<kScan, Value, Heads, M, WideTileShape>>(
          stream, scan_wide_tiles_kernel<kScan, Value, Heads, M>, arguments, look_back, monoid);
    }
  }
  scan_tiles<kScan>(stream, arguments, look_back, monoid,
                    tile_schedule(look_back.tiles(), kMostTilesOfOneLaunch<Heads>));
}

}  // namespace presort::gpu
