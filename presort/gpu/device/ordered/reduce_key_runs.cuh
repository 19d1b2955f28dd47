// Reduces runs of values, in one pass: a run begins at 0 and where a key differs from the one
// before it, or where a flag is. Results stand in the order of the runs, so a tile looks back for
// two things at once: how many runs begin before it, and what the last of them amounts to so far.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/monoid.h"
#include "presort/gpu/block/tile_block.cuh"
#include "presort/gpu/block/tile_heads.cuh"
#include "presort/gpu/block/tile_pipeline.cuh"
#include "presort/gpu/device/ordered/scan_tiles.cuh"

namespace presort::inline v0::gpu {

// Runs told by keys: a run begins at 0 and where a key differs from the one before it.
template <class KeyType>
struct KeyRuns {
  using Key = KeyType;
  using Told = Key;  // type of the array that tells where runs begin
  template <int kOfLane, int kStageCount>
  struct Shared {
    WarpStages<Key, kOfLane, kStageCount> keys;
    Key before[kStageCount];  // keys[stage]: the key of the value before the stage's first value
  };

  const Key* keys;
  Key* run_keys;  // output: key of each run of equal keys
  bool is_aligned;

  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                       uint64_t n) const {
    shared.keys.copy(stage, keys, at, n, is_aligned);
    if (threadIdx.x % kWarpLanes == 0 && at > 0 && at < n) {
      copy_pack<Key, 1>(shared.before + stage, keys + at - 1);
    }
  }
  template <int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                           uint64_t n) const {
    Key key[kOfLane];
    shared.keys.read(stage, key);
    const unsigned lane = threadIdx.x % kWarpLanes;
    Key earlier = shuffle_from(key[kOfLane - 1], static_cast<int>(lane) - 1);
    if (lane == 0) {
      earlier = shared.before[stage];
    }
    const uint64_t first = at + lane * kOfLane;
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      const bool is_head = first + i < n && (first + i == 0 || !(key[i] == earlier));
      bits |= (is_head ? 1u : 0u) << i;
      earlier = key[i];
    }
    return bits;
  }
  // Keys of the runs that begin in a warp's values, side by side in shared memory; `run` is the
  // number of the lane's first run.
  // Requires: all lanes call it
  template <int kOfLane, int kStageCount>
  __device__ void write(Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint32_t heads,
                        uint32_t run, uint32_t runs, uint64_t runs_before) const {
    Key key[kOfLane];
    shared.keys.read(stage, key);
    __syncwarp();
    Key* gathered = shared.keys.plain(stage);
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      if ((heads >> i & 1u) != 0) {
        gathered[run++] = key[i];
      }
    }
    __syncwarp();
    for (uint32_t i = threadIdx.x % kWarpLanes; i < runs; i += kWarpLanes) {
      run_keys[runs_before + i] = gathered[i];
    }
  }
};

// Runs told by flags: a run begins at 0 and at every flag.
struct FlagRuns {
  using Told = uint8_t;
  template <int kOfLane, int kStageCount>
  using Shared = ByteHeads::Shared<kOfLane, kStageCount>;

  ByteHeads flags;

  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                       uint64_t n) const {
    flags.copy(shared, stage, at, n);
  }
  template <int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                           uint64_t n) const {
    const bool is_first = at == 0 && threadIdx.x % kWarpLanes == 0;
    return flags.bits(shared, stage, at, n) | (is_first ? 1u : 0u);
  }
  template <int kOfLane, int kStageCount>
  __device__ void write(Shared<kOfLane, kStageCount>&, uint32_t, uint32_t, uint32_t, uint32_t,
                        uint64_t) const {}
};

// The summary of consecutive values: how many runs begin among them, and ⊙ of the last run, or of
// all values if none begins.
template <class Count, class Value>
struct RunSummary {
  Count runs;
  Value value;
};
template <class Count, class Value, class M>
struct JoinKeyRuns {
  using Summary = RunSummary<Count, Value>;
  static constexpr bool is_commutative = false;
  M monoid;

  __device__ Summary identity() const { return {0, monoid.identity()}; }
  __device__ Summary operator()(const Summary& a, const Summary& b) const {
    return {a.runs + b.runs, b.runs > 0 ? b.value : monoid(a.value, b.value)};
  }
};

template <class Value, class Runs>
struct RunArguments {
  const Value* values;
  Value* results;  // output: result of each run
  uint64_t* run_count;
  Runs runs;
  uint64_t n;  // number of input values, at least 1
  bool is_aligned;
};

template <class Count, class Value, class Runs, class M, class Shape = PipelineShape>
class RunWork {
 public:
  using Summary = RunSummary<Count, Value>;
  using Stages = WarpStages<Value, Shape::template kOfLane<Value>, Shape::kStageCount>;
  static constexpr int kOfLane = Stages::kOfLane;
  struct State {
    LaneScan<Value> lane;
    uint32_t runs_before;  // number of runs that begin in the warp before the lane's values
    uint32_t of_warp;      // number of runs that begin in the warp
  };
  struct Shared {
    Stages values;
    typename Runs::template Shared<kOfLane, Shape::kStageCount> runs;
  };
  static constexpr int kWarps = Shape::template kWarps<sizeof(Shared)>;
  static constexpr uint32_t kTile = kWarps * Stages::kValues;  // number of values in a tile

  __device__ RunWork(const RunArguments<Value, Runs>& arguments,
                     const JoinKeyRuns<Count, Value, M>& monoid, Shared& shared)
      : to_(arguments), join_(monoid), values_(shared.values), runs_(shared.runs) {}

  __device__ const JoinKeyRuns<Count, Value, M>& monoid() const { return join_; }
  // Always false: runs are counted across tiles, so every tile looks back
  __device__ bool begins_with_head(const State&) const { return false; }

  __device__ void copy(uint32_t stage, uint32_t tile) {
    const uint64_t at = share(tile);
    values_.copy(stage, to_.values, at, to_.n, to_.is_aligned);
    to_.runs.copy(runs_, stage, at, to_.n);
  }

  __device__ Aggregate<Summary> fold(uint32_t stage, uint32_t tile, State& state) {
    const uint64_t at = share(tile);
    Value value[kOfLane];
    read(stage, at, value);
    const uint32_t heads = to_.runs.bits(runs_, stage, at, to_.n);
    const Aggregate<Value> all = fold_warp<true>(value, heads, join_.monoid, state.lane);
    const auto own = static_cast<uint32_t>(__popc(heads));
    const uint32_t scanned = scan_lanes(own, 0, Sum<uint32_t>{});
    state.runs_before = scanned - own;
    state.of_warp = __shfl_sync(kAllLanes, scanned, kWarpLanes - 1);
    return {{state.of_warp, all.value}, false};
  }

  // Writes the results of runs: where a run begins, the run before it ends.
  __device__ void finish(uint32_t stage, uint32_t tile, const Summary& before, const State& state) {
    const uint64_t at = share(tile);
    if (at >= to_.n) {
      return;
    }
    const uint32_t heads = state.lane.heads;
    Value sum =
        state.lane.is_open ? join_.monoid(before.value, state.lane.before) : state.lane.before;
    if (state.of_warp > 0) {
      sum = write_results(stage, at, before.runs, state, sum);
      to_.runs.write(runs_, stage, heads, state.runs_before, state.of_warp, before.runs);
    } else if (at + Stages::kValues >= to_.n) {
      sum = fold_rest(stage, at, sum);
    }
    if (at + Stages::kValues >= to_.n && threadIdx.x % kWarpLanes == kWarpLanes - 1) {
      const uint64_t all = before.runs + state.of_warp;
      *to_.run_count = all;
      to_.results[all - 1] = sum;
    }
  }

 private:
  static __device__ uint64_t share(uint32_t tile) {
    return static_cast<uint64_t>(tile) * kTile + threadIdx.x / kWarpLanes * Stages::kValues;
  }

  // Reads the calling lane's values; beyond the array's last value, the identity.
  __device__ void read(uint32_t stage, uint64_t at, Value (&value)[kOfLane]) const {
    values_.read(stage, value);
    if (at + Stages::kValues > to_.n) {
#pragma unroll
      for (int i = 0; i < kOfLane; ++i) {
        if (at + threadIdx.x % kWarpLanes * kOfLane + i >= to_.n) {
          value[i] = join_.monoid.identity();
        }
      }
    }
  }

  // Writes the results of runs that end among the lane's values. `sum` is ⊙ of the open run before
  // them; returns that of the open run behind them.
  __device__ Value write_results(uint32_t stage, uint64_t at, uint64_t runs_before,
                                 const State& state, Value sum) {
    Value value[kOfLane];
    read(stage, at, value);
    __syncwarp();
    Value* gathered = values_.plain(stage);
    uint32_t run = state.runs_before;
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      if ((state.lane.heads >> i & 1u) != 0) {
        gathered[run++] = sum;
        sum = value[i];
      } else {
        sum = join_.monoid(sum, value[i]);
      }
    }
    __syncwarp();
    for (uint32_t i = threadIdx.x % kWarpLanes; i < state.of_warp; i += kWarpLanes) {
      if (runs_before + i > 0) {  // no run ends where the array's first run begins
        to_.results[runs_before + i - 1] = gathered[i];
      }
    }
    return sum;
  }

  __device__ Value fold_rest(uint32_t stage, uint64_t at, Value sum) const {
    Value value[kOfLane];
    read(stage, at, value);
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      sum = join_.monoid(sum, value[i]);
    }
    return sum;
  }

  const RunArguments<Value, Runs>& to_;
  const JoinKeyRuns<Count, Value, M>& join_;
  Stages& values_;
  typename Runs::template Shared<kOfLane, Shape::kStageCount>& runs_;
};

template <class Count, class Value, class Runs, class M>
__global__ void __launch_bounds__(kPipelineThreads<RunWork<Count, Value, Runs, M>::kWarps>,
                                  kPipelineBlocks<RunWork<Count, Value, Runs, M>::kWarps>)
    reduce_key_runs_kernel(const __grid_constant__ RunArguments<Value, Runs> arguments,
                           const __grid_constant__ LookBack<RunSummary<Count, Value>> look_back,
                           const __grid_constant__ JoinKeyRuns<Count, Value, M> monoid) {
  look_back.clear_in_launch();
  run_pipeline<RunWork<Count, Value, Runs, M>>(arguments, look_back, monoid);
}

// The shape of tiles of runs for blocks that take one tile each: number of halves of kLaneValues
// that a lane has, 3 if whole packs of both arrays make them up; 0 if no tile fits a block of every
// device.
template <class Value, class Runs>
constexpr int run_halves() {
  using Told = typename Runs::Told;
  constexpr auto fits = [](int halves) {
    const int values = kLaneValues<Value> * halves / 2;
    const auto has_packs = [values](int most) {
      const auto pack = static_cast<unsigned>(std::min(values, most));
      return std::has_single_bit(pack) && values % static_cast<int>(pack) == 0;
    };
    constexpr size_t kMostBytes = 60000;
    const size_t bytes = size_t{kTileBlockWarps} * kWarpLanes * static_cast<size_t>(values) *
                         (sizeof(Value) + sizeof(Told));
    return has_packs(kPackOf<Value>) && has_packs(kPackOf<Told>) && bytes <= kMostBytes;
  };
  return !kHasTileBlocks<Value> || !kHasTileBlocks<Told> ? 0 : fits(3) ? 3 : fits(2) ? 2 : 0;
}

template <class Count, class Value, class Runs, class M>
using RunBlockWork =
    RunWork<Count, Value, Runs, M, TileBlockShapeOf<kTileBlockWarps, run_halves<Value, Runs>()>>;

// Number of blocks of a multiprocessor: four, whose threads have 64 registers. µs of sums of f32 by
// u32 keys, by pipelines and by blocks of (warps, values of a lane, blocks of a multiprocessor), in
// brackets how many times as long CUB takes by turns (one H100, 2026-11-26); 8, 32, 3 needs more
// shared memory than a block has on every device:
//   n, runs     pipelines    8, 16, 6     8, 16, 4     8, 24, 4     8, 32, 3     4, 16, 8     8, 8, 8
//   2^18, 8     13.7 (1.28)               12.9 (1.34)  13.8 (1.22)  12.9 (1.28)  12.5 (1.34)
//   2^19, 8     17.7 (0.97)               14.1 (1.26)  15.2 (1.17)  15.4 (1.19)  16.6 (1.06)
//   2^20, 8     15.3 (1.03)  15.9 (0.93)  15.6 (1.00)  14.2 (1.10)  14.8 (1.23)  15.0 (1.02)  16.5 (0.89)
//   2^22, 8     33.7 (0.94)  34.2 (1.02)  26.4 (1.21)  31.0 (1.05)  34.5 (1.09)  26.4 (1.24)  36.5 (1.00)
//   2^24, 8     105 (0.91)   94.1 (1.01)  91.1 (1.04)  87.1 (1.08)  84.5 (1.15)  90.1 (1.04)  112 (0.86)
//   2^26, 8     394 (0.83)   314 (1.04)   315 (1.04)   283 (1.16)                323 (1.02)   403 (0.81)
//   2^26, 1000  356 (0.88)   288 (1.07)   282 (1.11)   250 (1.22)                288 (1.08)   372 (0.82)
inline constexpr int kRunBlocks = kTileBlocks / 2;
inline constexpr uint64_t kFewestOfRunBlocks = uint64_t{3} << 17;

// True if runs are reduced by blocks that take one tile each, not by pipelines.
template <class Value, class Runs>
constexpr bool reduces_runs_by_blocks(uint64_t n) {
  return run_halves<Value, Runs>() > 0 && n >= kFewestOfRunBlocks;
}

template <class Count, class Value, class Runs, class M>
__global__ void __launch_bounds__(kTileBlockWarps* kWarpLanes, kRunBlocks)
    reduce_key_run_blocks_kernel(
        const __grid_constant__ RunArguments<Value, Runs> arguments,
        const __grid_constant__ LookBack<RunSummary<Count, Value>> look_back,
        const __grid_constant__ JoinKeyRuns<Count, Value, M> monoid) {
  run_tile_block<RunBlockWork<Count, Value, Runs, M>>(arguments, look_back, monoid);
}

// Calls call(zero) with zero of the integer type that counts up to n runs: 4 bytes where they
// suffice, since a summary of a run count and a value may then be read as one word.
template <class Call>
void with_run_count(uint64_t n, const Call& call) {
  if (n <= ~uint32_t{0}) {
    call(uint32_t{});
  } else {
    call(uint64_t{});
  }
}

// Takes the look-back over the tiles of n values.
template <class Count, class Value, class Runs>
LookBack<RunSummary<Count, Value>> take_run_look_back(Carver& carver, uint64_t n) {
  uint64_t tile = RunWork<Count, Value, Runs, Sum<Value>>::kTile;
  if constexpr (run_halves<Value, Runs>() > 0) {
    if (reduces_runs_by_blocks<Value, Runs>(n)) {
      tile = RunBlockWork<Count, Value, Runs, Sum<Value>>::kTile;
    }
  }
  return LookBack<RunSummary<Count, Value>>::take(carver, (n + tile - 1) / tile);
}

// Bytes of scratch that a reduction of runs takes for n values.
template <class Value, class Runs>
size_t key_runs_scratch_bytes(uint64_t n) {
  Carver carver;
  with_run_count(n, [&]<class Count>(Count) { take_run_look_back<Count, Value, Runs>(carver, n); });
  return carver.used_bytes();
}

// Launches the kernel that reduces runs. Requires: key_runs_scratch_bytes() of scratch
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Value, class Runs, class M>
void reduce_key_runs(cudaStream_t stream, const RunArguments<Value, Runs>& arguments,
                     const M& monoid, std::span<std::byte> scratch) {
  Carver carver(scratch.data());
  with_run_count(arguments.n, [&]<class Count>(Count) {
    const auto look_back = take_run_look_back<Count, Value, Runs>(carver, arguments.n);
    const JoinKeyRuns<Count, Value, M> join{monoid};
    if constexpr (run_halves<Value, Runs>() > 0) {
      if (reduces_runs_by_blocks<Value, Runs>(arguments.n)) {
        look_back.clear(stream);
        return launch_tile_blocks<RunBlockWork<Count, Value, Runs, M>>(
            stream, reduce_key_run_blocks_kernel<Count, Value, Runs, M>, arguments, look_back,
            join);
      }
    }
    launch_pipeline<RunWork<Count, Value, Runs, M>>(
        stream, reduce_key_runs_kernel<Count, Value, Runs, M>, arguments, look_back, join);
  });
}

}  // namespace presort::gpu
