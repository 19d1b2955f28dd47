// buckets[k] = buckets[k] ⊙ the values of label k, in the order of the inputs, for inputs that are
// ordered, stably, by the top bits of their labels, or not at all where there are few buckets. A
// warp has a slice of the inputs, and a table of the buckets of a part in shared memory. In a row
// of 32 inputs, the lanes that hold one label are reduced in their order; the last of them updates
// the table. Parts that lie in a slice are combined with their buckets at once; the tables of the
// first part and the last, which may go on in other slices, are left for a second, short kernel.
// Requires: ⊙ associates; it need not commute, and values are of any trivially copyable type
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/part_table.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/device/ordered/join_parts.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

inline constexpr int kPartsThreads = 128;
inline constexpr int kPartsWarps = kPartsThreads / kWarpLanes;
inline constexpr int kPartsBlocks = 8;  // blocks on a multiprocessor: 64 registers a thread

// Number of rows of 32 inputs that a warp loads before it uses the first.
template <class Label, class Value>
inline constexpr int kPartRows = std::clamp(static_cast<int>(128 / (sizeof(Label) + sizeof(Value))),
                                            1, 8);

template <class Input, class M>
__global__ void __launch_bounds__(kPartsThreads, kPartsBlocks)
    reduce_parts_kernel(Input input, uint64_t n, uint64_t slice, PartBits bits,
                        typename Input::Value* buckets, uint64_t m,
                        PartEnds<typename Input::Label, typename Input::Value> ends, M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  using Ends = PartEnds<Label, Value>;
  constexpr int kRows = kPartRows<Label, Value>;
  extern __shared__ __align__(16) unsigned char raw[];
  const uint32_t warp = threadIdx.x / kWarpLanes;
  const uint64_t number = static_cast<uint64_t>(blockIdx.x) * kPartsWarps + warp;
  const uint64_t slice_first = number * slice;
  if (slice_first >= n) {
    return;
  }
  const uint64_t slice_last = min(slice_first + slice, n);
  unsigned char* own = raw + warp * part_table_bytes<Value>(bits);
  const PartTable<Value, M> table{reinterpret_cast<Value*>(own),
                                  reinterpret_cast<uint32_t*>(own + part_entry_bytes<Value>(bits)),
                                  bits, monoid};
  table.clear();
  const uint32_t lane = table.lane();
  PartOf<Label> open = bits.part(input.label(slice_first));
  bool is_first = true;
  const auto leave = [&](uint64_t end) {
    if (lane == 0) {
      ends.parts[end] = open;
    }
    table.move_to(ends.tables + (end << bits.table_bits));
  };
  const auto close = [&] {
    if (is_first) {
      leave(2 * number);
      is_first = false;
    } else {
      const uint64_t at = static_cast<uint64_t>(open) << bits.table_bits;
      table.combine_into(buckets + at, m - at);
    }
  };
  for (uint64_t first = slice_first; first < slice_last; first += kRows * kWarpLanes) {
    Label label[kRows][1];
    Value value[kRows][1];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const uint64_t at = first + i * kWarpLanes + lane;
      if (at < slice_last) {
        input.template load<1>(at, label[i], value[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const PartOf<Label> part = bits.part(label[i][0]);
      // A row of 32 inputs may hold several parts, one after the other.
      unsigned left = __ballot_sync(kAllLanes, first + i * kWarpLanes + lane < slice_last);
      while (left != 0) {
        const PartOf<Label> next = __shfl_sync(kAllLanes, part, __ffs(static_cast<int>(left)) - 1);
        if (next != open) {
          close();
          open = next;
        }
        const bool is_active = (left >> lane & 1u) != 0 && part == open;
        table.update(bits.bucket(label[i][0]), value[i][0], is_active);
        left &= ~__ballot_sync(kAllLanes, is_active);
      }
    }
  }
  leave(2 * number + (is_first ? 0 : 1));
  if (is_first && lane == 0) {
    ends.parts[2 * number + 1] = Ends::kNone;
  }
}

// Cuts the inputs of an ordered reduction into slices. No side effects. Requires: n >= 1
struct PartSlices {
  uint64_t inputs;  // number of inputs in a slice of the reduction
  uint32_t count;   // number of slices that the input is cut into, none of them empty
};

template <class Label, class Value>
PartSlices divide_parts(const DeviceLimits& device, uint64_t n, const PartBits& bits) {
  constexpr uint64_t kRound = kPartRows<Label, Value> * kWarpLanes;
  // Fewest inputs of a slice for each bucket of the two tables that it leaves
  constexpr uint64_t kInputsOfBucket = 4;
  constexpr uint64_t kFewestSlices = 32;  // least number of slices, for few inputs
  const size_t shared_bytes = kPartsWarps * part_table_bytes<Value>(bits);
  const int blocks = std::min(resident_blocks(device, kPartsThreads, shared_bytes),
                              kPartsBlocks * device.multiprocessors);
  const auto most = static_cast<uint64_t>(blocks) * kPartsWarps;
  const uint64_t least = std::min(kInputsOfBucket << bits.table_bits, n / kFewestSlices);
  const uint64_t inputs = std::max({(n + most - 1) / most, least, uint64_t{1}});
  const uint64_t whole = (inputs + kRound - 1) / kRound * kRound;
  return {whole, static_cast<uint32_t>((n + whole - 1) / whole)};
}

// Launches the kernels that reduce parts and join their tables. Requires: n >= 1; 1 <= table_bits,
// tables that fit a block; ends as many as divide_parts says
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Input, class M>
void reduce_parts(cudaStream_t stream, const Input& input, uint64_t n,
                  typename Input::Value* buckets, uint64_t m, const PartBits& bits,
                  const PartEnds<typename Input::Label, typename Input::Value>& ends,
                  const M& monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const PartSlices slices = divide_parts<Label, Value>(current_device_limits(), n, bits);
  const size_t shared_bytes = kPartsWarps * part_table_bytes<Value>(bits);
  const auto reduce = reduce_parts_kernel<Input, M>;
  allow_shared_bytes(reduce, shared_bytes);
  reduce<<<(slices.count + kPartsWarps - 1) / kPartsWarps, kPartsThreads, shared_bytes, stream>>>(
      input, n, slices.inputs, bits, buckets, m, ends, monoid);
  PRESORT_CUDA(cudaGetLastError());
  join_parts(stream, ends, 2 * slices.count, bits, buckets, m, monoid);
}

}  // namespace presort::gpu
