// Scatters values into buckets by several processes, each with one GPU: buckets[k] = v[j] for the
// last j with labels[j] == k, where the inputs of rank 0 come first, then those of rank 1; other
// buckets stay. Shapes, Types, Requires, Returns, Errors, Stream: as gpu/processes/multireduce.cuh
// Schemes:  tables: each rank packs the last value of each label into a table of all buckets, with
//           a bit for each; the owner of a bucket takes that of the last rank that has one. inputs
#pragma once

#include "presort/gpu/devices/scatter.cuh"
#include "presort/gpu/processes/multireduce.cuh"

namespace presort::inline v0::gpu {
namespace detail {

// Words of marks, a bit for each bucket of [first, last); words are shared at the borders.
struct MarkWords {
  uint64_t first = 0;
  uint64_t count = 0;
};
inline MarkWords mark_words(const BucketRanges& ranges, size_t rank) {
  if (ranges.size(rank) == 0) {
    return {};
  }
  const uint64_t first = ranges.begins[rank] / 32;
  return {first, (ranges.begins[rank + 1] + 31) / 32 - first};
}

template <class Label, class Value>
void scatter_by_tables(const ProcessGroup& group, const BucketRanges& ranges,
                       std::span<const Label> labels, std::span<const Value> values,
                       std::span<Value> buckets, const GpuPlan& plan) {
  const uint64_t m = ranges.all();
  const size_t own = group.rank();
  const MarkWords own_words = mark_words(ranges, own);
  LastValues<Value> from;
  uint32_t* last = nullptr;
  Value* packed = nullptr;
  uint32_t* marks = nullptr;
  Value* packed_room = nullptr;
  uint32_t* marks_room = nullptr;
  std::optional<Workspace> room;
  group.together([&] {
    const size_t bytes =
        multireduce_scratch_bytes<Label, uint32_t, Max<uint32_t>>(plan, labels.size(), m);
    const auto take = [&](Carver& carver) {
      last = carver.take<uint32_t>(m);
      packed = carver.take<Value>(m);
      marks = carver.take<uint32_t>((m + 31) / 32);
      packed_room = carver.take<Value>(OwnedParts<Value>::room(ranges, own));
      marks_room = carver.take<uint32_t>((group.size() - 1) * own_words.count);
      return std::span<std::byte>(carver.take<std::byte>(bytes), bytes);
    };
    Carver measuring;
    take(measuring);
    room.emplace(group.stream(), measured_bytes(measuring, labels.size(), m),
                 std::span<std::byte>{});
    Carver carver(room->span().data());
    const auto scratch = take(carver);
    find_last(group.stream(), labels, std::span<uint32_t>(last, m), plan, scratch);
    pack_last_kernel<<<blocks_for(m), 256, 0, group.stream()>>>(
        last, values.data(), m, ranges.begins[own], ranges.begins[own + 1], packed, marks);
    PRESORT_CUDA(cudaGetLastError());
  });
  const auto parts = OwnedParts<Value>::exchange(group, ranges, packed, packed_room);
  std::vector<SentPiece> sent;
  std::vector<ReceivedPiece> received;
  for (size_t r = 0; r < group.size(); ++r) {
    from.packed.of[r] = parts.of[r];
    if (r == own) {
      continue;
    }
    const MarkWords words = mark_words(ranges, r);
    if (words.count > 0) {
      sent.push_back({static_cast<int>(r),
                      std::as_bytes(std::span<const uint32_t>(marks + words.first, words.count))});
    }
    if (own_words.count > 0) {
      received.push_back({static_cast<int>(r), std::as_writable_bytes(std::span<uint32_t>(
                                                   marks_room, own_words.count))});
    }
    from.marks.of[r] = marks_room;
    marks_room += own_words.count;
  }
  group.exchange(sent, received);
  if (buckets.empty()) {
    return;
  }
  from.last.of[own] = last;
  from.inputs.of[own] = values.data();
  from.first_packed = ranges.begins[own];
  from.first_mark = own_words.first;
  assign_last_of_devices_kernel<<<blocks_for((buckets.size() + 3) / 4), 256, 0, group.stream()>>>(
      from, ranges.devices, static_cast<int>(own), ranges.begins[own], buckets.data(),
      buckets.size());
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace detail

template <class Label, class Value, class Bucket>
DeviceScheme scatter(const ProcessGroup& group, std::span<Label> labels, std::span<Value> values,
                     std::span<Bucket> buckets, const ProcessCall& call = {}) {
  static_assert(std::is_same_v<std::remove_const_t<Value>, Bucket>,
                "values have the type of the buckets");
  const auto own = detail::unsigned_labels(labels);
  using Own = detail::UnsignedOf<Label>;
  const SharedFacts shared = group.begin_operation(
      {Operation::scatter, sizeof(Own), sizeof(Bucket), own.size(), buckets.size()},
      [&] { check_same_length("values", values.size(), labels.size()); });
  const BucketRanges& ranges = shared.ranges;
  const uint64_t most = shared.most_inputs;
  const Call local = {.stream = group.stream(), .labels = call.labels};
  const auto plan_of = [&](uint64_t n, uint64_t m) {
    return plan_for<Own, Bucket>(Operation::scatter, n, m, local);
  };
  DeviceScheme scheme = detail::scheme_of_ranks(group, call, [&](const DevicesCall& of_devices) {
    check_labels_reach(ranges.all(), sizeof(Own));
    return detail::scheme_of<Own, Bucket, Sum<Bucket>>(
        of_devices, Operation::scatter, most, ranges, plan_of(most, ranges.all()),
        plan_of(most, detail::most_owned(ranges)), false);
  });
  if (most == 0) {
    return scheme;
  }
  const std::span<const Bucket> inputs(values);
  // An index has 32 bits, and 0 stands for none.
  if (scheme == DeviceScheme::tables && most <= kMostInputsOfPresort) {
    detail::scatter_by_tables(
        group, ranges, own, inputs, buckets,
        plan_for<Own, uint32_t, Max<uint32_t>>(Operation::multireduce, most, ranges.all(), local));
    return scheme;
  }
  const uint64_t m = buckets.size();
  detail::reduce_received<true>(
      group, own, inputs, ranges,
      [&](uint64_t n) { return scatter_scratch_bytes<Own, Bucket>(plan_of(n, m), n, m); },
      [&](const auto& got, std::span<std::byte> scratch) {
        const GpuPlan plan = plan_of(got.labels.size(), m);
        scatter(group.stream(), got.labels, got.values, buckets, plan, scratch);
      });
  return DeviceScheme::inputs;
}

}  // namespace presort::gpu
