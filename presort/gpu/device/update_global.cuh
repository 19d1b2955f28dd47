// Updates by atomics in the L2: buckets[k] = buckets[k] ⊙ the values of label k. Lanes of a warp
// that have one label side by side update its bucket once; hot buckets, whose atomics would wait
// for each other, are collected in shared memory first.
// Requires: ⊙ commutes
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/hot_buckets.cuh"
#include "presort/gpu/detail/atomic_combine.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/detail/shared_combine.cuh"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/lane_joins.h"
#include "presort/gpu/warp/meet.cuh"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kGlobalThreads = 256;
// Blocks of kGlobalThreads threads that fill a multiprocessor.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int kGlobalBlocks = 1024 / kGlobalThreads;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || \
                                 __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
inline constexpr int kGlobalBlocks = 1536 / kGlobalThreads;
#else
inline constexpr int kGlobalBlocks = 2048 / kGlobalThreads;
#endif
// Number of rows of 32 inputs that a warp has in update_rows_kernel.
inline constexpr uint32_t kRowsOfWarp = 2;

// Kernel with one thread for each input and as little code as possible: a launch loads the code
// anew, which takes long beside few inputs.
template <class Input, class M>
__global__ void __launch_bounds__(kGlobalThreads)
    update_few_kernel(Input input, uint32_t n, typename Input::Value* buckets, M monoid) {
  const uint32_t i = blockIdx.x * kGlobalThreads + threadIdx.x;
  if (i >= n) {
    return;
  }
  const auto label = input.label(i);
  const auto value = input.value(i);
  const uint32_t lane = threadIdx.x % kWarpLanes;
  if (i - lane + kWarpLanes <= n && is_uniform(label)) {  // lanes vote only in whole warps
    const auto all = reduce_warp(value, monoid);
    if (lane == 0) {
      combine_atomically(buckets + label, all, monoid);
    }
  } else {
    combine_atomically(buckets + label, value, monoid);
  }
}

// Kernel with two inputs for each thread: a warp has two rows of 32 inputs. Where several lanes
// have one label in the first row, lanes alike are joined in both, and one of them updates their
// bucket. The search for lanes alike takes longer than an update, so it is made for every other
// row. 2^16 to 2^20.4 inputs, 160 multireduces drawn, a peer ahead by 5 %: with a search for each
// row, one row a warp, at 14; like this at 7 (one H200, 2026-11-27). Of ones, time over plain
// atomics' with a search for every row, and for every other, 2^17.5 inputs, m = 2^15: uniform 1.12,
// 1.03, cells 1.13, 1.07; 2^20 sorted, m = 2^20, 1.40, 0.95; zipf:1.25 0.42, 0.45 (one H100,
// 2026-11-26).
template <class Input, class M>
__global__ void __launch_bounds__(kGlobalThreads)
    update_rows_kernel(Input input, uint32_t n, typename Input::Value* buckets, M monoid) {
  const uint32_t lane = threadIdx.x % kWarpLanes;
  const uint32_t row = (blockIdx.x * kGlobalThreads + threadIdx.x - lane) * kRowsOfWarp;
  const uint32_t i = row + lane;
  if (row + kRowsOfWarp * kWarpLanes > n) {  // the last warp with inputs, or one without
    for (uint32_t at = i; at < min(n, row + kRowsOfWarp * kWarpLanes); at += kWarpLanes) {
      combine_atomically(buckets + input.label(at), input.value(at), monoid);
    }
    return;
  }
  typename Input::Label label[kRowsOfWarp];
  typename Input::Value value[kRowsOfWarp];
#pragma unroll
  for (uint32_t r = 0; r < kRowsOfWarp; ++r) {
    label[r] = input.label(i + r * kWarpLanes);
    value[r] = input.value(i + r * kWarpLanes);
  }
  unsigned alike = lanes_alike(kAllLanes, label[0]);
  const bool joins = __any_sync(kAllLanes, __popc(alike) >= kFewestAlike);
#pragma unroll
  for (uint32_t r = 0; r < kRowsOfWarp; ++r) {
    if (joins) {
      if (r > 0) {
        alike = lanes_alike(kAllLanes, label[r]);
      }
      value[r] = reduce_alike(kAllLanes, alike, value[r], monoid);
      if (lane + 1 != static_cast<uint32_t>(__ffs(static_cast<int>(alike)))) {
        continue;
      }
    }
    combine_atomically(buckets + label[r], value[r], monoid);
  }
}

// Most blocks of update_global_kernel that a launch has on a multiprocessor. Values of 8 bytes take
// 36 to 40 registers a thread, which leave room for six of eight blocks: the other two waited, and
// had the last quarter of the inputs to themselves. Time over a plain kernel's, eight and six:
// cells, 2^26 inputs into 2^22.8 buckets, f64, 1.09, 1.04; sorted, 2^24.2 into 2^22, u64, 1.12,
// 1.02; cells, 2^25.3 into 2^24.1, 1.00, 1.02; uniform 1.00 both. With 32 registers for eight 1.04,
// 1.05, 1.04 (one H200, 2026-11-27).
template <class Value>
inline constexpr int kLookingBlocks = sizeof(Value) == 8 && kGlobalBlocks > 6 ? 6 : kGlobalBlocks;

// A warp takes kRows rows of 32 inputs side by side at a time. A warp's first inputs are loaded
// while the block looks for hot buckets.
template <int kRows, class Input, class M>
__global__ void __launch_bounds__(kGlobalThreads, sizeof(typename Input::Value) <= 8
                                                      ? kLookingBlocks<typename Input::Value>
                                                      : 1)
    update_global_kernel(Input input, uint64_t n, typename Input::Value* buckets, M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  using Hot = HotBuckets<Label, Value, M>;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const uint32_t lane = threadIdx.x % kWarpLanes;
  // Only warps with an input for every lane work in this loop, so that all lanes take part in
  // votes.
  const uint64_t tiles = n / (kRows * kWarpLanes);
  const uint64_t warps = threads / kWarpLanes;
  const uint64_t warp = thread / kWarpLanes;
  Label label[kRows];
  Value value[kRows];
  const auto load = [&](uint64_t tile) {
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const uint64_t at = (tile * kRows + row) * kWarpLanes + lane;
      label[row] = input.label(at);
      value[row] = input.value(at);
    }
  };
  label[0] = Label{};
  if (warp < tiles) {
    load(warp);
  }
  __shared__ typename Hot::Shared shared;
  const bool has_hot = Hot(shared, monoid).find(label[0], warp < tiles);
  const auto update = [&](Label label, Value value) {
    const bool is_as_before = label == __shfl_up_sync(kAllLanes, label, 1) && lane > 0;
    const unsigned runs = __ballot_sync(kAllLanes, is_as_before);
    unsigned cold = kAllLanes;  // lanes whose bucket is not hot
    if (has_hot) {
      Value* word = Hot(shared, monoid).word(label);
      cold = __ballot_sync(kAllLanes, word == nullptr);
      if (word != nullptr) {
        combine_in_shared(word, value, monoid);
        return;
      }
    }
    if (runs == kAllLanes - 1) {  // one label in all lanes, so that all of them are here
      value = reduce_warp(value, monoid);
      if (lane > 0) {
        return;
      }
    } else if (__popc(runs) >= kFewestInRuns) {
      const unsigned alike = lanes_alike(cold, label);
      value = reduce_alike(cold, alike, value, monoid);
      if (lane + 1 != static_cast<uint32_t>(__ffs(static_cast<int>(alike)))) {
        return;
      }
    }
    combine_atomically(buckets + label, value, monoid);
  };
  for (uint64_t tile = warp; tile < tiles;) {
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      update(label[row], value[row]);
    }
    tile += warps;
    if (tile < tiles) {
      load(tile);
    }
  }
  // Inputs behind the last whole tile go to the last warps, which have a tile less or none.
  const uint64_t left = tiles * kRows * kWarpLanes;
  for (uint64_t i = left + (threads - 1 - thread); i < n; i += threads) {
    combine_atomically(buckets + input.label(i), input.value(i), monoid);
  }
  if (has_hot) {
    __syncthreads();
    Hot(shared, monoid).combine([&](Label bucket, const Value& all) {
      combine_atomically(buckets + bucket, all, monoid);
    });
  }
}

// Kernel for labels that are said to be spread (are_spread, gpu/plan/lane_joins.h): each warp has
// one row of 32 inputs at a time, and neither looks for hot buckets nor for runs. Should all lanes
// have one label after all, they update its bucket once.
template <class Input, class M>
__global__ void __launch_bounds__(kGlobalThreads, kGlobalBlocks)
    update_spread_kernel(Input input, uint64_t n, typename Input::Value* buckets, M monoid) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * kGlobalThreads;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * kGlobalThreads + threadIdx.x;
  const uint32_t lane = threadIdx.x % kWarpLanes;
  uint64_t i = thread;
  for (; i - lane + kWarpLanes <= n; i += threads) {  // an input for every lane, as lanes vote
    const auto label = input.label(i);
    const auto value = input.value(i);
    if (is_uniform(label)) {
      const auto all = reduce_warp(value, monoid);
      if (lane == 0) {
        combine_atomically(buckets + label, all, monoid);
      }
    } else {
      combine_atomically(buckets + label, value, monoid);
    }
  }
  if (i < n) {
    combine_atomically(buckets + input.label(i), input.value(i), monoid);
  }
}

// Knowledge of the labels that a kernel is given: nothing, or that they are spread (are_spread,
// gpu/plan/lane_joins.h). Results are right for others too, which take longer.
enum class ToldLabels { nothing, spread };

// Launches the kernel that updates buckets by atomics in the L2. Requires: n >= 1; labels below the
// number of buckets
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Input, class M>
void update_global(cudaStream_t stream, const Input& input, uint64_t n,
                   typename Input::Value* buckets, const M& monoid,
                   ToldLabels told = ToldLabels::nothing) {
  if (n < kFewestInputsOfHot) {
    const auto blocks = static_cast<unsigned>((n + kGlobalThreads - 1) / kGlobalThreads);
    update_few_kernel<<<blocks, kGlobalThreads, 0, stream>>>(input, static_cast<uint32_t>(n),
                                                             buckets, monoid);
    return PRESORT_CUDA(cudaGetLastError());
  }
  if (n < kFewestInputsOfLook) {
    constexpr uint32_t kInputs = kGlobalThreads * kRowsOfWarp;
    const auto blocks = static_cast<unsigned>((n + kInputs - 1) / kInputs);
    update_rows_kernel<<<blocks, kGlobalThreads, 0, stream>>>(input, static_cast<uint32_t>(n),
                                                              buckets, monoid);
    return PRESORT_CUDA(cudaGetLastError());
  }
  const auto resident =
      static_cast<uint64_t>(resident_blocks(current_device_limits(), kGlobalThreads, 0));
  if (told == ToldLabels::spread) {
    const uint64_t blocks = std::min(resident, n / kGlobalThreads + 1);
    update_spread_kernel<<<static_cast<unsigned>(blocks), kGlobalThreads, 0, stream>>>(
        input, n, buckets, monoid);
    return PRESORT_CUDA(cudaGetLastError());
  }
  using Value = typename Input::Value;
  constexpr int kRows = sizeof(Value) > 8 ? 2 : 4;
  const uint64_t most =
      static_cast<uint64_t>(current_device_limits().multiprocessors) * kLookingBlocks<Value>;
  const uint64_t blocks = std::min({resident, most, n / (kGlobalThreads * kRows) + 1});
  update_global_kernel<kRows>
      <<<static_cast<unsigned>(blocks), kGlobalThreads, 0, stream>>>(input, n, buckets, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
