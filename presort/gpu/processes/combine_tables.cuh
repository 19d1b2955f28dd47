// Combine tables of processes: each rank reduces its inputs into a table of all buckets and sends
// every owner its part of it; an owner combines what it gets in the order of the ranks:
// bucket ⊙ table of rank 0 ⊙ table of rank 1 ...
// Bytes:    into each device, (G - 1) / G of a table, for G ranks
// Memory:   a table of all buckets, and G - 1 times the own ones
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/gpu/devices/combine_tables.cuh"
#include "presort/gpu/processes/process_group.cuh"

namespace presort::inline v0::gpu {

// The part of every rank's array of all buckets that this rank owns; its own part stays where it
// is.
template <class T>
class OwnedParts {
 public:
  // Elements that a rank must have room for: those of the other ranks' parts.
  static size_t room(const BucketRanges& ranges, size_t rank) {
    return (static_cast<size_t>(ranges.devices) - 1) * ranges.size(rank);
  }

  // Sends each owner its part of `all`, whose element 0 is of bucket 0, and gets the own parts of
  // the others into room[room(ranges, rank)]. All ranks call it.
  static Addresses<T> exchange(const ProcessGroup& group, const BucketRanges& ranges, T* all,
                               T* room) {
    const size_t own = group.rank();
    const uint64_t count = ranges.size(own);
    Addresses<T> parts;
    std::vector<SentPiece> sent;
    std::vector<ReceivedPiece> received;
    for (size_t r = 0; r < group.size(); ++r) {
      if (r == own) {
        parts.of[r] = all + ranges.begins[own];
        continue;
      }
      parts.of[r] = room;
      room += count;
      if (ranges.size(r) > 0) {
        sent.push_back({static_cast<int>(r),
                        std::as_bytes(std::span<const T>(all + ranges.begins[r], ranges.size(r)))});
      }
      if (count > 0) {
        received.push_back(
            {static_cast<int>(r), std::as_writable_bytes(std::span<T>(parts.of[r], count))});
      }
    }
    group.exchange(sent, received);
    return parts;
  }
};

// Reduces into a table of all buckets, by local(table), and combines the tables of all ranks with
// the own buckets. All ranks call it. Errors: as ProcessGroup; no bucket has changed then
template <class Bucket, class M, class Local>
void reduce_by_tables(const ProcessGroup& group, const BucketRanges& ranges,
                      std::span<Bucket> buckets, const M& monoid, const Local& local) {
  const uint64_t m = ranges.all();
  std::optional<Workspace> room;
  Bucket* table = nullptr;
  Bucket* parts_room = nullptr;
  group.together([&] {
    const auto take = [&](Carver& carver) {
      table = carver.take<Bucket>(m);
      parts_room = carver.take<Bucket>(OwnedParts<Bucket>::room(ranges, group.rank()));
    };
    Carver measuring;
    take(measuring);
    room.emplace(group.stream(), measured_bytes(measuring, 0, m), std::span<std::byte>{});
    Carver carver(room->span().data());
    take(carver);
    fill_table_kernel<<<blocks_for(m), 256, 0, group.stream()>>>(table, m, monoid.identity());
    PRESORT_CUDA(cudaGetLastError());
    local(std::span<Bucket>(table, m));
  });
  const auto parts = OwnedParts<Bucket>::exchange(group, ranges, table, parts_room);
  if (!buckets.empty()) {
    combine_tables_kernel<TableEntries::kept>
        <<<blocks_for((buckets.size() + 3) / 4), 256, 0, group.stream()>>>(
            parts, ranges.devices, 0, buckets.data(), buckets.size(), monoid);
    PRESORT_CUDA(cudaGetLastError());
  }
}

}  // namespace presort::gpu
