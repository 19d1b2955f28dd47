// Reduces segments by a group of threads for each, in one launch: up to 2^21 values. By the mean
// length of the segments, a group is a lane, eight lanes, a warp or a block
// (gpu/plan/segments/segment_group.h). A group leaves a segment that is too long for it to more
// threads: a lane or eight lanes to their warp, a warp to its block, and a block to the eight
// blocks of its cluster. So one huge segment among tiny ones has eight blocks, and segments of like
// lengths wait for no other block. Neighbouring segments have warps of different blocks, so that
// long ones side by side are spread.
// Order:    left to right; what is grouped depends on n and the segments alone
// Requires: clusters (compute capability 9.0) to share a segment between blocks; without them a
//           block does the work of its eight, in the same order
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "presort/core/base/carver.h"
#include "presort/gpu/device/ordered/cluster.cuh"
#include "presort/gpu/device/ordered/reduce_each_segment.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/segments/segment_group.h"

namespace presort::inline v0::gpu {

inline constexpr uint64_t kMostOfWarp = 2048;  // most values of a segment that a warp reduces
inline constexpr int kMostOfLane = 16;         // most values that a lane reads one by one
inline constexpr uint32_t kSharingBlocks = 8;  // number of blocks that share a longer segment
// Most values of a segment that a block reduces. A shared segment that begins at value i has parts
// number i ÷ kMostOfBlock, as no two shared ones begin in one run of so many values.
inline constexpr uint64_t kMostOfBlock = 16384;

template <class Value>
size_t groups_scratch_bytes(uint64_t n) {
  Carver carver;
  carver.take<Value>((n / kMostOfBlock + 1) * kSharingBlocks);
  return carver.used_bytes();
}

template <class Segments, class Value>
struct GroupArguments {
  const Value* values;
  Segments segments;
  Value* results;
  Value* parts;  // parts[(n / kMostOfBlock + 1) * kSharingBlocks]
  uint64_t count;
  uint32_t cluster;  // number of blocks of a cluster
  bool is_aligned;   // true: the values are aligned to units of 16 bytes
  bool may_be_long;  // true: a segment may be so long that blocks share it

  __device__ uint64_t first(uint64_t segment) const { return segments.first(segment); }
  __device__ uint64_t last(uint64_t segment) const { return segments.first(segment + 1); }
};

// ⊙ of the values of consecutive groups of kGroup lanes, in the first lane of each group.
// Requires: all lanes of the warp call it
template <int kGroup, class Value, class M>
__device__ Value fold_group(Value value, const M& monoid) {
  const int lane = threadIdx.x % kWarpLanes;
#pragma unroll
  for (int lanes = 1; lanes < kGroup; lanes *= 2) {
    const Value after = shuffle_from(value, lane + lanes);
    if (lane % kGroup + lanes < kGroup) {
      value = monoid(value, after);
    }
  }
  return value;
}

// ⊙ of values [first, last), read one after the other.
template <class Value, class M>
__device__ Value fold_lane(const Value* values, uint64_t first, uint64_t last, const M& monoid) {
  constexpr int kAtOnce = 4;
  Value sum = monoid.identity();
  for (uint64_t at = first; at < last; at += kAtOnce) {
    Value value[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      value[i] = at + i < last ? values[at + i] : monoid.identity();
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      sum = monoid(sum, value[i]);
    }
  }
  return sum;
}

template <class Value, class M>
__device__ Value fold_by_warp(const Value* values, uint64_t first, uint64_t last, bool is_aligned,
                              const M& monoid) {
  const uint64_t begin = is_aligned ? first - first % kPackOf<Value> : first;
  return fold_values(values, begin, last, first, is_aligned, monoid);
}

// Reduces the segment of each group of kGroup lanes, if it is no longer than a warp reduces.
// Requires: all lanes of the warp call it; a lane without a segment has first = last
template <int kGroup, class Segments, class Value, class M>
__device__ void reduce_short(const GroupArguments<Segments, Value>& to, uint64_t segment,
                             uint64_t first, uint64_t last, const M& monoid) {
  const int lane = threadIdx.x % kWarpLanes;
  if constexpr (kGroup == kWarpLanes) {
    if (segment < to.count && last - first <= kMostOfWarp) {
      const Value all = fold_by_warp(to.values, first, last, to.is_aligned, monoid);
      if (lane == 0) {
        to.results[segment] = all;
      }
    }
  } else {
    const bool is_short = last - first <= kGroup * kMostOfLane;
    const uint64_t share = (last - first + kGroup - 1) / kGroup;
    const uint64_t own = min(last, first + lane % kGroup * share);
    const Value part = fold_lane(to.values, own, is_short ? min(last, own + share) : own, monoid);
    const Value all = fold_group<kGroup>(part, monoid);
    const bool is_first = lane % kGroup == 0 && segment < to.count;
    if (is_first && is_short) {
      to.results[segment] = all;
    }
    const bool is_left = is_first && !is_short && last - first <= kMostOfWarp;
    for (unsigned left = __ballot_sync(kAllLanes, is_left); left != 0; left &= left - 1) {
      const int of = __ffs(static_cast<int>(left)) - 1;
      const Value whole = fold_by_warp(to.values, shuffle_from(first, of), shuffle_from(last, of),
                                       to.is_aligned, monoid);
      if (lane == of) {
        to.results[segment] = whole;
      }
    }
  }
}

// Reduces one segment by the block. Requires: all threads of the block call it, at most once
// between two barriers
template <int kWarps, class Segments, class Value, class M>
__device__ void reduce_alone(const GroupArguments<Segments, Value>& to, uint64_t segment,
                             const M& monoid) {
  const Value all =
      fold_by_block<kWarps>(to.values, to.first(segment), to.last(segment), to.is_aligned, monoid);
  if (threadIdx.x == 0) {
    to.results[segment] = all;
  }
}

// Reduces segments by all blocks of the cluster, each of which has their numbers, in any order.
// Requires: all threads of the cluster call it
template <int kWarps, class Segments, class Value, class M>
__device__ void reduce_together(const GroupArguments<Segments, Value>& to, const uint32_t* shared,
                                uint32_t count, const M& monoid) {
  constexpr uint64_t kUnit = kSharingBlocks * kFoldedOfRow<Value>;
  const uint32_t rank = blockIdx.x % to.cluster;  // number of this block in its cluster
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t first = to.first(shared[i]);
    const uint64_t last = to.last(shared[i]);
    const uint64_t share = (last - first + kUnit - 1) / kUnit * kFoldedOfRow<Value>;
    for (uint32_t part = rank; part < kSharingBlocks; part += to.cluster) {
      const uint64_t own = min(last, first + part * share);
      const Value sum =
          fold_by_block<kWarps>(to.values, own, min(last, own + share), to.is_aligned, monoid);
      if (threadIdx.x == 0) {
        to.parts[first / kMostOfBlock * kSharingBlocks + part] = sum;
      }
      __syncthreads();
    }
  }
  if (to.cluster > 1) {
    sync_cluster();
  }
  for (uint32_t i = threadIdx.x; i < count; i += kWarps * kWarpLanes) {
    if (shared[i] % to.cluster == rank) {
      const Value* parts = to.parts + to.first(shared[i]) / kMostOfBlock * kSharingBlocks;
      Value all = monoid.identity();
      for (uint32_t part = 0; part < kSharingBlocks; ++part) {
        all = monoid(all, parts[part]);
      }
      to.results[shared[i]] = all;
    }
  }
}

// Numbers of the segments of a block. Consecutive segments form a row: as many as a warp has
// groups, or one where a group is a warp or a block. Consecutive rows go to consecutive blocks, so
// that long segments side by side fall to different blocks.
template <int kGroup, int kWarps>
struct GroupPlaces {
  static constexpr uint32_t kThreads = kWarps * kWarpLanes;
  static constexpr uint32_t kOfBlock = kThreads / kGroup;  // number of segments of a block
  static constexpr uint32_t kOfRow = kGroup < kWarpLanes ? kWarpLanes / kGroup : 1;
  static constexpr bool kIsBlock = kGroup > kWarpLanes;

  static __device__ uint64_t segment(uint64_t block, uint32_t group) {
    return (uint64_t{group / kOfRow} * gridDim.x + block) * kOfRow + group % kOfRow;
  }
};

template <int kGroup, int kWarps, class Segments, class Value, class M>
__global__ void __launch_bounds__(kWarps* kWarpLanes)
    reduce_in_groups_kernel(const __grid_constant__ GroupArguments<Segments, Value> to,
                            const __grid_constant__ M monoid) {
  using Places = GroupPlaces<kGroup, kWarps>;
  constexpr uint32_t kMostShared = kMostGroupedValues / kMostOfBlock + 1;
  __shared__ uint32_t alone[Places::kOfBlock];  // segments for the block
  __shared__ uint32_t shared[kMostShared];      // segments for the cluster
  __shared__ uint32_t counts[2];                // number of segments for the block; for the cluster
  if (threadIdx.x < 2) {
    counts[threadIdx.x] = 0;
  }
  const uint64_t segment = Places::segment(blockIdx.x, threadIdx.x / kGroup);
  const bool is_there = segment < to.count;
  const uint64_t first = is_there ? to.first(segment) : 0;
  const uint64_t last = is_there ? to.last(segment) : 0;
  // Calls `use` with each shared segment of the cluster, in one thread of each block.
  const auto for_each_shared = [&](const auto& use) {
    const uint64_t block = blockIdx.x - blockIdx.x % to.cluster;
    for (uint32_t i = threadIdx.x; i < to.cluster * Places::kOfBlock; i += Places::kThreads) {
      const uint64_t s = Places::segment(block + i / Places::kOfBlock, i % Places::kOfBlock);
      if (s < to.count && to.last(s) - to.first(s) > kMostOfBlock) {
        use(static_cast<uint32_t>(s));
      }
    }
  };
  bool has_shared = false;
  if (to.may_be_long) {
    for_each_shared([&](uint32_t) { has_shared = true; });
  }
  bool is_alone = is_there && last - first <= kMostOfBlock;
  if constexpr (!Places::kIsBlock) {
    reduce_short<kGroup>(to, segment, first, last, monoid);
    is_alone = is_alone && last - first > kMostOfWarp && threadIdx.x % kGroup == 0;
  } else if (is_alone) {
    reduce_alone<kWarps>(to, segment, monoid);
    is_alone = false;
  }
  if (__syncthreads_or(has_shared || is_alone) == 0) {
    return;
  }
  if (is_alone) {
    alone[atomicAdd(&counts[0], 1u)] = static_cast<uint32_t>(segment);
  }
  if (to.may_be_long) {
    for_each_shared([&](uint32_t s) { shared[atomicAdd(&counts[1], 1u)] = s; });
  }
  __syncthreads();
  for (uint32_t i = 0; i < counts[0]; ++i) {
    reduce_alone<kWarps>(to, alone[i], monoid);
    __syncthreads();
  }
  if (counts[1] > 0) {
    reduce_together<kWarps>(to, shared, counts[1], monoid);
  }
}

// Launches the kernel with groups of kGroup threads. Requires and Errors: reduce_in_groups()
template <int kGroup, int kWarps, class Value, class Segments, class M>
void launch_in_groups(cudaStream_t stream, const Value* values, uint64_t n,
                      const Segments& segments, uint64_t count, Value* results, Value* parts,
                      const M& monoid) {
  using Places = GroupPlaces<kGroup, kWarps>;
  const auto kernel = reduce_in_groups_kernel<kGroup, kWarps, Segments, Value, M>;
  const bool may_be_long = n > kMostOfBlock;
  const uint32_t cluster = may_be_long && has_clusters(kernel) ? kSharingBlocks : 1;
  const uint64_t blocks = (count + Places::kOfBlock - 1) / Places::kOfBlock;
  const GroupArguments<Segments, Value> arguments{values,
                                                  segments,
                                                  results,
                                                  parts,
                                                  count,
                                                  cluster,
                                                  are_packs_aligned<kPackOf<Value>>(values),
                                                  may_be_long};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>((blocks + cluster - 1) / cluster * cluster);
  config.blockDim = Places::kThreads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = cluster > 1 ? 1 : 0;
  PRESORT_CUDA(cudaLaunchKernelEx(&config, kernel, arguments, monoid));
}

// Reduces `count` segments by groups of threads.
// Requires: 1 <= count <= 2^22, 1 <= n <= 2^21; a group that is not none; parts of
//           groups_scratch_bytes(n)
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Value, class Segments, class M>
void reduce_in_groups(cudaStream_t stream, SegmentGroup group, const Value* values, uint64_t n,
                      const Segments& segments, uint64_t count, Value* results, Value* parts,
                      const M& monoid) {
  const auto launch = [&]<int kGroup, int kWarps>() {
    launch_in_groups<kGroup, kWarps>(stream, values, n, segments, count, results, parts, monoid);
  };
  switch (group) {
    case SegmentGroup::none:
      return;
    case SegmentGroup::lane:
      return launch.template operator()<1, 8>();
    case SegmentGroup::lanes8:
      return launch.template operator()<8, 8>();
    case SegmentGroup::warp:
      return launch.template operator()<kWarpLanes, 8>();
    case SegmentGroup::block4:
      return launch.template operator()<4 * kWarpLanes, 4>();
    case SegmentGroup::block8:
      return launch.template operator()<8 * kWarpLanes, 8>();
    case SegmentGroup::block16:
      return launch.template operator()<16 * kWarpLanes, 16>();
  }
}

}  // namespace presort::gpu
