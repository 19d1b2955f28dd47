// Numbers the inputs of each label on a GPU: results[i] = counts[labels[i]] + the number of j < i
// with labels[j] == labels[i]; to every count the number of its labels is then added. An exclusive
// multiscan of ones, without an array of values.
//   gpu::multitag(stream, labels, counts, results, plan, scratch);
// Shapes:   labels[n], counts[m], results[n];
//           scratch[multitag_scratch_bytes<Label, Count>(plan, n, m)]; all in device memory
// Units:    n, m in elements; the scratch in bytes, aligned to 64
// Requires: labels[i] < m; no overlap; Count is an unsigned number of 4 or 8 bytes
// Errors:   PlanError when labels and results differ in length, the plan does not fit problem or
//           device, m is more than labels can name, or the scratch is too small or misaligned,
//           before anything is launched; EnvironmentError with CUDA's own words when a launch is
//           refused
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits
// Plans:    as for multiscan
// Source:   Eilers 2014, §1.2 (multitagging) and ch. 5
#pragma once

#include "presort/gpu/multiscan.cuh"

namespace presort::inline v0::gpu {

// Bytes of scratch that multitag needs with this plan for n inputs.
// Errors: PlanError as multitag
template <class Label, class Count>
size_t multitag_scratch_bytes(GpuPlanArgument plan, uint64_t n, uint64_t m) {
  return multiscan_scratch_bytes<Label, Count>(plan, n, m);
}

template <class Label, class Count>
void multitag(cudaStream_t stream, std::span<const Label> labels, std::span<Count> counts,
              std::span<Count> results, GpuPlanArgument plan, std::span<std::byte> scratch) {
  static_assert(std::is_unsigned_v<Label> && std::is_unsigned_v<Count> && sizeof(Count) >= 4);
  check_same_length("results", results.size(), labels.size());
  check_scratch(scratch, multitag_scratch_bytes<Label, Count>(plan, labels.size(), counts.size()));
  for_each_slice(labels.size(), kMostInputsOfPresort, [&](uint64_t first, uint64_t count) {
    const CountedInput<Label, Count> input{labels.data() + first};
    scan_in_order<Scan::exclusive>(stream, input, count, counts, results.data() + first,
                                   Sum<Count>{}, *plan, scratch);
  });
}

}  // namespace presort::gpu
