// Reduces values into buckets on several devices of one host, each with a share of the inputs and
// a range of the buckets: buckets[k] = buckets[k] ⊙ (v[j] for every j with labels[j] == k), over
// the inputs of all devices.
//   const gpu::Devices devices({0, 1});
//   const gpu::Shares<uint32_t> labels = {labels_of_0, labels_of_1};   // spans of device memory
//   const auto scheme = gpu::multireduce(devices, labels, values, buckets);
//   devices.synchronize();
// Shapes:   labels[d][n_d], values[d][n_d] in memory of device d; buckets[d] holds the buckets of
//           device d, which follow those of the devices before it. Shares may differ in length, or
//           be empty; gpu/devices/ranges.cuh: even_ranges
// Types:    as gpu/multireduce.cuh; a histogram's counts as gpu/histogram.cuh
// Requires: labels[j] < sizes of all buckets together; no overlap
// Returns:  the scheme that ran (gpu/plan/devices/scheme_time.h)
// Errors:   PlanError when shares do not match, or a given scheme does not fit; EnvironmentError
//           with the number of the device that has no memory: no bucket has changed then
// Order:    where ⊙ commutes, any. With InOrder<⊙>, or where ⊙ does not commute, that of the
//           inputs: of device 0 first, then of device 1. Integers and exact ⊙ have the same bits
//           with any number of devices; sums of floats in order the same bits in every run with as
//           many devices and the same shares, but inputs of several devices are grouped otherwise
//           than on one
// Stream:   each device's part runs on its stream of `devices`, where inputs must have been
//           written; the scheme `inputs` waits for the host once
#pragma once

#include "presort/gpu/devices/choose_scheme.cuh"
#include "presort/gpu/devices/exchange_in_chunks.cuh"

namespace presort::inline v0::gpu {
namespace detail {

// Most bytes of a bucket whose inputs are updated in rounds over several devices; larger ones,
// which one device pre-sorts as well, were not tested in rounds.
inline constexpr size_t kMostBytesOfRounds = 8;

// Reduces on each device what it got from all, by reduce(received, buckets, workspace, stream),
// with the scratch of every device taken before the first is launched; bytes(d, n): scratch of n
// inputs. With more than one chunk as reduce_in_chunks.
template <bool kHasValues, class Label, class Value, class Bucket, class Bytes, class Reduce>
void reduce_received(const Devices& devices, const Shares<const Label>& labels,
                     const Shares<const Value>& values, const Shares<Bucket>& buckets,
                     const Bytes& bytes, const Reduce& reduce, int chunks = 1) {
  if (chunks > 1) {
    return reduce_in_chunks<kHasValues>(devices, labels, values, buckets, bytes, reduce, chunks);
  }
  Exchange<kHasValues, Label, Value> exchange(devices, labels, values, ranges_of_shares(buckets));
  std::vector<DeviceScratch> scratch;
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      const auto got = exchange.received(d);
      scratch.emplace_back(devices, d, got.labels.empty() ? 0 : bytes(d, got.labels.size()));
    });
  }
  exchange.send();
  for (size_t d = 0; d < devices.size(); ++d) {
    const auto got = exchange.received(d);
    if (!got.labels.empty()) {
      devices.on(d, [&] { reduce(got, buckets[d], scratch[d].span(), devices.stream(d)); });
    }
  }
  devices.meet();
}

}  // namespace detail

template <class Label, class Value, class Bucket, class M = Sum<Bucket>>
requires Monoid<M, Bucket> DeviceScheme
multireduce(const Devices& devices, const Shares<Label>& labels, const Shares<Value>& values,
            const Shares<Bucket>& buckets, const M& monoid = {}, const DevicesCall& call = {}) {
  using Input = std::remove_const_t<Value>;
  constexpr bool kInOrder = kReducesInOrder<M, Bucket>;
  detail::check_inputs(devices, labels, values, buckets);
  detail::check_chunks(call, !kInOrder);
  const auto own = detail::unsigned_shares(labels);
  using Own = detail::UnsignedOf<Label>;
  const BucketRanges ranges = ranges_of_shares(buckets);
  const uint64_t n = detail::most_inputs(own);
  const Call local = {.labels = call.labels};
  const auto plan_of = [&](uint64_t inputs, uint64_t m) {
    return multireduce_plan<Own, Bucket, M>(inputs, m, local);
  };
  DeviceScheme scheme{};
  GpuPlan plan;
  devices.on(0, [&] {
    plan = call.plan.value_or(plan_of(n, ranges.all()));
    scheme = detail::scheme_of<Own, Bucket, M>(
        call, kInOrder ? Operation::multireduceInOrder : Operation::multireduce, n, ranges, plan,
        plan_of(n, detail::most_owned(ranges)),
        !kInOrder && sizeof(Bucket) <= detail::kMostBytesOfRounds);
  });
  if (n == 0) {
    return scheme;
  }
  check_labels_reach(ranges.all(), sizeof(Own));
  if (scheme == DeviceScheme::rounds) {
    devices.on(0, [&] {
      CheckedGpuPlan(plan, {GpuKernels::update, ranges.all(), sizeof(Bucket)});
    });
  }
  if constexpr (!kInOrder && sizeof(Bucket) <= detail::kMostBytesOfRounds) {
    if (scheme == DeviceScheme::rounds) {
      std::vector<decltype(detail::input_of<Bucket>(own[0], values[0]))> inputs;
      std::vector<uint64_t> ns;
      for (size_t d = 0; d < devices.size(); ++d) {
        inputs.push_back(detail::input_of<Bucket>(own[d], values[d]));
        ns.push_back(own[d].size());
      }
      update_by_rounds(devices, inputs, ns, buckets, monoid, plan);
      return scheme;
    }
  }
  if (scheme == DeviceScheme::inputs) {
    const Shares<const Input> inputs(values.begin(), values.end());
    detail::reduce_received<true>(
        devices, own, inputs, buckets,
        [&](size_t d, uint64_t inputs_of) {
          const uint64_t m = buckets[d].size();
          return multireduce_scratch_bytes<Own, Bucket, M>(plan_of(inputs_of, m), inputs_of, m);
        },
        [&](const auto& got, std::span<Bucket> to, std::span<std::byte> scratch,
            cudaStream_t stream) {
          const GpuPlan chosen = plan_of(got.labels.size(), to.size());
          multireduce(stream, got.labels, got.values, to, monoid, chosen, scratch);
        },
        call.chunks);
    return scheme;
  }
  reduce_by_tables(devices, buckets, monoid, [&](size_t d, std::span<Bucket> table) {
    multireduce(own[d], values[d], table, monoid,
                Call{.stream = devices.stream(d),
                     .plan = own[d].size() == n ? plan : call.plan,
                     .labels = call.labels});
  });
  return scheme;
}

// Counts labels: counts[k] += number of inputs with label k. Labels of 1 and 2 bytes are counted
// in tables.
template <class Label, class Count>
DeviceScheme histogram(const Devices& devices, const Shares<Label>& labels,
                       const Shares<Count>& counts, const DevicesCall& call = {}) {
  detail::check_shares("labels", labels.size(), devices);
  detail::check_shares("counts", counts.size(), devices);
  detail::check_chunks(call, true);
  const auto own = detail::unsigned_shares(labels);
  using Own = detail::UnsignedOf<Label>;
  constexpr bool kIsWide = sizeof(Own) >= 4;
  const BucketRanges ranges = ranges_of_shares(counts);
  const uint64_t n = detail::most_inputs(own);
  const Call local = {.labels = call.labels};
  const auto plan_of = [&](uint64_t inputs, uint64_t m) {
    return plan_for<Own, Count>(Operation::histogram, inputs, m, local);
  };
  DeviceScheme scheme = call.scheme.value_or(DeviceScheme::tables);
  GpuPlan plan;
  if (!kIsWide && scheme != DeviceScheme::tables) {
    throw PlanError("labels of 1 and 2 bytes are counted in tables alone");
  }
  if constexpr (kIsWide) {
    devices.on(0, [&] {
      plan = call.plan.value_or(plan_of(n, ranges.all()));
      scheme =
          detail::scheme_of<Own, Count, Sum<Count>>(call, Operation::histogram, n, ranges, plan,
                                                    plan_of(n, detail::most_owned(ranges)), true);
    });
  }
  if (n == 0) {
    return scheme;
  }
  check_labels_reach(ranges.all(), sizeof(Own));
  if (scheme == DeviceScheme::rounds) {
    devices.on(0, [&] { CheckedGpuPlan(plan, {GpuKernels::update, ranges.all(), sizeof(Count)}); });
  }
  if constexpr (kIsWide) {
    if (scheme == DeviceScheme::rounds) {
      std::vector<CountedInput<Own, Count>> inputs;
      std::vector<uint64_t> ns;
      for (const auto& share : own) {
        inputs.push_back({share.data()});
        ns.push_back(share.size());
      }
      update_by_rounds(devices, inputs, ns, counts, Sum<Count>{}, plan);
      return scheme;
    }
    if (scheme == DeviceScheme::inputs) {
      detail::reduce_received<false>(
          devices, own, Shares<const Count>(devices.size()), counts,
          [&](size_t d, uint64_t inputs_of) {
            const uint64_t m = counts[d].size();
            return histogram_scratch_bytes<Own, Count>(plan_of(inputs_of, m), inputs_of, m);
          },
          [&](const auto& got, std::span<Count> to, std::span<std::byte> scratch,
              cudaStream_t stream) {
            histogram(stream, got.labels, to, plan_of(got.labels.size(), to.size()), scratch);
          },
          call.chunks);
      return scheme;
    }
  }
  reduce_by_tables(devices, counts, Sum<Count>{}, [&](size_t d, std::span<Count> table) {
    histogram(own[d], table,
              Call{.stream = devices.stream(d), .plan = call.plan, .labels = call.labels});
  });
  return scheme;
}

}  // namespace presort::gpu
