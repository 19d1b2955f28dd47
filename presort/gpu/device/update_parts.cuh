// buckets[k] = buckets[k] ⊙ the values of label k, of pairs that are ordered by the top bits of
// their labels, through tables in shared memory. A block has a slice of the pairs, whatever parts
// it meets there, so that no distribution of labels leaves blocks idle. Where a table cannot hold
// the buckets of a part, it holds a range of them, and blocks of the same slice, side by side, have
// the others: the slice is read from the L2 once more for each.
// Requires: ⊙ commutes
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/bulk_copy.cuh"
#include "presort/gpu/block/shared_table.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/detail/shared_combine.cuh"
#include "presort/gpu/device/cut_pairs.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/launch_shapes.h"
#include "presort/gpu/warp/search.cuh"

namespace presort::inline v0::gpu {

// Updates the table with pairs [first, last), by all threads of the block. All of kPacks packs are
// loaded before the first is used, the last few of a part too: loaded one by one, the remainder of
// a part of 2^14 pairs took as long as the rest of the part.
// Requires: the table has fewer buckets than Label can name
template <int kPack, int kPacks, class Input, class Table>
__device__ void update_table(const Input& input, uint64_t first, uint64_t last,
                             typename Input::Label first_label, Table& table) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const uint64_t first_pack = min((first + kPack - 1) / kPack * kPack, last);
  const uint64_t last_pack = first_pack + (last - first_pack) / kPack * kPack;
  const uint64_t step = static_cast<uint64_t>(blockDim.x) * kPack;
  for (uint64_t at = first_pack; at < last_pack; at += step * kPacks) {
    Label label[kPacks][kPack];
    Value value[kPacks][kPack];
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const uint64_t pack = at + i * step + threadIdx.x * kPack;
      if (pack < last_pack) {
        input.template load<kPack>(pack, label[i], value[i]);
      } else {
#pragma unroll
        for (int j = 0; j < kPack; ++j) {
          // Pairs beyond the end of the part get a label outside the table, so that they update
          // nothing.
          label[i][j] = static_cast<Label>(first_label - 1);
        }
      }
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
  if (last_pack + threadIdx.x < last) {
    alone(last_pack + threadIdx.x);
  }
  if (first + threadIdx.x < first_pack) {
    alone(first + threadIdx.x);
  }
}

// Divides the buckets of a part into tables in shared memory. No side effects.
struct PartRanges {
  uint32_t buckets = 0;  // number of buckets of one table
  int ranges = 1;
};

inline PartRanges divide_part(uint64_t part_buckets, int ranges) {
  constexpr uint64_t kPack = 4;  // true: tables begin at whole packs of buckets
  const uint64_t of_range = (part_buckets + ranges - 1) / ranges;
  return {static_cast<uint32_t>((of_range + kPack - 1) / kPack * kPack), ranges};
}

// Where the parts lie in an array of pairs; there may be gaps between parts.
// Shapes: begins[count + 1], of a part at or behind the end of the one before; ends[count]
struct Parts {
  const uint64_t* begins;
  const uint64_t* ends;
  uint32_t count;

  // Number of the last part that begins at or before pair `at`. Called by all lanes of a warp.
  // Requires: at < begins[count]
  __device__ uint32_t at_or_before(uint64_t at) const {
    return last_at_or_before(begins, count, at);
  }
  // The place nearest to `at` where a part begins, if it is at most `reach` away; else `at`. Called
  // by all lanes of a warp. Requires: at <= begins[count]
  __device__ uint64_t nearest_begin(uint64_t at, uint64_t reach) const {
    if (at >= begins[count]) {
      return at;
    }
    const uint32_t part = at_or_before(at);
    if (at - begins[part] <= reach) {
      return begins[part];
    }
    return begins[part + 1] - at <= reach ? begins[part + 1] : at;
  }
  // Number of the next part that has pairs; `count` if no part is left.
  __device__ uint32_t next(uint32_t part) const {
    for (uint32_t first = part + 1; first < count; first += kWarpLanes) {
      const uint32_t own = first + threadIdx.x % kWarpLanes;
      const unsigned have = __ballot_sync(kAllLanes, own < count && begins[own] < ends[own]);
      if (have != 0) {
        return first + __ffs(static_cast<int>(have)) - 1;
      }
    }
    return count;
  }
};

// A range of buckets, and the pairs that update it.
template <class Value>
struct PartsPiece {
  Value* buckets = nullptr;
  uint64_t m = 0;      // number of buckets
  uint64_t first = 0;  // label of the first bucket, which begins a part
  Parts parts{};       // parts of the pairs of this range alone
};

// All buckets in one array.
template <class Value>
struct OnePiece {
  static constexpr bool kBeginsAtZero = true;  // the first part begins at pair 0
  static constexpr bool kMayKeepPartsWhole = false;
  Value* buckets;
  uint64_t m;
  Parts parts;

  __host__ __device__ constexpr unsigned count() const { return 1; }
  __device__ PartsPiece<Value> of(unsigned) const { return {buckets, m, 0, parts}; }
};

// An input whose labels count from a first label on.
template <class Input>
struct InputFrom {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const Input& input;
  Label first;

  __device__ Label label(uint64_t i) const { return static_cast<Label>(input.label(i) - first); }
  template <int kCount>
  __device__ void load(uint64_t i, Label (&label)[kCount], Value (&value)[kCount]) const {
    input.template load<kCount>(i, label, value);
#pragma unroll
    for (int j = 0; j < kCount; ++j) {
      label[j] = static_cast<Label>(label[j] - first);
    }
  }
};

// buckets[i] = buckets[i] ⊙ table[i], for i < count, by the copy engine, which goes on when this
// returns: the threads that asked for it wait with wait_for_bulk_reads() before the table is
// written again. Called by all threads of the block, which need no barrier before it.
template <class Value, class M>
__device__ void combine_in_bulk(Value* buckets, const Value* table, uint32_t count,
                                const M& monoid) {
  constexpr uint32_t kPiece = 4096 / sizeof(Value);
  constexpr uint32_t kAligned = kBulkAlignment / sizeof(Value);
  fence_for_bulk();
  __syncthreads();
  const uint32_t whole = count / kAligned * kAligned;
  for (uint32_t i = threadIdx.x * kPiece; i < whole; i += blockDim.x * kPiece) {
    reduce_bulk(buckets + i, table + i,
                min(kPiece, whole - i) * static_cast<uint32_t>(sizeof(Value)), monoid);
  }
  if (whole + threadIdx.x < count) {
    combine_one<true>(buckets + whole + threadIdx.x, table[whole + threadIdx.x], monoid);
  }
}

// A block whose share of a part has fewer pairs a thread than this does not look for hot buckets.
// Where buckets are updated by compare and swap, lanes that meet at one try again and again: with a
// look from 16 pairs a thread on, and from 2, f64, zipf:1.25 labels, 2^24 inputs into 2^24 buckets
// 0.120, 0.034 ns an input; words, 2^26 into 2^28, 0.096, 0.046, f32 0.040, 0.029; uniform labels
// there 0.0390, 0.0412 and 0.0256, 0.0263, elsewhere as before. From 1 on uniform labels lose 7 %,
// 2^24 inputs into 2^28 buckets (one H200, 2026-11-29).
template <class M, class Value>
inline constexpr uint64_t kFewestPairsOfHot = kSwapsInShared<M, Value> ? 2 : 16;

// Blocks have pieces by turns, so that pieces in slow memory are updated while others are.
template <int kPack, int kPacks, bool kKeepsHot, class Input, class Pieces, class M>
__global__ void __launch_bounds__(1024)
    update_parts_kernel(Input all_input, Pieces pieces, int shift, PartRanges division,
                        uint32_t table_bytes, M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  constexpr bool kInBulk = kHasBulkCopies && kReducesInBulk<M, Value>;
  extern __shared__ __align__(16) unsigned char shared[];
  const uint64_t slices = gridDim.x / division.ranges / pieces.count();
  const uint64_t number = blockIdx.x / division.ranges / pieces.count();
  const PartsPiece<Value> piece = pieces.of(blockIdx.x / division.ranges % pieces.count());
  const InputFrom<Input> input{all_input, static_cast<Label>(piece.first)};
  Value* const buckets = piece.buckets;
  const uint64_t m = piece.m;
  const Parts& parts = piece.parts;
  const uint64_t before = static_cast<uint64_t>(blockIdx.x % division.ranges) * division.buckets;
  const uint64_t first_pair = Pieces::kBeginsAtZero ? 0 : parts.begins[0];
  const uint64_t all = parts.begins[parts.count] - first_pair;
  const uint64_t slice = (all + slices - 1) / slices;
  // A part that two slices share writes its table twice, which slow memory would be too slow for.
  const auto begin_of = [&](uint64_t slice_number) {
    const uint64_t begin = first_pair + min(slice_number * slice, all);
    if constexpr (Pieces::kMayKeepPartsWhole) {
      return pieces.keeps_parts_whole ? parts.nearest_begin(begin, slice / 2) : begin;
    }
    return begin;
  };
  const uint64_t slice_last = begin_of(number + 1);
  uint64_t at = begin_of(number);
  if (at >= slice_last) {
    return;
  }
  uint32_t part = parts.at_or_before(at);
  while (at < slice_last) {
    const uint64_t first = parts.begins[part];
    const uint64_t end = parts.ends[part];
    const uint64_t last = min(end, slice_last);
    if (at < last) {
      const uint64_t first_bucket = (static_cast<uint64_t>(part) << shift) + before;
      const uint64_t last_bucket = min(static_cast<uint64_t>(part + 1) << shift, m);
      const auto bucket_count = static_cast<uint32_t>(
          first_bucket < last_bucket
              ? min(static_cast<uint64_t>(division.buckets), last_bucket - first_bucket)
              : 0);
      SharedTable<Value, M> table(reinterpret_cast<Value*>(shared), bucket_count, 0, monoid);
      if constexpr (kInBulk) {
        wait_for_bulk_reads();
        __syncthreads();
      }
      table.fill();
      __syncthreads();
      using Hot = typename decltype(table)::Hot;
      auto& hot = *reinterpret_cast<typename Hot::Shared*>(shared + table_bytes);
      if constexpr (kKeepsHot) {
        if (last - at >= kFewestPairsOfHot<M, Value> * blockDim.x) {
          const uint64_t own = at + threadIdx.x * ((last - at) / blockDim.x);
          const auto bucket =
              static_cast<Label>(input.label(own) - static_cast<Label>(first_bucket));
          if (Hot(hot, monoid).find(static_cast<uint32_t>(bucket), bucket < bucket_count)) {
            table.set_hot(hot);
          }
        }
      }
      update_table<kPack, kPacks>(input, at, last, static_cast<Label>(first_bucket), table);
      if constexpr (kKeepsHot) {
        __syncthreads();
        table.take_back_hot();
      }
      const auto combine = [&] {
        __syncthreads();
        if (at == first && last == end) {
          table.template combine_into<false>(buckets + first_bucket);
        } else {
          table.template combine_into<true>(buckets + first_bucket);
        }
        __syncthreads();
      };
      if constexpr (kInBulk) {
        // Where most sectors of a part have an input, all its buckets are written, also those
        // without one.
        const bool is_dense = (last - at) * kBucketsOfSector >= uint64_t{1} << shift;
        if (is_dense && is_bulk_aligned(buckets + first_bucket)) {
          combine_in_bulk(buckets + first_bucket, reinterpret_cast<Value*>(shared), bucket_count,
                          monoid);
        } else {
          combine();
        }
      } else {
        combine();
      }
    }
    part = parts.next(part);
    at = parts.begins[part];
  }
  if constexpr (kInBulk) {
    wait_for_bulk_reads();
  }
}

// Launches the kernel that updates buckets part by part. `pieces` is a OnePiece, or another type
// with its functions; `shape` is that of a launch for them (gpu/plan/launch_shapes.h).
// Shapes:   `input` has about n pairs of these pieces, in parts of 2^shift buckets each
// Requires: n >= 1; the buckets of a part fit so many tables in shared memory; the pairs are
//           aligned to 16
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Input, class Pieces, class M>
void update_pieces(cudaStream_t stream, const Input& input, uint64_t n, const Pieces& pieces,
                   int shift, int ranges, const M& monoid, PartsShape shape = {}) {
  using Value = typename Input::Value;
  // Number of packs of pairs that a thread loads before it uses the first. Twice as many spill
  // registers: a pre-sort by 9 bits took 0.0100 ns an input instead of 0.0092. u32 + u64, labels
  // beside values, n = 2^26, m = 2^22.8: four packs of one pair by 8 bits, two ranges, and by 9
  // bits 0.0240, 0.0199 ns an input; two packs of two 0.0213, 0.0194 (one H100, 2026-11-26).
  constexpr size_t kBytes = sizeof(typename Input::Label) + sizeof(Value);
  constexpr int kPack = kBytes <= 12 ? 2 : 1;
  constexpr int kPacks = kBytes > 8 && kBytes <= 12 ? 2 : 4;
  const PartRanges division = divide_part(uint64_t{1} << shift, ranges);
  const DeviceLimits device = current_device_limits();
  size_t shared_bytes = division.buckets * sizeof(Value) + kSpareBytes;
  const uint32_t table_bytes = whole_packs(static_cast<uint32_t>(shared_bytes));
  bool keeps_hot = false;
  if constexpr (kMayHaveHot<M, Value>) {
    const size_t with_hot = table_bytes + sizeof(HotWords<uint32_t, Value>);
    keeps_hot = with_hot <= device.shared_bytes_of_block;
    shared_bytes = keeps_hot ? with_hot : shared_bytes;
  }
  PartsLaunch launch = parts_launch(device, n, shared_bytes, ranges, shape);
  Pieces cut = pieces;
  if constexpr (Pieces::kMayKeepPartsWhole) {
    // Slices of fewer pairs than a part has buckets write more buckets than they read pairs.
    cut.keeps_parts_whole = n / launch.slices < uint64_t{1} << shift;
    if (cut.keeps_parts_whole) {
      shape.slices_of_block = (shape.slices_of_block + 1) / 2;
      launch = parts_launch(device, n, shared_bytes, ranges, shape);
    }
  }
  const auto launch_as = [&](auto* kernel) {
    allow_shared_bytes(kernel, shared_bytes);
    const auto slices = static_cast<unsigned>((launch.slices + pieces.count() - 1) /
                                              pieces.count() * pieces.count());
    kernel<<<slices * ranges, launch.threads, shared_bytes, stream>>>(input, cut, shift, division,
                                                                      table_bytes, monoid);
    PRESORT_CUDA(cudaGetLastError());
  };
  if constexpr (kMayHaveHot<M, Value>) {
    if (keeps_hot) {
      return launch_as(update_parts_kernel<kPack, kPacks, true, Input, Pieces, M>);
    }
  }
  launch_as(update_parts_kernel<kPack, kPacks, false, Input, Pieces, M>);
}

// Launches update_pieces for all m buckets in one array, with n pairs.
template <class Input, class M>
void update_parts(cudaStream_t stream, const Input& input, uint64_t n,
                  typename Input::Value* buckets, uint64_t m, const Parts& parts, int shift,
                  int ranges, const M& monoid) {
  update_pieces(stream, input, n, OnePiece<typename Input::Value>{buckets, m, parts}, shift, ranges,
                monoid, parts_shape(current_device_limits(), n, m));
}

}  // namespace presort::gpu
