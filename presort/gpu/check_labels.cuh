// Checks that all labels are below m, and waits for the stream. The operations do not check labels.
//   gpu::check_labels(stream, labels, m, scratch);
// Shapes:   labels[n]; scratch[kCheckLabelsBytes]; in device memory
// Units:    n, m in elements; the scratch in bytes, aligned to 64
// Errors:   LabelError with the first label that is not below m; PlanError for a scratch that is
//           too small or misaligned; EnvironmentError with CUDA's own words
#pragma once

#include <algorithm>
#include <span>

#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

inline constexpr size_t kCheckLabelsBytes = 64;

// Lowers *first to the least i with labels[i] >= m.
template <class Label>
__global__ void __launch_bounds__(256)
    find_label_beyond(const Label* labels, uint64_t n, uint64_t m, unsigned long long* first) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    if (labels[i] >= m) {
      atomicMin(first, static_cast<unsigned long long>(i));
      return;  // returns at the first bad label, as this thread's later labels have larger indices
    }
  }
}

template <class Label>
void check_labels(cudaStream_t stream, std::span<const Label> labels, uint64_t m,
                  std::span<std::byte> scratch) {
  check_scratch(scratch, kCheckLabelsBytes);
  if (labels.empty()) {
    return;
  }
  constexpr unsigned long long kNone = ~0ull;
  auto* first = reinterpret_cast<unsigned long long*>(scratch.data());
  PRESORT_CUDA(cudaMemsetAsync(first, 0xff, sizeof *first, stream));
  constexpr int kThreads = 256;
  const auto blocks = std::min<uint64_t>(resident_blocks(current_device_limits(), kThreads, 0),
                                         labels.size() / kThreads + 1);
  find_label_beyond<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(
      labels.data(), labels.size(), m, first);
  PRESORT_CUDA(cudaGetLastError());
  unsigned long long found = kNone;
  PRESORT_CUDA(cudaMemcpyAsync(&found, first, sizeof found, cudaMemcpyDeviceToHost, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  if (found != kNone) {
    Label label{};
    PRESORT_CUDA(cudaMemcpyAsync(&label, labels.data() + found, sizeof label,
                                 cudaMemcpyDeviceToHost, stream));
    PRESORT_CUDA(cudaStreamSynchronize(stream));
    throw LabelError(found, static_cast<uint64_t>(label), m);
  }
}

}  // namespace presort::gpu
