// Scans runs: results[i] = buckets[k] ⊙ the values of label k before input i, or up to it, for
// inputs that are ordered by their labels; then the buckets are updated. One pass: a block has a
// tile of the inputs, and looks back only where its tile begins within a run; a tile in which a run
// begins publishes its prefix without having looked back.
// Requires: ⊙ associates; it need not commute, and values are of any trivially copyable type
// Order:    grouped by threads and tiles, in the same way in every call on every device
// Source:   van den Hurk 2022, "Irregular Segmented Look-Back Scans", with its errata
#pragma once

#include <cstdint>

#include "presort/core/scan.h"
#include "presort/gpu/device/ordered/look_back.cuh"
#include "presort/gpu/device/ordered/reduce_runs.cuh"

namespace presort::inline v0::gpu {

template <class Label, class Value>
constexpr uint64_t run_tiles(uint64_t n) {
  constexpr uint64_t kInputs = RunTile<Label, Value>::kInputs;
  return (n + kInputs - 1) / kInputs;
}

template <Scan kScan, class Input, class M>
__global__ void __launch_bounds__(kRunThreads)
    scan_runs_kernel(Input input, uint64_t n, typename Input::Value* buckets,
                     typename Input::Value* results, LookBack<typename Input::Value> look_back,
                     M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  using Tile = RunTile<Label, Value>;
  using Run = OpenRun<Value>;
  constexpr int kItems = Tile::kItems;
  __shared__ alignas(Tile) unsigned char raw[sizeof(Tile)];
  __shared__ alignas(Value) unsigned char raw_before[sizeof(Value)];
  __shared__ uint32_t number;
  Tile& tile = *reinterpret_cast<Tile*>(raw);
  if (threadIdx.x == 0) {
    number = look_back.next_tile();
  }
  __syncthreads();
  const uint64_t first = uint64_t{number} * Tile::kInputs;
  const auto count = static_cast<uint32_t>(min(static_cast<uint64_t>(Tile::kInputs), n - first));
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
  const bool begins_with_head = first == 0 || input.label(first - 1) != input.label(first);
  __syncthreads();
  // Loads the thread's consecutive inputs and, for each input that begins a run of equal labels,
  // its bucket's value.
  const uint32_t own = threadIdx.x * kItems;
  const auto is_own = [&](int i) { return own + i < count; };
  bool is_head[kItems];
  Value start[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    is_head[i] = false;
    if (is_own(i)) {
      const uint32_t at = own + i;
      label[i][0] = tile.labels[Tile::place(at)];
      value[i][0] = tile.values[Tile::place(at)];
      is_head[i] = at == 0 ? begins_with_head : tile.labels[Tile::place(at - 1)] != label[i][0];
      if (is_head[i]) {
        start[i] = buckets[label[i][0]];
      }
    }
  }
  const auto add = [&](Run& run, int i) {
    run = is_head[i] ? Run{monoid(start[i], value[i][0]), true}
                     : Run{monoid(run.value, value[i][0]), run.is_second};
  };
  Run of_thread = {monoid.identity(), false};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_own(i)) {
      add(of_thread, i);
    }
  }
  const JoinRuns<Value, M> join{monoid};
  Run run;
  Run of_tile;
  typename Tile::Scan(tile.scan).ExclusiveScan(of_thread, run, Run{monoid.identity(), false}, join,
                                               of_tile);
  // ⊙ of the values before the tile that belong to the run in which the tile begins; nothing if a
  // run begins with the tile.
  Value& before = *reinterpret_cast<Value*>(raw_before);
  if (threadIdx.x < kWarpLanes) {
    const Descriptor<Value> own{of_tile.is_second ? TileState::prefix : TileState::aggregate,
                                of_tile.value};
    const Value found = look_back.pass(number, own, !begins_with_head, monoid);
    if (threadIdx.x == 0) {
      before = found;
    }
  }
  __syncthreads();
  if (!run.is_second && !begins_with_head) {
    run.value = threadIdx.x == 0 ? before : monoid(before, run.value);
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_own(i)) {
      const uint32_t at = own + i;
      const Value exclusive = is_head[i] ? start[i] : run.value;
      add(run, i);
      tile.values[Tile::place(at)] = kScan == Scan::exclusive ? exclusive : run.value;
      const bool is_last_of_run =
          at + 1 < count ? tile.labels[Tile::place(at + 1)] != label[i][0]
                         : first + count == n || input.label(first + count) != label[i][0];
      if (is_last_of_run) {
        buckets[label[i][0]] = run.value;
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const uint32_t at = i * kRunThreads + threadIdx.x;
    if (at < count) {
      results[first + at] = tile.values[Tile::place(at)];
    }
  }
}

// Launches the scan of runs. Requires: 1 <= n <= 2^32; look_back of run_tiles(n)
// Errors:   EnvironmentError when CUDA refuses a launch
template <Scan kScan, class Input, class M>
void scan_runs(cudaStream_t stream, const Input& input, uint64_t n, typename Input::Value* buckets,
               typename Input::Value* results, const LookBack<typename Input::Value>& look_back,
               const M& monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  look_back.clear(stream);
  const auto tiles = static_cast<unsigned>(run_tiles<Label, Value>(n));
  scan_runs_kernel<kScan>
      <<<tiles, kRunThreads, 0, stream>>>(input, n, buckets, results, look_back, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
