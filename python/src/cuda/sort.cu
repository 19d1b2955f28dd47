#include "python/src/cuda/sort.cuh"

#include <algorithm>
#include <span>
#include <string>

#include "presort/core/error.h"
#include "presort/core/problem.h"
#include "presort/gpu/check_labels.cuh"
#include "presort/gpu/partial_sort.cuh"
#include "presort/gpu/workspace.cuh"

namespace presort::python {
namespace {

constexpr unsigned kThreads = 256;
constexpr uint64_t kMostBlocks = 4096;

unsigned blocks_for(uint64_t items) {
  return static_cast<unsigned>(
      std::clamp<uint64_t>((items + kThreads - 1) / kThreads, 1, kMostBlocks));
}

// labels[i], values[i] = pairs[i]
template <class Label, class Word>
__global__ void split_pairs_kernel(const gpu::Pair<Label, Word>* pairs, uint64_t n, Label* labels,
                                   Word* values) {
  const uint64_t step = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const auto pair = pairs[i];
    labels[i] = pair.label;
    values[i] = pair.value;
  }
}

// starts[d] = index of the first pair whose part is d or a later one, by bisection; d from 0 to
// parts.
template <class Label, class Word>
__global__ void part_starts_kernel(const gpu::Pair<Label, Word>* pairs, uint64_t n, int shift,
                                   uint64_t parts, uint64_t* starts) {
  const uint64_t step = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t d = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; d <= parts; d += step) {
    uint64_t low = 0;
    uint64_t high = n;
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      if ((static_cast<uint64_t>(pairs[middle].label) >> shift) < d) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    starts[d] = low;
  }
}

template <class Label, class Word>
void sort_as(const Labels& labels, const void* values, int bits, void* sorted_labels,
             void* sorted_values, uint64_t* starts) {
  const std::span all(static_cast<const Label*>(labels.data), labels.n);
  if (labels.checked) {
    const gpu::Workspace room(labels.stream, gpu::kCheckLabelsBytes, {});
    gpu::check_labels(labels.stream, all, labels.m, room.span());
  }
  GpuPlan plan;
  plan.presort =
      GpuPresort{.sort_bits = bits, .passes = (bits + gpu::kMaxDigitBits - 1) / gpu::kMaxDigitBits};
  const gpu::Workspace room(
      labels.stream, gpu::partial_sort_scratch_bytes<Label, Word>(plan, labels.n, labels.m), {});
  const auto pairs =
      gpu::partial_sort(labels.stream, all, std::span(static_cast<const Word*>(values), labels.n),
                        labels.m, plan, room.span());
  split_pairs_kernel<<<blocks_for(labels.n), kThreads, 0, labels.stream>>>(
      pairs.data(), labels.n, static_cast<Label*>(sorted_labels),
      static_cast<Word*>(sorted_values));
  PRESORT_CUDA(cudaGetLastError());
  const uint64_t parts = uint64_t{1} << bits;
  part_starts_kernel<<<blocks_for(parts + 1), kThreads, 0, labels.stream>>>(
      pairs.data(), labels.n, label_bits(labels.m) - bits, parts, starts);
  PRESORT_CUDA(cudaGetLastError());
}

template <class Label>
void sort_by(const Labels& labels, int value_bytes, const void* values, int bits,
             void* sorted_labels, void* sorted_values, uint64_t* starts) {
  return value_bytes == 4
             ? sort_as<Label, uint32_t>(labels, values, bits, sorted_labels, sorted_values, starts)
             : sort_as<Label, uint64_t>(labels, values, bits, sorted_labels, sorted_values, starts);
}

}  // namespace

void sort(const Labels& labels, int value_bytes, const void* values, int bits, void* sorted_labels,
          void* sorted_values, void* starts) {
  const int most = labels.m == 0 ? 0 : label_bits(labels.m);
  if (bits < 1 || bits > most) {
    throw InputError("bits: found " + std::to_string(bits) + ", accepted: 1 to " +
                     std::to_string(most) + ", the bits of the labels");
  }
  auto* begins = static_cast<uint64_t*>(starts);
  return labels.bytes == 4 ? sort_by<uint32_t>(labels, value_bytes, values, bits, sorted_labels,
                                               sorted_values, begins)
                           : sort_by<uint64_t>(labels, value_bytes, values, bits, sorted_labels,
                                               sorted_values, begins);
}

}  // namespace presort::python
