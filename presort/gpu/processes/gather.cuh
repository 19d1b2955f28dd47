// Reads buckets by several processes, each with one GPU: results[i] = buckets[labels[i]], where
// each rank owns a range of the buckets. Every rank gets the buckets of the others and gathers from
// its own memory. All ranks call it.
// Shapes:   labels[n], results[n] of this rank; buckets as gpu/processes/multireduce.cuh, whose
//           Requires, Errors and Stream hold too
// Bytes:    into each device, the buckets of all others
#pragma once

#include "presort/gpu/processes/multireduce.cuh"

namespace presort::inline v0::gpu {

template <class Label, class Bucket, class Result>
void gather(const ProcessGroup& group, std::span<Label> labels, std::span<Bucket> buckets,
            std::span<Result> results) {
  static_assert(std::is_same_v<std::remove_const_t<Bucket>, Result>,
                "results have the type of the buckets");
  const auto own = detail::unsigned_labels(labels);
  using Own = detail::UnsignedOf<Label>;
  const SharedFacts shared = group.begin_operation(
      {Operation::gather, sizeof(Own), sizeof(Result), own.size(), buckets.size()},
      [&] { check_same_length("results", results.size(), labels.size()); });
  const BucketRanges& ranges = shared.ranges;
  if (shared.most_inputs == 0) {
    return;
  }
  std::optional<Workspace> room;
  Result* all = nullptr;
  group.together([&] {
    check_labels_reach(ranges.all(), sizeof(Own));
    room.emplace(group.stream(), ranges.all() * sizeof(Result), std::span<std::byte>{});
    all = reinterpret_cast<Result*>(room->span().data());
    if (!buckets.empty()) {
      PRESORT_CUDA(cudaMemcpyAsync(all + ranges.begins[group.rank()], buckets.data(),
                                   buckets.size_bytes(), cudaMemcpyDeviceToDevice, group.stream()));
    }
  });
  std::vector<SentPiece> sent;
  std::vector<ReceivedPiece> received;
  for (size_t r = 0; r < group.size(); ++r) {
    if (r == group.rank()) {
      continue;
    }
    if (!buckets.empty()) {
      sent.push_back({static_cast<int>(r), std::as_bytes(buckets)});
    }
    if (ranges.size(r) > 0) {
      received.push_back({static_cast<int>(r), std::as_writable_bytes(std::span<Result>(
                                                   all + ranges.begins[r], ranges.size(r)))});
    }
  }
  group.exchange(sent, received);
  gather(own, std::span<const Result>(all, ranges.all()), results, {.stream = group.stream()});
}

}  // namespace presort::gpu
