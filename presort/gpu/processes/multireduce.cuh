// Reduces values into buckets by several processes, each with one GPU, a share of the inputs and a
// range of the buckets: buckets[k] = buckets[k] ⊙ (v[j] for every j with labels[j] == k), over the
// inputs of all ranks. All ranks call it.
//   const auto scheme = gpu::multireduce(group, labels, values, buckets);
//   group.synchronize();
// Shapes:   labels[n], values[n] of this rank; buckets: those that it owns, behind those of the
//           ranks before it. Shares may differ in length, or be empty
// Types:    as gpu/multireduce.cuh; a histogram's counts as gpu/histogram.cuh
// Requires: labels[j] < buckets of all ranks together; no overlap
// Returns:  the scheme that ran
// Errors:   PlanError and EnvironmentError on every rank, with the number of the rank where it
//           happened; no bucket has changed then
// Order:    as gpu/devices/multireduce.cuh, with ranks in the place of devices
// Stream:   that of the group, where inputs must have been written. The host waits for the other
//           ranks' sizes; with the scheme `inputs` also for the stream, once
#pragma once

#include "presort/gpu/processes/combine_tables.cuh"
#include "presort/gpu/processes/exchange_inputs.cuh"

namespace presort::inline v0::gpu {
namespace detail {

// The scheme of all ranks: rank 0's. choose() is called on every rank.
// Errors: PlanError for a scheme that writes the memory of other devices
template <class Choose>
DeviceScheme scheme_of_ranks(const ProcessGroup& group, const ProcessCall& call,
                             const Choose& choose) {
  DeviceScheme scheme{};
  group.together([&] {
    if (call.scheme == DeviceScheme::rounds) {
      throw PlanError("scheme: found rounds, accepted between processes: tables, inputs");
    }
    scheme = choose(DevicesCall{
        .scheme = call.scheme, .link = call.link, .labels = call.labels, .packs = true});
  });
  return group.all_gather(scheme).front();
}

// Reduces what this rank gets from all, by reduce(received, scratch), with bytes(inputs) of
// scratch.
template <bool kHasValues, class Label, class Value, class Bytes, class Reduce>
void reduce_received(const ProcessGroup& group, std::span<const Label> labels,
                     std::span<const Value> values, const BucketRanges& ranges, const Bytes& bytes,
                     const Reduce& reduce) {
  ProcessExchange<kHasValues, Label, Value> exchange(group, labels, values, ranges);
  std::optional<Workspace> scratch;
  group.together([&] {
    const uint64_t n = exchange.received_inputs();
    scratch.emplace(group.stream(), n == 0 ? 0 : bytes(n), std::span<std::byte>{});
  });
  exchange.pack();
  const auto got = exchange.send();
  if (!got.labels.empty()) {
    reduce(got, scratch->span());
  }
}

}  // namespace detail

template <class Label, class Value, class Bucket, class M = Sum<Bucket>>
requires Monoid<M, Bucket> DeviceScheme multireduce(const ProcessGroup& group,
                                                    std::span<Label> labels,
                                                    std::span<Value> values,
                                                    std::span<Bucket> buckets, const M& monoid = {},
                                                    const ProcessCall& call = {}) {
  using Input = std::remove_const_t<Value>;
  constexpr bool kInOrder = kReducesInOrder<M, Bucket>;
  constexpr Operation kOperation =
      kInOrder ? Operation::multireduceInOrder : Operation::multireduce;
  const auto own = detail::unsigned_labels(labels);
  using Own = detail::UnsignedOf<Label>;
  const SharedFacts shared =
      group.begin_operation({kOperation, sizeof(Own), sizeof(Bucket), own.size(), buckets.size()},
                            [&] { check_same_length("values", values.size(), labels.size()); });
  const BucketRanges& ranges = shared.ranges;
  const Call local = {.stream = group.stream(), .labels = call.labels};
  const auto plan_of = [&](uint64_t n, uint64_t m) {
    return multireduce_plan<Own, Bucket, M>(n, m, local);
  };
  const DeviceScheme scheme =
      detail::scheme_of_ranks(group, call, [&](const DevicesCall& of_devices) {
        check_labels_reach(ranges.all(), sizeof(Own));
        return detail::scheme_of<Own, Bucket, M>(
            of_devices, kOperation, shared.most_inputs, ranges,
            plan_of(shared.most_inputs, ranges.all()),
            plan_of(shared.most_inputs, detail::most_owned(ranges)), false);
      });
  if (shared.most_inputs == 0) {
    return scheme;
  }
  if (scheme == DeviceScheme::inputs) {
    const uint64_t m = buckets.size();
    detail::reduce_received<true>(
        group, own, std::span<const Input>(values), ranges,
        [&](uint64_t n) { return multireduce_scratch_bytes<Own, Bucket, M>(plan_of(n, m), n, m); },
        [&](const auto& got, std::span<std::byte> scratch) {
          const GpuPlan plan = plan_of(got.labels.size(), m);
          multireduce(group.stream(), got.labels, got.values, buckets, monoid, plan, scratch);
        });
    return scheme;
  }
  reduce_by_tables(group, ranges, buckets, monoid, [&](std::span<Bucket> table) {
    multireduce(own, std::span<const Input>(values), table, monoid, local);
  });
  return scheme;
}

// Counts labels: counts[k] += number of inputs of all ranks with label k. Labels of 1 and 2 bytes
// are counted in tables.
template <class Label, class Count>
DeviceScheme histogram(const ProcessGroup& group, std::span<Label> labels, std::span<Count> counts,
                       const ProcessCall& call = {}) {
  const auto own = detail::unsigned_labels(labels);
  using Own = detail::UnsignedOf<Label>;
  constexpr bool kIsWide = sizeof(Own) >= 4;
  const SharedFacts shared = group.begin_operation(
      {Operation::histogram, sizeof(Own), sizeof(Count), own.size(), counts.size()}, [] {});
  const BucketRanges& ranges = shared.ranges;
  const Call local = {.stream = group.stream(), .labels = call.labels};
  const auto plan_of = [&](uint64_t n, uint64_t m) {
    return plan_for<Own, Count>(Operation::histogram, n, m, local);
  };
  const DeviceScheme scheme =
      detail::scheme_of_ranks(group, call, [&](const DevicesCall& of_devices) {
        check_labels_reach(ranges.all(), sizeof(Own));
        if constexpr (kIsWide) {
          return detail::scheme_of<Own, Count, Sum<Count>>(
              of_devices, Operation::histogram, shared.most_inputs, ranges,
              plan_of(shared.most_inputs, ranges.all()),
              plan_of(shared.most_inputs, detail::most_owned(ranges)), false);
        }
        if (call.scheme == DeviceScheme::inputs) {
          throw PlanError("labels of 1 and 2 bytes are counted in tables alone");
        }
        return DeviceScheme::tables;
      });
  if (shared.most_inputs == 0) {
    return scheme;
  }
  if constexpr (kIsWide) {
    if (scheme == DeviceScheme::inputs) {
      const uint64_t m = counts.size();
      detail::reduce_received<false>(
          group, own, std::span<const Count>{}, ranges,
          [&](uint64_t n) { return histogram_scratch_bytes<Own, Count>(plan_of(n, m), n, m); },
          [&](const auto& got, std::span<std::byte> scratch) {
            histogram(group.stream(), got.labels, counts, plan_of(got.labels.size(), m), scratch);
          });
      return scheme;
    }
  }
  reduce_by_tables(group, ranges, counts, Sum<Count>{},
                   [&](std::span<Count> table) { histogram(own, table, local); });
  return scheme;
}

}  // namespace presort::gpu
