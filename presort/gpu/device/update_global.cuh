// buckets[k] = buckets[k] ⊙ the values of label k, by atomics in the L2. A warp of which all labels
// are equal updates its bucket once; hot buckets, whose atomics would wait for each other, are
// collected in shared memory first.
// Requires: ⊙ commutes
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/hot_buckets.cuh"
#include "presort/gpu/detail/atomic_combine.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

template <int kPack, class Input, class M>
__global__ void __launch_bounds__(256)
    update_global_kernel(Input input, uint64_t n, typename Input::Value* buckets, M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  // Whole warps only, so that all lanes take part; fewer inputs are left over than a pack of every
  // lane.
  const uint64_t whole = n / (kPack * kWarpLanes) * kWarpLanes;
  using Hot = HotBuckets<Label, Value, M>;
  __shared__ typename Hot::Shared shared;
  Hot hot(shared, monoid);
  // Looks at the first input of each thread: blocks are far apart from round to round.
  const bool has_hot =
      hot.find(thread < whole ? input.label(thread * kPack) : Label{}, thread < whole);
  for (uint64_t pack = thread; pack < whole; pack += threads) {
    Label label[kPack];
    Value value[kPack];
    input.template load<kPack>(pack * kPack, label, value);
#pragma unroll
    for (int i = 0; i < kPack; ++i) {
      if (has_hot) {
        if (Value* word = hot.word(label[i])) {
          combine_atomically(word, value[i], monoid);
          continue;
        }
        combine_atomically(buckets + label[i], value[i], monoid);
      } else if (is_uniform(label[i])) {
        const Value all = reduce_warp(value[i], monoid);
        if (threadIdx.x % kWarpLanes == 0) {
          combine_atomically(buckets + label[i], all, monoid);
        }
      } else {
        combine_atomically(buckets + label[i], value[i], monoid);
      }
    }
  }
  if (has_hot) {
    __syncthreads();
    hot.combine(
        [&](Label bucket, const Value& all) { combine_atomically(buckets + bucket, all, monoid); });
  }
  for (uint64_t i = whole * kPack + thread; i < n; i += threads) {
    Label label[1];
    Value value[1];
    input.template load<1>(i, label, value);
    combine_atomically(buckets + label[0], value[0], monoid);
  }
}

// Launches the kernel. Requires: n >= 1; labels below the number of buckets
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Input, class M>
void update_global(cudaStream_t stream, const Input& input, uint64_t n,
                   typename Input::Value* buckets, const M& monoid) {
  constexpr int kThreads = 256;
  const DeviceLimits device = current_device_limits();
  const auto launch = [&]<int kPack>(std::integral_constant<int, kPack>) {
    const uint64_t blocks =
        std::min<uint64_t>(resident_blocks(device, kThreads, 0), n / (kThreads * kPack) + 1);
    update_global_kernel<kPack>
        <<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(input, n, buckets, monoid);
    PRESORT_CUDA(cudaGetLastError());
  };
  if (input.template is_aligned<4>()) {
    launch(std::integral_constant<int, 4>{});
  } else {
    launch(std::integral_constant<int, 1>{});
  }
}

}  // namespace presort::gpu
