// Counts labels on a GPU: counts[k] = counts[k] + the number of i with labels[i] == k. A
// multireduce of ones, without an array of values.
// Shapes:   labels[n], counts[m]; scratch[histogram_scratch_bytes(plan, n, m)]; all in device
//           memory
// Units:    n, m in elements; the scratch in bytes, aligned to 64
// Requires: labels[i] < m; no overlap; counts of 4 or 8 bytes, which wrap around
// Errors:   as multireduce
// Order:    counts do not depend on the order of the labels
// Stream:   as multireduce
// Plans:    as multireduce; labels of one byte with strategy=sharedSets: a set for each lane,
//           whatever the plan says of sets and ranges
// Source:   Eilers 2014, §1.2 and §4.1
#pragma once

#include <type_traits>

#include "presort/gpu/device/count_bytes.cuh"
#include "presort/gpu/device/count_shorts.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/labels/narrow_labels.h"

namespace presort::inline v0::gpu {

// Bytes of scratch that the plan of a histogram needs for n labels. Errors: PlanError
template <class Label, class Count>
size_t histogram_scratch_bytes(GpuPlanArgument plan, uint64_t n, uint64_t m) {
  return multireduce_scratch_bytes<Label, Count>(plan, n, m);
}

template <class Label, class Count>
void histogram(cudaStream_t stream, std::span<const Label> labels, std::span<Count> counts,
               GpuPlanArgument plan, std::span<std::byte> scratch) {
  static_assert(std::is_unsigned_v<Label> && std::is_unsigned_v<Count> && kHasAtomics<Count>);
  check_scratch(scratch, histogram_scratch_bytes<Label, Count>(plan, labels.size(), counts.size()));
  if (labels.empty()) {
    return;
  }
  if constexpr (sizeof(Label) == 1) {
    if (counts_bytes(*plan, sizeof(Label))) {
      return count_bytes(stream, labels.data(), labels.size(), counts.data(), counts.size());
    }
  }
  if constexpr (sizeof(Label) == 2) {
    if (counts_shorts(*plan, sizeof(Label), counts.size(), sizeof(Count),
                      current_device_limits())) {
      return count_shorts(stream, labels.data(), labels.size(), counts.data(), counts.size());
    }
  }
  for_each_slice(labels.size(), plan->presort ? kMostInputsOfPresort : labels.size(),
                 [&](uint64_t first, uint64_t count) {
                   update_buckets(stream, CountedInput<Label, Count>{labels.data() + first}, count,
                                  counts, Sum<Count>{}, *plan, scratch);
                 });
}

}  // namespace presort::gpu
