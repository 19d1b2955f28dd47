// A block that takes one tile and ends with it: its warps copy the tile to shared memory, fold it
// and publish its summary; one warp looks back; then all finish the tile. While a block waits,
// others of the same multiprocessor work. In a pipeline (block/tile_pipeline.cuh) a tile waits for
// the one before it, and each barrier for all three steps.
//   run_tile_block<Work>(arguments, look_back, monoid)         in the kernel
//   launch_tile_blocks<Work>(stream, kernel, arguments, …)     on the host
// Requires: Work as of block/tile_pipeline.cuh, of a TileBlockShape; tiles are as large as the
//           pipeline's, so that what is grouped, and a sum's rounding, does not depend on which
//           runs
// Source:   Merrill and Garland 2016, whose blocks take a tile each
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/gpu/block/tile_pipeline.cuh"
#include "presort/gpu/device/ordered/cluster.cuh"
#include "presort/gpu/device/ordered/look_back.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"

namespace presort::inline v0::gpu {

// How a launch goes through tiles.
enum class TileSchedule { pipelines, blocks };

// The schedule of a launch over so many tiles: one cluster's pipelines of few, blocks of up to
// `most`, pipelines beyond. µs of scans of f32, by pipelines, by blocks, and CUB's (one H100,
// 2026-11-25; at 2^22 blocks stored results past the caches then, which they do above 32 MiB alone
// now: 25, 25, 28 instead of 22, 22, 24):
//   heads every  n = 2^22          2^24        2^26           2^28
//   none         27.0, 22.2, 24.3  78, 76, 71  266, 259, 230  1054, 1017, 886
//   8            26.7, 22.1, 37.6  66, 67, 97  238, 231, 317  917, 885, 1194
//   1000         26.7, 22.2, 36.9  73, 75, 97  253, 255, 316  976, 978, 1195
//   10^7         31.3, 24.1, 36.8  90, 83, 97  318, 286, 317  1335, 1100, 1197
constexpr TileSchedule tile_schedule(uint64_t tiles, uint64_t most_of_cluster,
                                     uint64_t most = ~uint64_t{0}) {
  return tiles > most_of_cluster && tiles <= most ? TileSchedule::blocks : TileSchedule::pipelines;
}

inline constexpr int kTileBlockWarps = 8;  // number of warps of a block that takes one tile

// Most blocks of one tile that a multiprocessor holds, by the threads that it holds.
inline constexpr int kTileBlocks =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
    1024
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || \
                                 __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
    1536
#else
    2048
#endif
    / (kTileBlockWarps * kWarpLanes);

// Values for which kernels have blocks of one tile: of longer ones, pipelines are ahead of other
// libraries.
template <class Value>
inline constexpr bool kHasTileBlocks = sizeof(Value) <= 8;

// The shape that a Work is compiled for, to run in blocks of one tile each: number of warps of a
// block, and of a lane's values in halves of kLaneValues.
template <int kWarpCount, int kHalves = 2>
struct TileBlockShapeOf {
  static constexpr int kStageCount = 1;
  template <class Value>
  static constexpr int kOfLane = kLaneValues<Value>* kHalves / 2;
  template <size_t>
  static constexpr int kWarps = kWarpCount;
};
using TileBlockShape = TileBlockShapeOf<kTileBlockWarps>;

// Shared memory of a block: what its warps share, and what each warp needs for Work.
template <class Work>
struct TileBlockShared {
  TileSummary<typename Work::Summary, Work::kWarps> summary;
  typename Work::Summary before;
  uint32_t tile;
  typename Work::Shared work[Work::kWarps];
};

// Takes one tile. Requires: TileBlockShared<Work> fits the dynamic shared memory; Work::kWarps
// warps; as many blocks as tiles; the look-back was cleared
template <class Work, class Arguments, class M>
__device__ void run_tile_block(const Arguments& arguments,
                               const LookBack<typename Work::Summary>& look_back, const M& monoid,
                               bool orders_memory = false) {
  using Summary = typename Work::Summary;
  extern __shared__ __align__(16) unsigned char tile_memory[];
  auto& shared = *reinterpret_cast<TileBlockShared<Work>*>(tile_memory);
  const uint32_t warp = threadIdx.x / kWarpLanes;
  const bool is_first_lane = threadIdx.x % kWarpLanes == 0;
  if (threadIdx.x == 0) {
    shared.tile = look_back.next_tile();
  }
  __syncthreads();
  const uint32_t tile = shared.tile;
  Work work(arguments, monoid, shared.work[warp]);
  typename Work::State state{};
  work.copy(0, tile);
  commit_copies();
  wait_for_all_copies();
  __syncwarp();
  const Aggregate<Summary> own = work.fold(0, tile, state);
  if (is_first_lane) {
    shared.summary.value[warp] = own.value;
    shared.summary.has_head[warp] = own.has_head;
  }
  if (threadIdx.x == 0) {
    shared.summary.begins_with_head = work.begins_with_head(state);
  }
  if (orders_memory) {
    __threadfence();
  }
  __syncthreads();  // barrier: the tile's summary is known
  if (warp == 0) {
    const Descriptor<Summary> of_tile = shared.summary.descriptor(monoid);
    if (is_first_lane) {
      look_back.publish(tile, of_tile);
    }
    const Summary before =
        look_back.before(tile, of_tile, !shared.summary.begins_with_head, monoid, orders_memory);
    if (is_first_lane) {
      shared.before = before;
    }
  }
  __syncthreads();  // barrier: ⊙ of what is before the tile is known
  const auto before =
      join({shared.before, false}, shared.summary.of_first(static_cast<int>(warp), monoid), monoid);
  work.finish(0, tile, before.value, state);
}

// Launches a block for each tile of a look-back, which was cleared.
// Errors:   EnvironmentError when CUDA refuses
template <class Work, class... Parameters, class Arguments, class Summary, class... Others>
void launch_tile_blocks(cudaStream_t stream, void (*kernel)(Parameters...),
                        const Arguments& arguments, const LookBack<Summary>& look_back,
                        const Others&... others) {
  constexpr size_t kBytes = sizeof(TileBlockShared<Work>);
  constexpr size_t kBytesOfEveryDevice = 48 << 10;
  if (kBytes > kBytesOfEveryDevice) {
    allow_shared_bytes(kernel, kBytes);
  }
  launch(kernel,
         {static_cast<unsigned>(look_back.tiles()), Work::kWarps * kWarpLanes, kBytes, stream},
         arguments, look_back, others...);
}

}  // namespace presort::gpu
