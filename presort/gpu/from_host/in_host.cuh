// Reduces inputs in host memory into buckets in host memory, both of which may be larger than the
// device's memory: buckets[k] = buckets[k] ⊙ (v[j] for every j with labels[j] == k).
//   gpu::multireduce_in_host(labels, values, buckets, Sum<uint32_t>{}, {.stream = stream});
//   gpu::histogram_in_host(labels, counts);
// How:      buckets are cut into as few ranges as each fit the device. Of one range: they are
//           copied to the device, and inputs come chunk by chunk. Of more: a first pass copies each
//           chunk to the device, partitions it by range, and copies it back to pinned memory, while
//           the next one comes; a second pass reduces the inputs of one range after the other
// Shapes:   labels[n], values[n], buckets[m] in host memory
// Types:    as gpu/multireduce.cuh; a histogram's counts as gpu/histogram.cuh; labels of 4 or 8
//           bytes
// Requires: labels[j] < m; no overlap
// Bytes:    over the host's link, of one range: inputs in, buckets in and out. Of more: inputs in,
//           out and in again, buckets in and out
// Errors:   PlanError when lengths do not fit, a chunk has no inputs, or there would be more than
//           kMostRangesInHost ranges; EnvironmentError when the device, or the host for pinned
//           memory, has not enough of it: no bucket has changed then
// Order:    as gpu/from_host/multireduce.cuh
// Stream:   kernels run on call.stream, copies on streams of their own; the call waits for all.
//           Memory that is not pinned is copied at a third of the speed or less
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "presort/gpu/from_host/multireduce.cuh"
#include "presort/gpu/from_host/spilled_ranges.cuh"

namespace presort::inline v0::gpu {

struct InHostCall {
  cudaStream_t stream = nullptr;
  uint64_t chunk = kInputsOfChunk;          // inputs that are copied at a time
  std::optional<Distribution> labels = {};  // distribution of the labels, if it is known
  // Bytes of device memory that one range of buckets may take; 0: half of what is free
  uint64_t range_bytes = 0;
  // Pinned host memory for what the first pass writes: spilled_bytes<Label, Value>(n), aligned to
  // 64 (gpu/from_host/spilled_ranges.cuh); empty: taken by the call. Buckets of one range need none
  std::span<std::byte> spill = {};
};

namespace detail {

// Number of ranges that m buckets are cut into. Errors: PlanError
inline size_t ranges_in_host(uint64_t m, size_t bucket_bytes, uint64_t range_bytes) {
  if (range_bytes == 0) {
    size_t free_bytes = 0;
    size_t all_bytes = 0;
    PRESORT_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
    range_bytes = free_bytes / 2;
  }
  const uint64_t most = std::max<uint64_t>(range_bytes / bucket_bytes, 1);
  const uint64_t ranges = std::max<uint64_t>(m / most + (m % most != 0), 1);
  if (ranges > kMostRangesInHost) {
    throw PlanError("buckets: " + std::to_string(m) + " of " + std::to_string(bucket_bytes) +
                    " bytes are " + std::to_string(ranges) + " ranges of " +
                    std::to_string(range_bytes) + " bytes, accepted: up to " +
                    std::to_string(kMostRangesInHost));
  }
  return ranges;
}

// Room on the device for a range of buckets, and for the scratch of a plan.
template <class Bucket>
struct RangeRoom {
  std::span<Bucket> buckets;
  std::span<std::byte> scratch;
  DeviceArray<std::byte> bytes;

  RangeRoom(uint64_t most_buckets, size_t scratch_bytes) {
    const auto take = [&](Carver& carver) {
      buckets = {carver.take<Bucket>(most_buckets), most_buckets};
      scratch = {carver.take<std::byte>(scratch_bytes), scratch_bytes};
    };
    Carver measuring;
    take(measuring);
    bytes = DeviceArray<std::byte>(measured_bytes(measuring, 0, most_buckets));
    Carver carver(bytes.span().data());
    take(carver);
  }
};

// Reduces by `reduce`(some labels, their values, buckets on the device), with the buckets of one
// range at a time on the device. Requires: room and places are taken
template <bool kHasValues, class Label, class Value, class Bucket, class Reduce>
void reduce_ranges(SpilledRanges<kHasValues, Label, Value>& spilled, std::span<Bucket> buckets,
                   std::span<Bucket> room, cudaStream_t stream, const Reduce& reduce) {
  const BucketRanges& ranges = spilled.ranges();
  for (size_t r = 0; r < static_cast<size_t>(ranges.devices); ++r) {
    const auto own = buckets.subspan(ranges.begins[r], ranges.size(r));
    const auto on_device = room.first(own.size());
    if (spilled.inputs(r) == 0) {
      continue;
    }
    PRESORT_CUDA(cudaMemcpyAsync(on_device.data(), own.data(), own.size_bytes(),
                                 cudaMemcpyHostToDevice, stream));
    spilled.for_each_batch(r, stream,
                           [&](std::span<const Label> labels, std::span<const Value> values) {
                             reduce(labels, values, on_device);
                           });
    PRESORT_CUDA(cudaMemcpyAsync(own.data(), on_device.data(), own.size_bytes(),
                                 cudaMemcpyDeviceToHost, stream));
  }
  PRESORT_CUDA(cudaStreamSynchronize(stream));
}

// The ranges that buckets are cut into, evenly.
inline BucketRanges even_bucket_ranges(uint64_t m, size_t count) {
  BucketRanges ranges;
  ranges.devices = static_cast<int>(count);
  const std::vector<uint64_t> sizes = even_ranges(m, count);
  for (size_t r = 0; r < count; ++r) {
    ranges.begins[r + 1] = ranges.begins[r] + sizes[r];
  }
  return ranges;
}

// Copies all buckets to the device, calls work(buckets on the device), and copies them back.
template <class Bucket, class Work>
void with_buckets_on_device(std::span<Bucket> buckets, cudaStream_t stream, const Work& work) {
  const DeviceArray<Bucket> room(buckets.size());
  const std::span<Bucket> on_device = room.span();
  PRESORT_CUDA(cudaMemcpyAsync(on_device.data(), buckets.data(), buckets.size_bytes(),
                               cudaMemcpyHostToDevice, stream));
  work(on_device);
  PRESORT_CUDA(cudaMemcpyAsync(buckets.data(), on_device.data(), buckets.size_bytes(),
                               cudaMemcpyDeviceToHost, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
}

}  // namespace detail

template <class Label, class Value, class Bucket, class M = Sum<Bucket>>
requires Monoid<M, Bucket>
void multireduce_in_host(std::span<Label> labels, std::span<Value> values,
                         std::span<Bucket> buckets, const M& monoid = {},
                         const InHostCall& call = {}) {
  using Input = std::remove_const_t<Value>;
  detail::check_chunk(call.chunk);
  check_same_length("values", values.size(), labels.size());
  const auto own = detail::unsigned_labels(labels);
  using Own = std::remove_const_t<typename decltype(own)::element_type>;
  check_labels_reach(buckets.size(), sizeof(Own));
  if (own.empty()) {
    return;
  }
  const uint64_t chunk = std::min<uint64_t>(call.chunk, own.size());
  const size_t count = detail::ranges_in_host(buckets.size(), sizeof(Bucket), call.range_bytes);
  if (count == 1) {
    return detail::with_buckets_on_device(buckets, call.stream, [&](std::span<Bucket> on_device) {
      multireduce_from_host(own, std::span<const Input>(values), on_device, monoid,
                            {.stream = call.stream, .chunk = chunk, .labels = call.labels});
    });
  }
  const BucketRanges ranges = detail::even_bucket_ranges(buckets.size(), count);
  const uint64_t most = ranges.size(0);
  const GpuPlan plan =
      multireduce_plan<Own, Bucket, M>(chunk, most, {.stream = call.stream, .labels = call.labels});
  const detail::RangeRoom<Bucket> room(
      most, multireduce_scratch_bytes<Own, Bucket, M>(plan, chunk, most));
  SpilledRanges<true, Own, Input> spilled(own.size(), chunk, ranges, call.spill);
  spilled.partition(own, std::span<const Input>(values), call.stream);
  detail::reduce_ranges(
      spilled, buckets, room.buckets, call.stream,
      [&](std::span<const Own> some, std::span<const Input> of, std::span<Bucket> to) {
        multireduce(call.stream, some, of, to, monoid, plan, room.scratch);
      });
}

// counts[k] += number of inputs with label k.
template <class Label, class Count>
void histogram_in_host(std::span<Label> labels, std::span<Count> counts,
                       const InHostCall& call = {}) {
  detail::check_chunk(call.chunk);
  const auto own = detail::unsigned_labels(labels);
  using Own = std::remove_const_t<typename decltype(own)::element_type>;
  static_assert(sizeof(Own) >= 4, "labels have 4 or 8 bytes");
  check_labels_reach(counts.size(), sizeof(Own));
  if (own.empty()) {
    return;
  }
  const uint64_t chunk = std::min<uint64_t>(call.chunk, own.size());
  const size_t count = detail::ranges_in_host(counts.size(), sizeof(Count), call.range_bytes);
  if (count == 1) {
    return detail::with_buckets_on_device(counts, call.stream, [&](std::span<Count> on_device) {
      histogram_from_host(own, on_device,
                          {.stream = call.stream, .chunk = chunk, .labels = call.labels});
    });
  }
  const BucketRanges ranges = detail::even_bucket_ranges(counts.size(), count);
  const uint64_t most = ranges.size(0);
  const GpuPlan plan = plan_for<Own, Count>(Operation::histogram, chunk, most,
                                            {.stream = call.stream, .labels = call.labels});
  const detail::RangeRoom<Count> room(most, histogram_scratch_bytes<Own, Count>(plan, chunk, most));
  SpilledRanges<false, Own, Count> spilled(own.size(), chunk, ranges, call.spill);
  spilled.partition(own, {}, call.stream);
  detail::reduce_ranges(
      spilled, counts, room.buckets, call.stream,
      [&](std::span<const Own> some, std::span<const Count>, std::span<Count> to) {
        histogram(call.stream, some, to, plan, room.scratch);
      });
}

}  // namespace presort::gpu
