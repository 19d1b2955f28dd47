// The order of rows by their labels, stable, on a GPU. It is what multireduce_rows needs to know of
// the labels, and can be kept as long as they stay: for all layers and epochs that use them.
//   const RowOrder order = row_order(stream, labels, m, scratch);
// Shapes:   labels[n], of 4 or 8 bytes; scratch[row_order_scratch_bytes<Label>(n, m)]; in device
//           memory
// Returns:  the places of the n inputs, inside the scratch, which is kept as long as the order
// Units:    n, m in elements; the scratch in bytes, aligned to 64
// Requires: labels[i] < m; no overlap
// Errors:   PlanError when n or m is 2^32 - 1 or more, m is more than labels can name, or the
//           scratch is too small or misaligned; SpanError when an array is misaligned or overlaps
//           another; before anything is launched. EnvironmentError with CUDA's own words when a
//           launch is refused
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <type_traits>

#include "presort/core/base/carver.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/core/row_chunks.h"
#include "presort/gpu/detail/presort.cuh"
#include "presort/gpu/host/check_arrays.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

struct RowOrder {
  std::span<const RowPlace>
      places;  // places[n]: label and position of each input, by label, then by position; in device memory
  uint64_t m = 0;  // number of rows of buckets
};

// An input (detail/input.cuh) whose element i is label i with value i. Labels of 8 bytes are kept
// in 4 bytes.
template <class Wide>
struct PositionInput {
  using Label = uint32_t;
  using Value = uint32_t;
  const Wide* labels;

  __device__ Label label(uint64_t i) const { return static_cast<Label>(labels[i]); }
  __device__ Value value(uint64_t i) const { return static_cast<Value>(i); }
  template <int kCount>
  bool is_aligned() const {
    return is_aligned_for_packs<Wide, kCount>(labels);
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    Wide wide[kCount];
    load_pack(labels + first, wide);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      label[i] = static_cast<Label>(wide[i]);
      value[i] = static_cast<Value>(first + i);
    }
  }
};

using RowOrderArrays = PresortArrays<uint32_t, uint32_t>;
static_assert(sizeof(RowPlace) == sizeof(Pair<uint32_t, uint32_t>) &&
              alignof(RowPlace) == alignof(Pair<uint32_t, uint32_t>));

// The number of bits that labels below m are ordered by, at least 1.
inline int row_order_bits(uint64_t m) {
  return std::max(1, label_bits(m));
}

// Number of passes of the sort. ns an input: a pass by 8 bits takes 0.0063 ns an input, by 9
// 0.0081, by 10 0.0090, by 11 0.0128 (gpu/device/partition/shape.cuh); of few inputs, launches take
// most of the time.
inline GpuPlan row_order_plan(uint64_t n, uint64_t m) {
  constexpr uint64_t kFewInputs = uint64_t{1} << 20;
  const int bits = row_order_bits(m);
  const int most = n <= kFewInputs || bits == kMaxDigitBits ? kMaxDigitBits : kMaxDigitBits - 1;
  GpuPlan plan;
  plan.presort = GpuPresort{.sort_bits = bits, .passes = (bits + most - 1) / most};
  return plan;
}

// Checks the sizes of a row order. Errors: PlanError when there are too many inputs or buckets
inline void check_row_sizes(uint64_t n, uint64_t m) {
  const auto check = [](const char* name, uint64_t found) {
    if (found >= kMostRowInputs) {
      throw PlanError(std::string(name) + ": found " + std::to_string(found) +
                      ", accepted: fewer than 2^32 - 1");
    }
  };
  check("n", n);
  check("m", m);
}

// Bytes of scratch that row_order needs for n inputs and m buckets. Errors: PlanError
template <class Label>
size_t row_order_scratch_bytes(uint64_t n, uint64_t m) {
  check_row_sizes(n, m);
  check_labels_reach(m, sizeof(Label));
  Carver carver;
  if (n > 0) {
    RowOrderArrays::take(carver, row_order_plan(n, m), n, Order::stable);
  }
  return carver.used_bytes();
}

template <class Label>
RowOrder row_order(cudaStream_t stream, std::span<const Label> labels, uint64_t m,
                   std::span<std::byte> scratch) {
  static_assert(std::is_unsigned_v<Label> && sizeof(Label) >= 4);
  const uint64_t n = labels.size();
  check_scratch(scratch, row_order_scratch_bytes<Label>(n, m));
  check_arrays({placed_array("labels", labels), placed_array("scratch", scratch)});
  if (n == 0) {
    return {{}, m};
  }
  Carver carver(scratch.data());
  const GpuPlan plan = row_order_plan(n, m);
  const auto arrays = RowOrderArrays::take(carver, plan, n, Order::stable);
  const auto out = run_stable_presort(stream, PositionInput<Label>{labels.data()}, n, arrays, plan,
                                      row_order_bits(m));
  return {{reinterpret_cast<const RowPlace*>(out.pairs), n}, m};
}

}  // namespace presort::gpu
