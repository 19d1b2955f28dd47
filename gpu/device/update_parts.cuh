// buckets[k] = buckets[k] ⊙ the values of label k, of pairs that are ordered by the top bits of
// their labels: the buckets of each part fit a table in shared memory. A block has a slice of the
// pairs, whatever parts it meets there, so that no distribution of labels leaves blocks idle.
// Requires: ⊙ commutes
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/block/shared_table.cuh"
#include "gpu/device_limits.h"
#include "gpu/digit.h"
#include "gpu/input.cuh"

namespace presort::gpu {

// Updates the table with pairs [first, last), by all threads of the block.
template <int kPack, int kPacks, class Input, class Table>
__device__ void update_table(const Input& input, uint64_t first, uint64_t last,
                             typename Input::Label first_label, Table& table) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const uint64_t aligned_first = min((first + kPack - 1) / kPack * kPack, last);
  const uint64_t step = static_cast<uint64_t>(blockDim.x) * kPack;
  uint64_t at = aligned_first;
  for (; at + step * kPacks <= last; at += step * kPacks) {
    Label label[kPacks][kPack];
    Value value[kPacks][kPack];
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      input.template load<kPack>(at + i * step + threadIdx.x * kPack, label[i], value[i]);
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        label[i][j] = static_cast<Label>(label[i][j] - first_label);
      }
      table.update(label[i], value[i]);
    }
  }
  const auto alone = [&](uint64_t i) {
    Label label[1];
    Value value[1];
    input.template load<1>(i, label, value);
    table.update_alone(static_cast<Label>(label[0] - first_label), value[0]);
  };
  for (uint64_t i = at + threadIdx.x; i < last; i += blockDim.x) {
    alone(i);
  }
  if (first + threadIdx.x < aligned_first) {
    alone(first + threadIdx.x);
  }
}

// Shapes: begins[top.count() + 1]: where each part starts
template <int kPack, int kPacks, class Input, class M>
__global__ void __launch_bounds__(1024)
    update_parts_kernel(Input input, uint64_t n, typename Input::Value* buckets, uint64_t m,
                        const uint64_t* begins, Digit top, M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  extern __shared__ __align__(16) unsigned char shared[];
  const uint64_t slice = (n + gridDim.x - 1) / gridDim.x;
  const uint64_t slice_last = min((blockIdx.x + uint64_t{1}) * slice, n);
  uint64_t at = blockIdx.x * slice;
  while (at < slice_last) {
    Label label[1];
    Value value[1];
    input.template load<1>(at, label, value);
    const uint32_t part = top.of(label[0]);
    const uint64_t last = min(begins[part + 1], slice_last);
    const uint64_t first_bucket = static_cast<uint64_t>(part) << top.shift;
    const auto bucket_count =
        static_cast<uint32_t>(min(uint64_t{1} << top.shift, m - first_bucket));
    SharedTable<Value, M> table(reinterpret_cast<Value*>(shared), bucket_count, 0, monoid);
    table.fill();
    __syncthreads();
    update_table<kPack, kPacks>(input, at, last, static_cast<Label>(first_bucket), table);
    __syncthreads();
    if (at == begins[part] && last == begins[part + 1]) {
      table.template combine_into<false>(buckets + first_bucket);
    } else {
      table.template combine_into<true>(buckets + first_bucket);
    }
    __syncthreads();
    at = last;
  }
}

// Requires: n >= 1; 2^top.shift values fit a block's shared memory; the pairs are aligned to 16
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Input, class M>
void update_parts(cudaStream_t stream, const Input& input, uint64_t n,
                  typename Input::Value* buckets, uint64_t m, const uint64_t* begins, Digit top,
                  const M& monoid) {
  constexpr int kPack = sizeof(typename Input::Label) + sizeof(typename Input::Value) <= 8 ? 2 : 1;
  constexpr int kPacks = 4;
  constexpr int kSlicesOfBlock = 4;  // so that blocks end at nearly the same time
  const DeviceLimits device = current_device_limits();
  const size_t shared_bytes = sizeof(typename Input::Value) << top.shift;
  const int threads = shared_bytes > device.shared_bytes_of_multiprocessor / 2 - 1024 ? 1024 : 512;
  const uint64_t slices = std::min<uint64_t>(
      static_cast<uint64_t>(resident_blocks(device, threads, shared_bytes)) * kSlicesOfBlock,
      n / threads + 1);
  const auto kernel = update_parts_kernel<kPack, kPacks, Input, M>;
  allow_shared_bytes(kernel, shared_bytes);
  kernel<<<static_cast<unsigned>(slices), threads, shared_bytes, stream>>>(input, n, buckets, m,
                                                                           begins, top, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
