// Counts the inputs of one device by owner, and sends them: the launches of send_kernels.cuh, on
// the current device.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "presort/gpu/devices/send_kernels.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// How n inputs are cut into chunks for `owners` owners.
// Errors: PlanError where inputs are too large for that many owners
template <bool kHasValues, class Label, class Value>
SendChunks chunks_to_send(uint64_t n, size_t owners) {
  const size_t shared = send_bytes<Label, Value, kHasValues>(owners);
  const DeviceLimits limits = current_device_limits();
  if (shared > limits.shared_bytes_of_block) {
    throw PlanError("inputs of " + std::to_string(sizeof(Label) + sizeof(Value)) +
                    " bytes are too large to be exchanged by " + std::to_string(owners) +
                    " devices");
  }
  const uint64_t most = resident_blocks(limits, kSendThreads, shared);
  return send_chunks(n, std::min(most, n / kSendThreads + 1));
}

// Elements of `counts` below: places of each owner's inputs by warp, then the inputs of each owner.
inline size_t owner_counts(const SendChunks& chunks, size_t owners) {
  return (chunks.warps + 1) * owners;
}
inline uint64_t* owner_totals(uint64_t* counts, const SendChunks& chunks, size_t owners) {
  return counts + chunks.warps * owners;
}

// Counts the labels of each owner.
template <class Label, class Owners>
void count_for_owners(cudaStream_t stream, std::span<const Label> labels, const SendChunks& chunks,
                      const Owners& owners, uint64_t* counts) {
  const auto devices = static_cast<size_t>(owners.devices);
  const auto blocks = static_cast<unsigned>(chunks.warps / (kSendThreads / 32));
  count_owners_kernel<<<blocks, kSendThreads, 0, stream>>>(labels.data(), labels.size(), chunks,
                                                           owners, counts);
  PRESORT_CUDA(cudaGetLastError());
  sum_owners_kernel<<<static_cast<unsigned>(devices), 1024, 0, stream>>>(
      counts, chunks.warps, owner_totals(counts, chunks, devices));
  PRESORT_CUDA(cudaGetLastError());
}

// Writes the inputs to their owners' places. Requires: `counts` by count_for_owners
template <bool kHasValues, class Label, class Value, class Owners>
void send_to_owners(cudaStream_t stream, std::span<const Label> labels, const Value* values,
                    const SendChunks& chunks, const Owners& owners, const uint64_t* counts,
                    const Destinations<Label, Value>& to) {
  if (labels.empty()) {
    return;
  }
  auto* kernel = send_kernel<kHasValues, Label, Value, Owners>;
  const size_t shared = send_bytes<Label, Value, kHasValues>(static_cast<size_t>(owners.devices));
  allow_shared_bytes(kernel, shared);
  const auto blocks = static_cast<unsigned>(chunks.warps / (kSendThreads / 32));
  kernel<<<blocks, kSendThreads, shared, stream>>>(labels.data(), values, labels.size(), chunks,
                                                   owners, counts, to);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
