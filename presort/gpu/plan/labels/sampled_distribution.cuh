// Finds the distribution that labels in device memory come nearest to, from a sample of a few
// thousand (core/choice/label_sample.h, gpu/plan/labels/seen_distribution.h): to choose a plan by,
// once for many calls. Waits for the stream, unlike the kernels, so no graph can capture it.
// Shapes: labels[n] and scratch[kSampleBytes], aligned to 64, in device memory
// Errors: PlanError when the scratch is too small or misaligned; EnvironmentError with CUDA's own
//         words when something is refused
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "presort/core/choice/label_sample.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/labels/seen_distribution.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

inline constexpr size_t kSampleBytes = kSampledLabels * sizeof(uint64_t);

// The kernel, with a block for each run: sample[kRunLength · run + i] = labels[start of the run +
// i].
template <class Label>
__global__ void sample_runs_kernel(const Label* labels, uint64_t n, uint64_t* sample) {
  const uint64_t first = static_cast<uint64_t>(blockIdx.x) * kRunLength;
  const uint64_t start = n <= kSampledLabels ? first : sampled_start(n, blockIdx.x);
  if (start + threadIdx.x < n) {
    sample[first + threadIdx.x] = labels[start + threadIdx.x];
  }
}

// Launches the kernel that draws a sample of labels, of which there are `labels.size()` > 0, into
// sample[kSampledLabels], an array that the device can write.
template <class Label>
void launch_sample(cudaStream_t stream, std::span<const Label> labels, uint64_t* sample) {
  const uint64_t n = labels.size();
  const uint64_t count = std::min<uint64_t>(n, kSampledLabels);
  const auto runs = static_cast<unsigned>((count + kRunLength - 1) / kRunLength);
  sample_runs_kernel<<<runs, kRunLength, 0, stream>>>(labels.data(), n, sample);
  PRESORT_CUDA(cudaGetLastError());
}

// The distribution that a drawn sample of n labels comes nearest to. Takes 12 µs.
inline Distribution distribution_of_sample(uint64_t n, uint64_t m,
                                           const std::array<uint64_t, kSampledLabels>& drawn) {
  size_t next = 0;  // threads read runs of the sample in order of their numbers
  const LabelSample sample = draw_sample(n, m, [&](uint64_t, std::span<uint64_t> out) {
    std::copy_n(drawn.begin() + static_cast<ptrdiff_t>(next), out.size(), out.begin());
    next += out.size();
  });
  return seen_distribution(sample);
}

// Returns the distribution that labels in device memory come nearest to. Takes about 40 µs, most of
// it waiting, and looking at the sample on the host.
template <class Label>
Distribution sampled_distribution(cudaStream_t stream, std::span<const Label> labels, uint64_t m,
                                  std::span<std::byte> scratch) {
  check_scratch(scratch, kSampleBytes);
  const uint64_t n = labels.size();
  if (n == 0) {
    return {};
  }
  auto* drawn = reinterpret_cast<uint64_t*>(scratch.data());
  launch_sample(stream, labels, drawn);
  std::array<uint64_t, kSampledLabels> host;
  PRESORT_CUDA(cudaMemcpyAsync(host.data(), drawn,
                               std::min<uint64_t>(n, kSampledLabels) * sizeof(uint64_t),
                               cudaMemcpyDeviceToHost, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  return distribution_of_sample(n, m, host);
}

}  // namespace presort::gpu
