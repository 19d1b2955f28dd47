// The thesis' sort in shared memory: a block sorts kThreads · 12 inputs by their labels and reduces
// or scans the runs of equal ones.
//   reduce_sorted_blocks   leaves ⊙ of each label in sets[label · blocks + block] (alg. 4.13)
//   scan_sorted_blocks     leaves each input's result within the block, and ⊙ of each label in
//                          totals[block · m + label] (alg. 5.4)
// Shapes:   sets[m · blocks], totals[blocks · m], which hold the identity before
// Requires: with kTransposed, threads take consecutive inputs, for operators that do not commute
// Source:   Eilers 2014, §4.4.3 and §5.5.3, whose sort is CUB's as here
#pragma once

#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu::bench {

inline constexpr int kSortedItems = 12;

template <int kThreads>
inline constexpr int kSortedInputs = kThreads* kSortedItems;

template <int kThreads>
unsigned sorted_blocks(uint64_t n) {
  return static_cast<unsigned>((n + kSortedInputs<kThreads> - 1) / kSortedInputs<kThreads>);
}

// ⊙ of an open run, and whether the run began among the inputs at hand.
template <class Value>
struct Run {
  Value value;
  bool begins;
};
template <class Value, class M>
struct JoinOpenRuns {
  M monoid;
  __device__ Run<Value> operator()(const Run<Value>& a, const Run<Value>& b) const {
    return {b.begins ? b.value : monoid(a.value, b.value), a.begins || b.begins};
  }
};

// Payload of a label that is sorted: a value for a multireduce, a value and its index for a
// multiscan.
template <class Value>
struct Plain {
  Value value;
  static __device__ Plain make(const Value& value, uint64_t) { return {value}; }
};
template <class Value>
struct Placed {
  Value value;
  uint32_t index;
  static __device__ Placed make(const Value& value, uint64_t i) {
    return {value, static_cast<uint32_t>(i)};
  }
};

// Reads a block's elements, those of a thread side by side or, with kTransposed and in a block that
// is not full, consecutive. Elements beyond `count` are `rest`. Requires: all threads call it
template <int kThreads, bool kTransposed, class T>
__device__ void read_block(const T* from, uint32_t count, const T& rest, T (&element)[kSortedItems],
                           T* rows) {
  constexpr int kItems = kSortedItems;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const uint32_t at = i * kThreads + threadIdx.x;
    element[i] = at < count ? from[at] : rest;
  }
  if (kTransposed || count < kThreads * kItems) {
    // Rows are padded by one element, so that threads that read rows use different banks.
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const uint32_t at = i * kThreads + threadIdx.x;
      rows[at / kItems * (kItems + 1) + at % kItems] = element[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      element[i] = rows[threadIdx.x * (kItems + 1) + i];
    }
    __syncthreads();
  }
}

// Sorts the block's inputs and calls visit(label, item, ⊙ before it in its run, whether it ends its
// run) for each of the thread's, in order.
template <int kThreads, bool kTransposed, class Item, class Value, class M, class Visit>
__device__ void for_each_sorted(const uint32_t* labels, const Value* values, uint64_t n,
                                int label_bits, const M& monoid, const Visit& visit) {
  constexpr int kItems = kSortedItems;
  using Sort = cub::BlockRadixSort<uint32_t, kThreads, kItems, Item>;
  using Scan = cub::BlockScan<Run<Value>, kThreads>;
  __shared__ union {
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    uint32_t label_rows[kThreads * (kItems + 1)];
    Value value_rows[kThreads * (kItems + 1)];
  } storage;
  __shared__ uint32_t firsts[kThreads + 1];
  __shared__ uint32_t lasts[kThreads];
  const uint64_t first = uint64_t{blockIdx.x} * (kThreads * kItems);
  const auto count = static_cast<uint32_t>(min(uint64_t{kThreads * kItems}, n - first));
  const bool is_transposed = kTransposed || count < kThreads * kItems;
  const uint32_t own = threadIdx.x * kItems;
  uint32_t key[kItems];
  Value read[kItems];
  Item item[kItems];
  // Slots without an input get the largest label, so that a stable sort leaves them behind all
  // inputs.
  read_block<kThreads, kTransposed>(labels + first, count, ~0u, key, storage.label_rows);
  read_block<kThreads, kTransposed>(values + first, count, monoid.identity(), read,
                                    storage.value_rows);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    item[i] = Item::make(read[i], first + (is_transposed ? own + i : i * kThreads + threadIdx.x));
  }
  Sort(storage.sort).Sort(key, item, 0, label_bits);
  firsts[threadIdx.x] = key[0];
  lasts[threadIdx.x] = key[kItems - 1];
  __syncthreads();
  const auto begins = [&](int i) {
    return i > 0 ? key[i - 1] != key[i] : threadIdx.x == 0 || lasts[threadIdx.x - 1] != key[0];
  };
  const auto ends = [&](int i) {
    return own + i + 1 == count ||
           (i + 1 < kItems ? key[i + 1] : firsts[threadIdx.x + 1]) != key[i];
  };
  Run<Value> of_thread = {monoid.identity(), false};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (own + i < count) {
      of_thread.value = begins(i) ? item[i].value : monoid(of_thread.value, item[i].value);
      of_thread.begins |= begins(i);
    }
  }
  Run<Value> run;
  Scan(storage.scan)
      .ExclusiveScan(of_thread, run, Run<Value>{monoid.identity(), false},
                     JoinOpenRuns<Value, M>{monoid});
  Value before = run.value;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (own + i < count) {
      before = begins(i) ? monoid.identity() : before;
      visit(key[i], item[i], before, ends(i));
      before = monoid(before, item[i].value);
    }
  }
}

template <int kThreads, bool kTransposed, class Value, class M>
__global__ void __launch_bounds__(kThreads)
    reduce_sorted_blocks(const uint32_t* labels, const Value* values, uint64_t n, int label_bits,
                         Value* sets, M monoid) {
  for_each_sorted<kThreads, kTransposed, Plain<Value>>(
      labels, values, n, label_bits, monoid,
      [&](uint32_t label, const Plain<Value>& item, const Value& before, bool ends) {
        if (ends) {
          sets[uint64_t{label} * gridDim.x + blockIdx.x] = monoid(before, item.value);
        }
      });
}

template <int kThreads, class Value, class M>
__global__ void __launch_bounds__(kThreads)
    scan_sorted_blocks(const uint32_t* labels, const Value* values, uint64_t n, int label_bits,
                       uint32_t m, Value* totals, Value* results, M monoid) {
  for_each_sorted<kThreads, true, Placed<Value>>(
      labels, values, n, label_bits, monoid,
      [&](uint32_t label, const Placed<Value>& item, const Value& before, bool ends) {
        results[item.index] = before;
        if (ends) {
          totals[uint64_t{blockIdx.x} * m + label] = monoid(before, item.value);
        }
      });
}

}  // namespace presort::gpu::bench
