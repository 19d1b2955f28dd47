// buckets[k] = buckets[k] ⊙ the values of label k, for inputs that are ordered by their labels:
// runs of one label are reduced in their order, grouped in any way that keeps it. A block has a
// slice of the inputs. Runs that lie in it are combined with their buckets at once; the first and
// the last, which may go on in other slices, are left for a second, short kernel.
// Requires: ⊙ associates; it need not commute, and values are of any trivially copyable type
#pragma once

#include <algorithm>
#include <cstdint>
#include <cub/block/block_scan.cuh>

#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

inline constexpr int kRunThreads = 256;

// Number of consecutive inputs that a thread reduces in a tile.
template <class Label, class Value>
inline constexpr int kRunItems = std::clamp(static_cast<int>(64 / (sizeof(Label) + sizeof(Value))),
                                            1, 8);

// The first and the last run of equal labels of each slice, in the order of the slices, in device
// memory.
template <class Label, class Value>
struct RunEnds {
  Label* labels = nullptr;  // labels[2 · slices]: labels of the first and last runs
  Value* values = nullptr;  // values[2 · slices]: sums of the first and last runs
};

// A run of equal labels that has begun and not ended, and its sum so far.
template <class Value>
struct OpenRun {
  Value value;
  bool is_second;  // true: the open run began within the slice
};

template <class Value, class M>
struct JoinRuns {
  M monoid;
  __device__ OpenRun<Value> operator()(const OpenRun<Value>& a, const OpenRun<Value>& b) const {
    return b.is_second ? b : OpenRun<Value>{monoid(a.value, b.value), a.is_second};
  }
};

// A tile of inputs in shared memory. Each thread's inputs are padded by one word, so that fewer
// threads use the same bank.
template <class Label, class Value>
struct RunTile {
  static constexpr int kItems = kRunItems<Label, Value>;
  static constexpr int kInputs = kRunThreads * kItems;
  using Scan = cub::BlockScan<OpenRun<Value>, kRunThreads>;
  static constexpr uint32_t place(uint32_t i) { return i + i / kItems; }
  Label labels[kInputs + kRunThreads];
  Value values[kInputs + kRunThreads];
  typename Scan::TempStorage scan;
};

template <class Input, class M>
__global__ void __launch_bounds__(kRunThreads)
    reduce_runs_kernel(Input input, uint64_t n, uint64_t slice, typename Input::Value* buckets,
                       RunEnds<typename Input::Label, typename Input::Value> ends, M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  using Tile = RunTile<Label, Value>;
  constexpr int kItems = Tile::kItems;
  __shared__ alignas(Tile) unsigned char raw[sizeof(Tile)];
  Tile& tile = *reinterpret_cast<Tile*>(raw);
  const uint64_t slice_first = blockIdx.x * slice;
  const uint64_t slice_last = min(slice_first + slice, n);
  const uint32_t own = threadIdx.x * kItems;
  OpenRun<Value> open = {monoid.identity(), false};
  Label open_label = input.label(slice_first);
  for (uint64_t first = slice_first; first < slice_last; first += Tile::kInputs) {
    const auto count =
        static_cast<uint32_t>(min(static_cast<uint64_t>(Tile::kInputs), slice_last - first));
    Label label[kItems][1];
    Value value[kItems][1];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const uint32_t at = i * kRunThreads + threadIdx.x;
      if (at < count) {
        input.template load<1>(first + at, label[i], value[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const uint32_t at = i * kRunThreads + threadIdx.x;
      if (at < count) {
        tile.labels[Tile::place(at)] = label[i][0];
        tile.values[Tile::place(at)] = value[i][0];
      }
    }
    __syncthreads();
    // Calls visit(label of the input before, label, value) for the thread's inputs, in order.
    const auto for_each_own = [&](const auto& visit) {
      Label before = own > 0 && own <= count ? tile.labels[Tile::place(own - 1)] : open_label;
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (own + i < count) {
          const Label now = tile.labels[Tile::place(own + i)];
          visit(before, now, tile.values[Tile::place(own + i)]);
          before = now;
        }
      }
    };
    const auto add = [&](OpenRun<Value>& run, Label before, Label now, const Value& next) {
      run = now != before ? OpenRun<Value>{next, true}
                          : OpenRun<Value>{monoid(run.value, next), run.is_second};
    };
    OpenRun<Value> of_thread = {monoid.identity(), false};
    for_each_own(
        [&](Label before, Label now, const Value& next) { add(of_thread, before, now, next); });
    OpenRun<Value> run;
    OpenRun<Value> of_tile;
    const JoinRuns<Value, M> join{monoid};
    typename Tile::Scan(tile.scan).ExclusiveScan(of_thread, run, open, join, of_tile);
    for_each_own([&](Label before, Label now, const Value& next) {
      if (now != before) {
        if (run.is_second) {
          buckets[before] = monoid(buckets[before], run.value);
        } else {
          ends.labels[2 * blockIdx.x] = before;
          ends.values[2 * blockIdx.x] = run.value;
        }
      }
      add(run, before, now, next);
    });
    open = join(open, of_tile);
    open_label = tile.labels[Tile::place(count - 1)];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const uint64_t last = 2 * blockIdx.x + 1;
    if (!open.is_second) {  // the slice is a single run, so it has no last run
      ends.labels[last - 1] = open_label;
      ends.values[last - 1] = open.value;
      open.value = monoid.identity();
    }
    ends.labels[last] = open_label;
    ends.values[last] = open.value;
  }
}

// The kernel that joins the runs that slices left, a thread for each run; the thread of a label's
// first run reduces the label's other runs.
template <class Label, class Value, class M>
__global__ void __launch_bounds__(kRunThreads)
    join_runs_kernel(RunEnds<Label, Value> ends, uint32_t count, Value* buckets, M monoid) {
  const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first >= count || (first > 0 && ends.labels[first - 1] == ends.labels[first])) {
    return;
  }
  const Label label = ends.labels[first];
  Value value = ends.values[first];
  for (uint32_t i = first + 1; i < count && ends.labels[i] == label; ++i) {
    value = monoid(value, ends.values[i]);
  }
  buckets[label] = monoid(buckets[label], value);
}

// Cuts the inputs of a reduction of runs into slices. No side effects. Requires: n >= 1
struct RunSlices {
  uint64_t inputs;  // number of inputs in a slice of the reduction
  uint32_t count;   // number of slices that the input is cut into, none of them empty
};

template <class Label, class Value>
RunSlices divide_runs(const DeviceLimits& device, uint64_t n) {
  using Tile = RunTile<Label, Value>;
  const uint64_t tiles = (n + Tile::kInputs - 1) / Tile::kInputs;
  const auto most = static_cast<uint64_t>(resident_blocks(device, kRunThreads, sizeof(Tile)));
  const uint64_t tiles_of_slice = (tiles + most - 1) / most;
  return {tiles_of_slice * Tile::kInputs,
          static_cast<uint32_t>((tiles + tiles_of_slice - 1) / tiles_of_slice)};
}

// Launches the kernels that reduce runs and join them. Requires: n >= 1; ends as large as
// divide_runs says
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Input, class M>
void reduce_runs(cudaStream_t stream, const Input& input, uint64_t n,
                 typename Input::Value* buckets,
                 const RunEnds<typename Input::Label, typename Input::Value>& ends,
                 const M& monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const RunSlices slices = divide_runs<Label, Value>(current_device_limits(), n);
  reduce_runs_kernel<<<slices.count, kRunThreads, 0, stream>>>(input, n, slices.inputs, buckets,
                                                               ends, monoid);
  PRESORT_CUDA(cudaGetLastError());
  const uint32_t count = 2 * slices.count;
  join_runs_kernel<<<(count + kRunThreads - 1) / kRunThreads, kRunThreads, 0, stream>>>(
      ends, count, buckets, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
