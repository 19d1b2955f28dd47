// buckets[k] = buckets[k] ⊙ the values of label k, through tables in the blocks' shared memory.
// Buckets that do not fit one table are divided into ranges: each block has the table of one range
// and a slice of the input, and blocks of the same slice run side by side, so that the input comes
// from device memory once and from the L2 as often as there are ranges (He et al. 2007; the
// thesis' multi-pass scheme, Eilers 2014, §4.1).
// Requires: ⊙ commutes
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "presort/gpu/block/shared_table.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/launch_shapes.h"

namespace presort::inline v0::gpu {

// How the buckets are divided into ranges, each of which fits a table in a block's shared memory.
// No side effects.
struct SharedRanges {
  uint32_t buckets = 0;  // number of buckets in one table
  int ranges = 1;
  int sets_log2 = 0;  // number of copies of each bucket
  size_t shared_bytes(size_t value_bytes) const {
    return ((value_bytes * buckets) << sets_log2) + kSpareBytes;
  }
};

// Divides m buckets into ranges. Requires: m >= 1, ranges >= 1, sets a power of two
inline SharedRanges divide_buckets(uint64_t m, int ranges, int sets) {
  return {.buckets = static_cast<uint32_t>((m + ranges - 1) / ranges),
          .ranges = ranges,
          .sets_log2 = std::countr_zero(static_cast<unsigned>(sets))};
}

// True if a block loads values only of its own range of buckets, after the labels: large ones,
// which take a load each anyway.
template <class Input>
inline constexpr bool kLoadsOwn = sizeof(typename Input::Value) > 8;

// Updates a block's table with its slice of the inputs, reading kPacks times kPack of them at a
// time.
template <int kPack, int kPacks, class Input, class Table>
__device__ void update_from_slice(const Input& input, uint64_t n, uint64_t slice, uint64_t slices,
                                  typename Input::Label first_label, Table& table) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const uint64_t tile_inputs = static_cast<uint64_t>(blockDim.x) * kPack * kPacks;
  const uint64_t tiles = n / tile_inputs;
  for (uint64_t tile = slice; tile < tiles; tile += slices) {
    Label label[kPacks][kPack];
    Value value[kPacks][kPack];
    const auto first_of = [&](int i) {
      return tile * tile_inputs + (i * blockDim.x + threadIdx.x) * kPack;
    };
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      input.template load<kPack>(first_of(i), label[i], value[i]);
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        label[i][j] = static_cast<Label>(label[i][j] - first_label);
        if constexpr (kLoadsOwn<Input>) {
          // The compiler drops the load of all values above.
          value[i][j] = Value{};
          if (table.has(label[i][j])) {
            const uint64_t at = first_of(i) + j;
            value[i][j] = kPack > 1 ? input.value_of_aligned(at) : input.value(at);
          }
        }
      }
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      table.update(label[i], value[i]);
    }
  }
  if (slice == tiles % slices) {
    for (uint64_t i = tiles * tile_inputs + threadIdx.x; i < n; i += blockDim.x) {
      Label label[1];
      Value value[1];
      input.template load<1>(i, label, value);
      table.update_alone(static_cast<Label>(label[0] - first_label), value[0]);
    }
  }
}

// Finds the two most frequent buckets of a range, by a sample of 32 labels from all over the input;
// a bucket counts if it comes at least three times. Called by all lanes of a warp.
// Requires: n >= 1
template <class Input>
__device__ FrequentBuckets frequent_buckets(const Input& input, uint64_t n,
                                            typename Input::Label first_label,
                                            uint32_t bucket_count) {
  using Label = typename Input::Label;
  using Word = std::conditional_t<sizeof(Label) == 8, unsigned long long, unsigned>;
  constexpr uint32_t kLeast = 3;
  const uint32_t lane = threadIdx.x % kWarpLanes;
  const Label label = input.label((2 * lane + 1) * n / (2 * kWarpLanes));
  const auto bucket = static_cast<Label>(label - first_label);
  const uint32_t alike = __popc(__match_any_sync(kAllLanes, static_cast<Word>(label)));
  uint32_t times = bucket < bucket_count ? alike : 0;
  const auto take_most = [&] {
    const uint32_t best = reduce_warp(times * kWarpLanes + lane, Max<uint32_t>{});
    const auto most = static_cast<uint32_t>(
        __shfl_sync(kAllLanes, static_cast<Word>(bucket), static_cast<int>(best % kWarpLanes)));
    if (best / kWarpLanes < kLeast) {
      return UINT32_MAX;
    }
    times = bucket == most ? 0 : times;
    return most;
  };
  const uint32_t first = take_most();
  return {first, take_most()};
}

// Index of the input that a thread samples to find hot buckets: a block's threads sample inputs
// evenly spread over the block's slice. n (no sample) when the slice has fewer inputs than the
// block has threads.
__device__ inline uint64_t sampled_input(uint64_t n, uint64_t slice, uint64_t slices) {
  const uint64_t at = slice * (n / slices) + threadIdx.x * (n / slices / blockDim.x);
  return n / slices >= blockDim.x ? at : n;
}

// Fewest inputs of a slice of which many are counted to find hot buckets, which takes about 3 µs.
inline constexpr uint64_t kFewestInputsOfCounts = uint64_t{1} << 18;

// Bits of more slots for hot buckets than HotWords has by itself: tables of floats have the room.
template <class Value>
inline constexpr uint32_t kMoreHotBits = sizeof(Value) <= 8 ? 1 : 0;

// Finds the hot buckets of a block's range; the block's table is free for counts. Inputs that are
// counted are from all over, as a block's tiles are.
template <class Hot, class Input>
__device__ bool find_hot(Hot hot, uint32_t* tally, const Input& input, uint64_t n, uint64_t slice,
                         uint64_t slices, typename Input::Label first_label, uint32_t bucket_count,
                         uint64_t m, uint32_t copies) {
  using Label = typename Input::Label;
  const uint64_t inputs = n / slices;
  if (inputs < kFewestInputsOfCounts) {
    const uint64_t at = sampled_input(n, slice, slices);
    const auto bucket = at < n ? static_cast<Label>(input.label(at) - first_label) : Label{};
    return hot.find(static_cast<uint32_t>(bucket), at < n && bucket < bucket_count);
  }
  constexpr int kSampled = 4;  // sampled inputs of a thread, side by side: one sector of memory
  const uint64_t first =
      (threadIdx.x * slices + slice) * (inputs / blockDim.x) / kSampled * kSampled;
  uint32_t bucket[kSampled];
  bool is_own[kSampled];
#pragma unroll
  for (int i = 0; i < kSampled; ++i) {
    const auto own = static_cast<Label>(input.label(first + i) - first_label);
    bucket[i] = static_cast<uint32_t>(own);
    is_own[i] = own < bucket_count;
  }
  return hot.find_by_counts(tally, bucket_count, m, copies, bucket, is_own);
}

// How shared memory helps with skewed labels: not at all; with lane words for the two most frequent
// buckets, in the table's spare bytes; or with lane words for hot buckets, behind the table.
enum class SkewedTable { plain, frequent, hot };

// Blocks of 1024 threads of a multiprocessor for which a kernel leaves registers: two, where a
// thread has few inputs at a time and small ones.
template <class Input>
constexpr int blocks_by_registers(int inputs) {
  return inputs <= 8 && sizeof(typename Input::Value) <= 4 ? 2 : 1;
}

// True if a multiprocessor has one block at a time because of registers, however small the table:
// values of 8 bytes. Copies of its buckets then cost no blocks, and 16 inputs a thread spill. f64,
// times of u32, one copy and 16 inputs, as many copies as fit and 8 inputs: m = 2^12 R-MAT 3.02,
// 1.82, words 2.48, 1.82, uniform 1.69, 1.73, zipf:1.25 2.19, 2.34; m = 2^13 R-MAT 3.20, 2.05;
// m = 2^14, one copy, uniform 1.82, 1.60 (one H100, 2026-11-26).
template <class Input>
inline constexpr bool kHasOneBlock = sizeof(typename Input::Value) == 8;

// The most copies of each bucket, as a logarithm, of one range that `fits` accepts, up to 16; those
// of the division if it has several ranges.
template <class Fits>
int most_sets_log2(SharedRanges division, const Fits& fits) {
  constexpr int kMost = 4;
  while (division.ranges == 1 && division.sets_log2 < kMost) {
    ++division.sets_log2;
    if (!fits(division)) {
      return division.sets_log2 - 1;
    }
  }
  return division.sets_log2;
}

template <int kPack, int kPacks, SkewedTable kTable, class Input, class M>
__global__ void __launch_bounds__(1024, blocks_by_registers<Input>(kPack* kPacks))
    update_shared_kernel(Input input, uint64_t n, typename Input::Value* buckets, uint64_t m,
                         SharedRanges division, uint32_t table_bytes, M monoid) {
  constexpr bool kHasFrequent = kTable == SkewedTable::frequent;
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  extern __shared__ __align__(16) unsigned char shared[];
  const int range = blockIdx.x % division.ranges;
  const uint64_t slice = blockIdx.x / division.ranges;
  const uint64_t slices = gridDim.x / division.ranges;
  const uint64_t first_bucket = static_cast<uint64_t>(range) * division.buckets;
  const auto bucket_count = static_cast<uint32_t>(
      first_bucket < m ? min(static_cast<uint64_t>(division.buckets), m - first_bucket) : 0);
  FrequentBuckets frequent;
  if constexpr (kHasFrequent) {
    frequent = frequent_buckets(input, n, static_cast<Label>(first_bucket), bucket_count);
  }
  using Hot = HotBuckets<uint32_t, Value, M, kMoreHotBits<Value>>;
  constexpr bool kKeepsTops = blocks_by_registers<Input>(kPack * kPacks) == 1;
  SharedTable<Value, M, kHasFrequent, Hot, kKeepsTops> table(
      reinterpret_cast<Value*>(shared), bucket_count, division.sets_log2, monoid, frequent);
  auto& hot = *reinterpret_cast<typename Hot::Shared*>(shared + table_bytes);
  bool has_hot = false;
  if constexpr (kTable == SkewedTable::hot) {
    has_hot =
        find_hot(Hot(hot, monoid), reinterpret_cast<uint32_t*>(shared), input, n, slice, slices,
                 static_cast<Label>(first_bucket), bucket_count, m, 1u << division.sets_log2);
  }
  table.fill();
  __syncthreads();
  if constexpr (kTable == SkewedTable::hot) {
    if (has_hot) {
      table.set_hot(hot);
    }
  }
  update_from_slice<kPack, kPacks>(input, n, slice, slices, static_cast<Label>(first_bucket),
                                   table);
  __syncthreads();
  if constexpr (kTable == SkewedTable::hot) {
    table.take_back_hot();
    __syncthreads();
  }
  table.template combine_into<true>(buckets + first_bucket);
  if constexpr (kHasFrequent) {
    table.combine_frequent_into(buckets + first_bucket);
  }
}

// Fewest buckets of a table for which blocks look for hot buckets. A smaller table has so many
// copies of each bucket that lanes rarely meet.
inline constexpr uint64_t kFewestOfHot = 32;

// Launches the kernel that updates buckets through tables in shared memory. Requires: n >= 1, m >=
// 1; division.shared_bytes fits a block; labels below m
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Input, class M>
void update_shared(cudaStream_t stream, const Input& input, uint64_t n,
                   typename Input::Value* buckets, uint64_t m, SharedRanges division,
                   const M& monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  // Labels are read in packs of 16 bytes or more, with as many packs in flight as keep memory busy:
  // twice as many where a multiprocessor has one block alone.
  constexpr int kWidePack = kLoadsOwn<Input> ? 2 : sizeof(Label) >= 4 ? 4 : 16 / sizeof(Label);
  constexpr int kPacksOfOneBlock = (kLoadsOwn<Input> ? 4 : 16) / kWidePack;
  const DeviceLimits device = current_device_limits();
  constexpr bool kMayKeepHot = kMayHaveHot<M, Value> && kUpdatesInAnyOrder<M, Value>;
  bool keeps_hot = false;
  size_t hot_bytes = 0;
  if constexpr (kMayKeepHot) {
    hot_bytes = sizeof(HotWords<uint32_t, Value, kMoreHotBits<Value>>);
    const auto fits = [&](const SharedRanges& ranges) {
      return whole_packs(static_cast<uint32_t>(ranges.shared_bytes(sizeof(Value)))) + hot_bytes <=
             device.shared_bytes_of_block;
    };
    // Where values are compared and swapped, hot buckets matter more than copies of all of them,
    // and than one range more: f32, m = 28,197, zipf:1.25 0.0123 ns an input by two copies, m =
    // 23,170 with hot buckets 0.0036 (one H100, 2026-11-26).
    if constexpr (kSwapsInShared<M, Value>) {
      while (division.sets_log2 > 0 && !fits(division)) {
        --division.sets_log2;
      }
      if constexpr (kHasOneBlock<Input>) {
        division.sets_log2 = most_sets_log2(division, fits);
      }
      const SharedRanges more = divide_buckets(m, division.ranges + 1, 1);
      if (!fits(division) && fits(more) && more.ranges <= device.multiprocessors) {
        division = more;
      }
    }
    keeps_hot = m > kFewestOfHot && fits(division);
  }
  const size_t of_table = division.shared_bytes(sizeof(Value));
  const uint32_t table_bytes = whole_packs(static_cast<uint32_t>(of_table));
  const size_t shared_bytes = keeps_hot ? table_bytes + hot_bytes : of_table;
  const TableBlockShape shape =
      table_block_shape(device, n, kWidePack, kPacksOfOneBlock, shared_bytes, kHasOneBlock<Input>);
  const int resident = resident_blocks(device, shape.threads, shared_bytes);
  const auto launch_as = [&]<int kPack, int kPacks, SkewedTable kTable>(
                             std::integral_constant<int, kPack>,
                             std::integral_constant<int, kPacks>,
                             std::integral_constant<SkewedTable, kTable>) {
    const uint64_t tiles = n / (static_cast<uint64_t>(shape.threads) * kPack * kPacks) + 1;
    const uint64_t slices =
        std::max<uint64_t>(1, std::min<uint64_t>(resident / division.ranges, tiles));
    const auto kernel = update_shared_kernel<kPack, kPacks, kTable, Input, M>;
    allow_shared_bytes(kernel, shared_bytes);
    kernel<<<static_cast<unsigned>(slices * division.ranges), shape.threads, shared_bytes,
             stream>>>(input, n, buckets, m, division, table_bytes, monoid);
    PRESORT_CUDA(cudaGetLastError());
  };
  // Frequent buckets get words of their own only with several ranges: with one range every block
  // has the frequent bucket, and device memory is the limit, not shared memory.
  constexpr bool kMayHaveFrequent = kCombinesInOneStep<M, Value> && !kHasOnes<Input>;
  const auto launch = [&](auto pack, auto packs) {
    if constexpr (kMayHaveFrequent) {
      if (division.ranges > 1) {
        return launch_as(pack, packs, std::integral_constant<SkewedTable, SkewedTable::frequent>{});
      }
    }
    if constexpr (kMayKeepHot) {
      if (keeps_hot) {
        return launch_as(pack, packs, std::integral_constant<SkewedTable, SkewedTable::hot>{});
      }
    }
    launch_as(pack, packs, std::integral_constant<SkewedTable, SkewedTable::plain>{});
  };
  if (!input.template is_aligned<kWidePack>()) {
    launch(std::integral_constant<int, 1>{},
           std::integral_constant<int, std::min(4, kPacksOfOneBlock)>{});
  } else if (shape.packs == 1) {
    launch(std::integral_constant<int, kWidePack>{}, std::integral_constant<int, 1>{});
  } else if (shape.packs == kPacksOfOneBlock) {
    launch(std::integral_constant<int, kWidePack>{},
           std::integral_constant<int, kPacksOfOneBlock>{});
  } else {
    launch(std::integral_constant<int, kWidePack>{},
           std::integral_constant<int, (kPacksOfOneBlock + 1) / 2>{});
  }
}

}  // namespace presort::gpu
