// Reduces inputs in host memory, more than the device's memory holds, into buckets on a device:
// buckets[k] = buckets[k] ⊙ (v[j] for every j with labels[j] == k). While a chunk of the inputs is
// reduced, the next is copied (gpu/from_host/chunks.cuh).
//   gpu::multireduce_from_host(labels, values, buckets, Sum<uint32_t>{}, {.stream = stream});
//   gpu::histogram_from_host(labels, counts);
// Shapes:   labels[n], values[n] in host memory; buckets[m] in device memory
// Types:    as gpu/multireduce.cuh; a histogram's counts as gpu/histogram.cuh
// Requires: labels[j] < m; no overlap
// Errors:   PlanError when lengths do not fit, or a chunk has no inputs; EnvironmentError when the
//           device, or the host for pinned buffers, has not enough memory for two chunks: no bucket
//           has changed then
// Order:    as gpu/multireduce.cuh, chunk after chunk; sums of floats in order have the same bits
//           in every run with chunks of as many inputs
// Stream:   reductions run on call.stream, copies on a stream of their own. The call waits for
//           both: when it returns, the buckets are ready and the inputs may change
#pragma once

#include <algorithm>

#include "presort/gpu/calls.cuh"
#include "presort/gpu/from_host/chunks.cuh"

namespace presort::inline v0::gpu {

struct FromHostCall {
  cudaStream_t stream = nullptr;
  uint64_t chunk = kInputsOfChunk;          // inputs that are copied at a time
  std::optional<Distribution> labels = {};  // distribution of the labels, if it is known
};

namespace detail {

inline void check_chunk(uint64_t chunk) {
  if (chunk == 0) {
    throw PlanError("chunk: found 0 inputs, accepted: 1 or more");
  }
}

template <class T>
std::span<const std::byte> bytes_of(std::span<T> all, uint64_t first, uint64_t count) {
  return std::as_bytes(all.subspan(first, count));
}

}  // namespace detail

template <class Label, class Value, class Bucket, class M = Sum<Bucket>>
requires Monoid<M, Bucket>
void multireduce_from_host(std::span<Label> labels, std::span<Value> values,
                           std::span<Bucket> buckets, const M& monoid = {},
                           const FromHostCall& call = {}) {
  detail::check_chunk(call.chunk);
  check_same_length("values", values.size(), labels.size());
  const uint64_t n = labels.size();
  if (n == 0) {
    return;
  }
  const uint64_t chunk = std::min(call.chunk, n);
  const bool needs_pinned = !detail::is_pinned(labels.data()) || !detail::is_pinned(values.data());
  ChunkPlaces places(
      ChunkPlaces::padded(chunk * sizeof(Label)) + ChunkPlaces::padded(chunk * sizeof(Value)),
      needs_pinned);
  const Call own = {.stream = call.stream, .labels = call.labels};
  for (uint64_t number = 0; number * chunk < n; ++number) {
    const uint64_t first = number * chunk;
    const uint64_t count = std::min(chunk, n - first);
    places.run<2>(number,
                  {detail::bytes_of(labels, first, count), detail::bytes_of(values, first, count)},
                  call.stream, [&](const auto& at) {
                    const std::span<const Label> some(reinterpret_cast<const Label*>(at[0]), count);
                    const std::span<const Value> of(reinterpret_cast<const Value*>(at[1]), count);
                    multireduce(some, of, buckets, monoid, own);
                  });
  }
  PRESORT_CUDA(cudaStreamSynchronize(call.stream));
}

// counts[k] += number of inputs with label k.
template <class Label, class Count>
void histogram_from_host(std::span<Label> labels, std::span<Count> counts,
                         const FromHostCall& call = {}) {
  detail::check_chunk(call.chunk);
  const uint64_t n = labels.size();
  if (n == 0) {
    return;
  }
  const uint64_t chunk = std::min(call.chunk, n);
  ChunkPlaces places(ChunkPlaces::padded(chunk * sizeof(Label)), !detail::is_pinned(labels.data()));
  const Call own = {.stream = call.stream, .labels = call.labels};
  for (uint64_t number = 0; number * chunk < n; ++number) {
    const uint64_t first = number * chunk;
    const uint64_t count = std::min(chunk, n - first);
    places.run<1>(number, {detail::bytes_of(labels, first, count)}, call.stream,
                  [&](const auto& at) {
                    histogram(std::span<const Label>(reinterpret_cast<const Label*>(at[0]), count),
                              counts, own);
                  });
  }
  PRESORT_CUDA(cudaStreamSynchronize(call.stream));
}

}  // namespace presort::gpu
