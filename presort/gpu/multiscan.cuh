// Scans per label on a GPU, in the order of the inputs. With k = labels[i]:
//   exclusive   results[i] = buckets[k] ⊙ (values[j] for every j < i with labels[j] == k)
//   inclusive   results[i] = buckets[k] ⊙ (values[j] for every j <= i with labels[j] == k)
// The buckets are then what multireduce would make of them, so that one call can go on where
// another ended.
//   gpu::multiscan<Scan::exclusive>(stream, labels, values, buckets, results, Sum<float>{}, plan,
//                                   scratch);
// Shapes:   labels[n], values[n], buckets[m], results[n];
//           scratch[multiscan_scratch_bytes<Label, Value>(plan, n, m)]; all in device memory
// Units:    n, m in elements; the scratch in bytes, aligned to 64
// Requires: labels[i] < m; no overlap; values of any trivially copyable type; ⊙ associates, but for
//           rounding, and need not commute
// Errors:   PlanError when labels, values and results differ in length, the plan does not fit
//           problem or device, m is more than labels can name, or the scratch is too small or
//           misaligned, before anything is launched; EnvironmentError with CUDA's own words when a
//           launch is refused
// Order:    that of the inputs. How values are grouped depends on the plan, on labels and on the
//           indices of the inputs alone: sums of floats have the same bits in every call, whatever
//           runs beside it, and on every device
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits, so a graph can
//           capture it
// Plans:    strategy=sharedSets, and one of (scan_plan chooses, gpu/plan/ordered_plans.h):
//           - no pre-sort, as many buckets as a warp has a table for (scan_table_bits,
//             gpu/plan/plan_check.h): one pass
//           - no pre-sort, more buckets, up to kMostTiledInputs inputs: tile by tile, three
//             launches
//           - a pre-sort by all bits of the labels, in passes of up to 11 bits
// Source:   Eilers 2014, ch. 5; Merrill and Garland 2016
#pragma once

#include <span>
#include <type_traits>

#include "presort/core/monoid.h"
#include "presort/core/scan.h"
#include "presort/gpu/checked_plan.cuh"
#include "presort/gpu/detail/scan_in_order.cuh"
#include "presort/gpu/multireduce.cuh"

namespace presort::inline v0::gpu {

// Bytes of scratch that multiscan needs with this plan for n inputs.
// Errors: PlanError as multiscan
template <class Label, class Value>
size_t multiscan_scratch_bytes(GpuPlanArgument plan, uint64_t n, uint64_t m) {
  check_labels_reach(m, sizeof(Label));
  plan.check_for({GpuKernels::scan, m, sizeof(Value)});
  check_tiled_inputs(ScanArrays<Label, Value>::sorts_tiles(*plan, m), n);
  Carver carver;
  if (n > 0) {
    ScanArrays<Label, Value>::take(carver, *plan, std::min(n, kMostInputsOfPresort), m);
  }
  return measured_bytes(carver, n, m);
}

template <Scan kScan, class Label, class Value, Monoid<Value> M>
void multiscan(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
               std::span<Value> buckets, std::span<Value> results, const M& monoid,
               GpuPlanArgument plan, std::span<std::byte> scratch) {
  static_assert(std::is_unsigned_v<Label> && std::is_trivially_copyable_v<Value>);
  check_same_length("values", values.size(), labels.size());
  check_same_length("results", results.size(), labels.size());
  check_scratch(scratch,
                multiscan_scratch_bytes<Label, Value>(plan, labels.size(), buckets.size()));
  for_each_slice(labels.size(), kMostInputsOfPresort, [&](uint64_t first, uint64_t count) {
    const SeparateInput<Label, Value> input{labels.data() + first, values.data() + first};
    scan_in_order<kScan>(stream, input, count, buckets, results.data() + first, monoid, *plan,
                         scratch);
  });
}

}  // namespace presort::gpu
