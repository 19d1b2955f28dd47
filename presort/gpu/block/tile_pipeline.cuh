// A block that takes tile after tile through three steps: its values are copied to shared memory,
// folded to a summary, which is published, and finished when ⊙ of the summaries before is known.
// While one tile is finished and the one after the next folded, the last warp looks back from the
// next, and what comes then is being copied: there is one barrier for a tile.
//   warps of Work   copy(stage, tile), fold(stage, tile), finish(stage, tile, before), each a
//                   warp's share
//   the last warp   takes tiles, and looks back
// Source: the order of Merrill and Garland 2016, in a pipeline
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "presort/gpu/block/warp_stages.cuh"
#include "presort/gpu/device/ordered/cluster.cuh"
#include "presort/gpu/device/ordered/look_back.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

// Number of warps of a pipeline that fold and finish tiles: eight if their shared memory fits a
// block on every device.
template <size_t kBytesOfWarp>
inline constexpr int kPipelineWarps = kBytesOfWarp * 8 <= 62000   ? 8
                                      : kBytesOfWarp * 4 <= 62000 ? 4
                                                                  : 2;
template <int kWarps>
inline constexpr int kPipelineThreads = (kWarps + 1) * kWarpLanes;
template <int kWarps>
inline constexpr int kPipelineBlocks = 28 / (kWarps +
                                             1);  // number of pipeline blocks on a multiprocessor

// The shape that a Work is compiled for, to run in a pipeline: tiles on their way, and warps that
// work.
struct PipelineShape {
  static constexpr int kStageCount = kStages;
  template <class Value>
  static constexpr int kOfLane = kLaneValues<Value>;
  template <size_t kBytesOfWarp>
  static constexpr int kWarps = kPipelineWarps<kBytesOfWarp>;
};

// The summary of consecutive values: ⊙ from the last head on, and whether there is a head.
template <class Value>
struct Aggregate {
  Value value;
  bool has_head;
};

template <class Value, class M>
__device__ Aggregate<Value> join(const Aggregate<Value>& a, const Aggregate<Value>& b,
                                 const M& monoid) {
  return {b.has_head ? b.value : monoid(a.value, b.value), a.has_head || b.has_head};
}

// The aggregate of each warp's share of a tile; the tile's aggregate is their ⊙.
template <class Summary, int kWarps>
struct TileSummary {
  Summary value[kWarps];
  bool has_head[kWarps];
  bool begins_with_head;

  template <class M>
  __device__ Aggregate<Summary> of_first(int warps, const M& monoid) const {
    Aggregate<Summary> all{monoid.identity(), false};
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      if (w < warps) {
        all = join(all, {value[w], has_head[w]}, monoid);
      }
    }
    return all;
  }

  // What the tile publishes.
  template <class M>
  __device__ Descriptor<Summary> descriptor(const M& monoid) const {
    const auto all = of_first(kWarps, monoid);
    return {all.has_head ? TileState::prefix : TileState::aggregate, all.value};
  }
};

// How many tile numbers a block keeps at a time; five of them are in use
inline constexpr uint32_t kTilesKnown = 8;

template <class Summary, int kWarps>
struct PipelineShared {
  // Tile summaries of three turns of the pipeline: the summary of turn t is read while that of turn
  // t + 2 is made.
  TileSummary<Summary, kWarps> summary[3];
  Summary before[2];
  uint32_t tile[kTilesKnown];
};

// Work, an object of each thread, all of whose functions are called by whole warps:
//   Summary, State, Shared             types; what a warp shares
//   kWarps                             kPipelineWarps<sizeof(Shared)>
//   monoid()                           of summaries
//   copy(stage, tile)                  begins to copy the warp's share
//   fold(stage, tile, state)           returns Aggregate<Summary> of the share; state is the lane's
//   begins_with_head(state)            by the first lane of a tile
//   finish(stage, tile, before, state) before: of all that is before the share
// Requires: shared is in shared memory; kPipelineThreads<kWarps> threads; look_back was cleared
template <class Work>
class TilePipeline {
 public:
  using Summary = typename Work::Summary;
  static constexpr int kWarps = Work::kWarps;
  using Shared = PipelineShared<Summary, kWarps>;

  __device__ TilePipeline(Work& work, const LookBack<Summary>& look_back, bool orders_memory,
                          Shared& shared)
      : work_(work),
        look_back_(look_back),
        orders_memory_(orders_memory),
        shared_(shared),
        tiles_(static_cast<uint32_t>(look_back.tiles())) {}

  __device__ void run() {
    if (threadIdx.x < kWarps * kWarpLanes) {
      work();
    } else {
      scout();
    }
  }

 private:
  // Waits at a barrier for the warps that fold and finish tiles.
  static __device__ void sync_workers() {
    asm volatile("bar.sync 1, %0;" ::"n"(kWarps * kWarpLanes) : "memory");
  }
  __device__ uint32_t tile(uint32_t turn) const { return shared_.tile[turn % kTilesKnown]; }

  __device__ void work() {
    typename Work::State state{};
    __syncthreads();  // barrier: the number of the first tile is known
    copy(0);
    commit_copies();
    fold(0, state);
    __syncthreads();
    __syncthreads();  // barrier: the numbers of two more tiles are known
    copy(1);
    for (uint32_t turn = 0; tile(turn) < tiles_; ++turn) {
      copy(turn + 2);
      typename Work::State next_state{};
      fold(turn + 1, next_state);
      __syncthreads();  // barrier: ⊙ before the tile is known, the next one is published
      const int warp = threadIdx.x / kWarpLanes;
      const auto before =
          join({shared_.before[turn % 2], false},
               shared_.summary[turn % 3].of_first(warp, work_.monoid()), work_.monoid());
      work_.finish(turn % kStages, tile(turn), before.value, state);
      __syncwarp();  // all lanes have read the stage in shared memory
      state = next_state;
    }
  }

  __device__ void copy(uint32_t turn) {
    if (tile(turn) < tiles_) {
      work_.copy(turn % kStages, tile(turn));
    }
    commit_copies();
  }

  __device__ void fold(uint32_t turn, typename Work::State& state) {
    if (tile(turn) >= tiles_) {
      return;
    }
    wait_for_copies();
    __syncwarp();
    const Aggregate<Summary> own = work_.fold(turn % kStages, tile(turn), state);
    TileSummary<Summary, kWarps>& summary = shared_.summary[turn % 3];
    if (threadIdx.x % kWarpLanes == 0) {
      summary.value[threadIdx.x / kWarpLanes] = own.value;
      summary.has_head[threadIdx.x / kWarpLanes] = own.has_head;
    }
    if (threadIdx.x == 0) {
      summary.begins_with_head = work_.begins_with_head(state);
    }
    if (orders_memory_) {
      __threadfence();
    }
    sync_workers();
    if (threadIdx.x == 0) {
      look_back_.publish(tile(turn), summary.descriptor(work_.monoid()));
    }
  }

  __device__ void scout() {
    take(0);
    __syncthreads();
    __syncthreads();  // the last tile is published; every block has taken a tile
    take(1);
    take(2);
    __syncthreads();
    for (uint32_t turn = 0; tile(turn) < tiles_; ++turn) {
      const TileSummary<Summary, kWarps>& summary = shared_.summary[turn % 3];
      const Summary before =
          look_back_.before(tile(turn), summary.descriptor(work_.monoid()),
                            !summary.begins_with_head, work_.monoid(), orders_memory_);
      if (threadIdx.x % kWarpLanes == 0) {
        shared_.before[turn % 2] = before;
      }
      take(turn + 3);
      __syncthreads();
    }
  }

  __device__ void take(uint32_t turn) {
    if (threadIdx.x % kWarpLanes == 0) {
      shared_.tile[turn % kTilesKnown] = tiles_ == 1 ? turn : look_back_.next_tile();
    }
    __syncwarp();
  }

  Work& work_;
  const LookBack<Summary>& look_back_;
  bool orders_memory_;
  Shared& shared_;
  uint32_t tiles_;
};

// Shared memory of a block whose pipeline does Work, with what Work itself needs.
template <class Work>
struct WorkShared {
  PipelineShared<typename Work::Summary, Work::kWarps> pipeline;
  typename Work::Shared work[Work::kWarps];
};

// Runs one block's pipeline in a launch. Requires: WorkShared<Work> fits the dynamic shared memory
template <class Work, class Arguments, class M>
__device__ void run_pipeline(const Arguments& arguments,
                             const LookBack<typename Work::Summary>& look_back, const M& monoid,
                             bool orders_memory = false) {
  extern __shared__ __align__(16) unsigned char pipeline_memory[];
  auto& shared = *reinterpret_cast<WorkShared<Work>*>(pipeline_memory);
  Work work(arguments, monoid, shared.work[threadIdx.x / kWarpLanes % Work::kWarps]);
  TilePipeline<Work>(work, look_back, orders_memory, shared.pipeline).run();
}

// Most tiles of a launch that is one cluster (device/ordered/cluster.cuh), which clears its
// look-back itself. Tiles of u32, time over CUB's in the same run, two launches and one: 4 tiles
// 0.78 and 0.74, 8 tiles 0.76 and 0.74, 16 tiles 0.79 and 0.81, 32 tiles 0.78 and 0.90 (one H100,
// 2026-11-25).
inline constexpr uint64_t kMostTilesOfCluster = 8;

// Launches a kernel whose blocks run pipelines over the tiles of a look-back: up to
// `most_of_cluster` tiles in one launch, which clears the look-back itself; more after
// clear(look_back). Requires: the kernel calls look_back.clear_in_launch() first, and does itself
// whatever else
//           clear() does
// Errors:   EnvironmentError when CUDA refuses
template <class Work, class... Parameters, class Arguments, class Summary, class Clear,
          class... Others>
void launch_cleared_pipeline(cudaStream_t stream, void (*kernel)(Parameters...),
                             const Arguments& arguments, LookBack<Summary> look_back,
                             uint64_t most_of_cluster, const Clear& clear,
                             const Others&... others) {
  constexpr int kThreads = kPipelineThreads<Work::kWarps>;
  constexpr size_t kBytes = sizeof(WorkShared<Work>);
  constexpr size_t kBytesOfEveryDevice = 48 << 10;
  if (kBytes > kBytesOfEveryDevice) {
    allow_shared_bytes(kernel, kBytes);
  }
  const uint64_t tiles = look_back.tiles();
  if (look_back.needs_clear() && tiles <= most_of_cluster && has_clusters(kernel)) {
    look_back.leave_to_launch();
    return launch(kernel, {cluster_blocks(tiles), kThreads, kBytes, stream, true}, arguments,
                  look_back, others...);
  }
  if (look_back.needs_clear()) {
    clear(look_back);
  }
  const auto most =
      static_cast<uint64_t>(resident_blocks(current_device_limits(), kThreads, kBytes));
  launch(kernel, {static_cast<unsigned>(std::min(tiles, most)), kThreads, kBytes, stream},
         arguments, look_back, others...);
}

// Launches pipelines whose look-back is all that is cleared.
template <class Work, class... Parameters, class Arguments, class Summary, class... Others>
void launch_pipeline(cudaStream_t stream, void (*kernel)(Parameters...), const Arguments& arguments,
                     const LookBack<Summary>& look_back, const Others&... others) {
  const auto clear = [&](const LookBack<Summary>& to) { to.clear(stream); };
  launch_cleared_pipeline<Work>(stream, kernel, arguments, look_back, kMostTilesOfCluster, clear,
                                others...);
}

}  // namespace presort::gpu
