// Reads buckets on several devices of one host: results[d][i] = buckets[labels[d][i]], where each
// device owns a range of the buckets.
// Shapes, Requires, Errors, Stream: as gpu/devices/multireduce.cuh; results[d][n_d]
// Schemes:  tables: every device copies the buckets of the others and gathers from its own memory;
//           inputs: every bucket is read where it lies, a sector through the link for each that
//           another device owns
#pragma once

#include "presort/gpu/devices/multireduce.cuh"
#include "presort/gpu/gather.cuh"

namespace presort::inline v0::gpu {

// results[i] = the bucket of labels[i], in its owner's memory.
template <class Label, class Value>
__global__ void __launch_bounds__(256)
    gather_where_it_lies_kernel(const Label* labels, uint64_t n, Addresses<const Value> buckets,
                                BucketRanges ranges, Value* results) {
  constexpr int kItems = 4;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t first = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; first < n;
       first += kItems * threads) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const uint64_t at = first + i * threads;
      if (at < n) {
        const uint64_t k = labels[at];
        const int owner = ranges.owner(k);
        results[at] = buckets.of[owner][k - ranges.begins[owner]];
      }
    }
  }
}

// Copies the buckets of all owners into one array.
template <class Value>
__global__ void __launch_bounds__(256)
    copy_shares_kernel(Addresses<const Value> buckets, BucketRanges ranges, uint64_t m,
                       Value* copy) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t k = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; k < m;
       k += threads) {
    const int owner = ranges.owner(k);
    copy[k] = buckets.of[owner][k - ranges.begins[owner]];
  }
}

namespace detail {

// Copies the buckets of all owners to a device, the current one: few by one kernel, as a copy of
// each owner takes as long to launch.
template <class Value>
void copy_shares(cudaStream_t stream, const Shares<const Value>& tables, const BucketRanges& ranges,
                 Value* copy) {
  constexpr uint64_t kFewBytes = uint64_t{1} << 20;  // a guess
  const uint64_t m = ranges.all();
  if (m * sizeof(Value) <= kFewBytes) {
    copy_shares_kernel<<<blocks_for(m), 256, 0, stream>>>(addresses_of(tables), ranges, m, copy);
    PRESORT_CUDA(cudaGetLastError());
    return;
  }
  for (size_t o = 0; o < tables.size(); ++o) {
    PRESORT_CUDA(cudaMemcpyAsync(copy + ranges.begins[o], tables[o].data(), tables[o].size_bytes(),
                                 cudaMemcpyDefault, stream));
  }
}

}  // namespace detail

template <class Label, class Bucket, class Result>
DeviceScheme gather(const Devices& devices, const Shares<Label>& labels,
                    const Shares<Bucket>& buckets, const Shares<Result>& results,
                    const DevicesCall& call = {}) {
  static_assert(std::is_same_v<std::remove_const_t<Bucket>, Result>,
                "results have the type of the buckets");
  detail::refuse_plan(call);
  detail::check_shares("labels", labels.size(), devices);
  detail::check_shares("buckets", buckets.size(), devices);
  detail::check_shares("results", results.size(), devices);
  const auto own = detail::unsigned_shares(labels);
  using Own = detail::UnsignedOf<Label>;
  for (size_t d = 0; d < devices.size(); ++d) {
    check_same_length("results", results[d].size(), labels[d].size());
  }
  const BucketRanges ranges = ranges_of_shares(buckets);
  check_labels_reach(ranges.all(), sizeof(Own));
  const uint64_t n = detail::most_inputs(own);
  DeviceScheme scheme{};
  devices.on(0, [&] {
    scheme = detail::scheme_of<Own, Result, Sum<Result>>(call, Operation::gather, n, ranges, {}, {},
                                                         false);
  });
  if (n == 0) {
    return scheme;
  }
  devices.meet();
  const Shares<const Result> tables(buckets.begin(), buckets.end());
  if (scheme == DeviceScheme::inputs) {
    for (size_t d = 0; d < devices.size(); ++d) {
      devices.on(d, [&] {
        gather_where_it_lies_kernel<<<blocks_for(own[d].size() / 4 + 1), 256, 0,
                                      devices.stream(d)>>>(
            own[d].data(), own[d].size(), addresses_of(tables), ranges, results[d].data());
        PRESORT_CUDA(cudaGetLastError());
      });
    }
    devices.meet();
    return scheme;
  }
  std::vector<DeviceScratch> copies;
  for (size_t d = 0; d < devices.size(); ++d) {
    copies.emplace_back(devices, d, ranges.all() * sizeof(Result));
  }
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      auto* copy = copies[d].template as<Result>();
      detail::copy_shares(devices.stream(d), tables, ranges, copy);
      gather(devices.stream(d), own[d], std::span<const Result>(copy, ranges.all()), results[d]);
    });
  }
  devices.meet();
  return DeviceScheme::tables;
}

}  // namespace presort::gpu
