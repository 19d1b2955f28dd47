// The second kernel of gpu/device/ordered/reduce_parts.cuh: tables of buckets that slices have
// left, in the order of the slices, are combined with the buckets of their parts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "presort/gpu/block/part_table.cuh"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

// Tables of buckets that a reduction's slices leave in device memory, two for each slice, in the
// order of the slices.
template <class Label, class Value>
struct PartEnds {
  static constexpr auto kNone = static_cast<PartOf<Label>>(-1);
  PartOf<Label>* parts = nullptr;  // parts[2 · slices]: number of each table's part, or kNone
  // tables[2 · slices][2^table_bits]: buckets that each slice leaves of its first part and of its
  // last
  Value* tables = nullptr;
};

// How the tables that slices leave are combined: a block has some buckets of all tables,
// neighbouring threads neighbouring buckets, and cuts the tables into as many rows as it has
// threads for each bucket. Rows leave their sums in at most 36 KiB of shared memory, which every
// device has.
inline constexpr int kMostJoinThreads = 1024;
inline constexpr int kMostJoinRows = 256;
template <class Value>
inline constexpr int kJoinColumns = std::clamp(static_cast<int>(std::bit_floor(64 / sizeof(Value))),
                                               1, 32);

// Joins the tables of a row (some consecutive slices' tables), part by part; the first part and the
// last may go on in other rows.
template <class Label, class Value>
struct JoinedRows {
  static constexpr int kColumns = kJoinColumns<Value>;
  static constexpr int kRows = std::min(kMostJoinThreads / kColumns, kMostJoinRows);
  static constexpr int kThreads = kRows * kColumns;
  PartOf<Label> parts[2 * kRows];
  Value values[2 * kRows][kColumns];
};

template <class Label, class Value, class M>
__global__ void __launch_bounds__(kMostJoinThreads)
    join_parts_kernel(PartEnds<Label, Value> ends, uint32_t count, PartBits bits, Value* buckets,
                      uint64_t m, M monoid) {
  using Ends = PartEnds<Label, Value>;
  using Join = JoinedRows<Label, Value>;
  constexpr int kAtOnce = 4;
  __shared__ alignas(Join) unsigned char raw[sizeof(Join)];
  Join& join = *reinterpret_cast<Join*>(raw);
  const uint32_t column = threadIdx.x % Join::kColumns;
  const uint32_t row = threadIdx.x / Join::kColumns;
  const uint32_t bucket = blockIdx.x * Join::kColumns + column;
  const bool is_bucket = bucket < bits.table_size();
  const auto combine = [&](PartOf<Label> part, const Value& value) {
    const uint64_t at = (static_cast<uint64_t>(part) << bits.table_bits) + bucket;
    if (is_bucket && at < m) {
      buckets[at] = monoid(buckets[at], value);
    }
  };
  const uint32_t rows = (count + Join::kRows - 1) / Join::kRows;  // number of tables in each row
  const uint32_t first = min(row * rows, count);
  const uint32_t last = min(first + rows, count);
  PartOf<Label> open = Ends::kNone;
  Value value = monoid.identity();
  bool is_first = true;
  const auto leave = [&](int which) {
    if (column == 0) {
      join.parts[2 * row + which] = open;
    }
    join.values[2 * row + which][column] = value;
  };
  for (uint32_t from = first; from < last; from += kAtOnce) {
    PartOf<Label> part[kAtOnce];
    Value next[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      part[i] = from + i < last ? ends.parts[from + i] : Ends::kNone;
      if (part[i] != Ends::kNone && is_bucket) {
        next[i] = ends.tables[(static_cast<uint64_t>(from + i) << bits.table_bits) + bucket];
      }
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (part[i] == Ends::kNone) {
        continue;
      }
      if (part[i] == open) {
        value = monoid(value, next[i]);
        continue;
      }
      if (open != Ends::kNone && is_first) {
        leave(0);
        is_first = false;
      } else if (open != Ends::kNone) {
        combine(open, value);
      }
      open = part[i];
      value = next[i];
    }
  }
  leave(is_first ? 0 : 1);
  if (is_first && column == 0) {
    join.parts[2 * row + 1] = Ends::kNone;
  }
  __syncthreads();
  if (row > 0) {
    return;
  }
  open = Ends::kNone;
  for (uint32_t i = 0; i < 2 * Join::kRows; ++i) {
    if (join.parts[i] == Ends::kNone) {
      continue;
    }
    if (join.parts[i] == open) {
      value = monoid(value, join.values[i][column]);
      continue;
    }
    if (open != Ends::kNone) {
      combine(open, value);
    }
    open = join.parts[i];
    value = join.values[i][column];
  }
  if (open != Ends::kNone) {
    combine(open, value);
  }
}

// Launches the kernel that combines `count` tables left by slices with the buckets.
// Requires: values of at most kMostTabledBytes
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Label, class Value, class M>
void join_parts(cudaStream_t stream, const PartEnds<Label, Value>& ends, uint32_t count,
                const PartBits& bits, Value* buckets, uint64_t m, const M& monoid) {
  const auto join = join_parts_kernel<Label, Value, M>;
  using Join = JoinedRows<Label, Value>;
  constexpr uint32_t kColumns = Join::kColumns;
  join<<<(bits.table_size() + kColumns - 1) / kColumns, Join::kThreads, 0, stream>>>(
      ends, count, bits, buckets, m, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
