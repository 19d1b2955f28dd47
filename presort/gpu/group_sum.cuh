// Sums of values by key on a GPU, where keys are any integers: the group-by of tables. Inputs are
// partitioned by the top bits of their keys' hashes, and each part gets a table in the shared
// memory of a block. With few groups there is no partition: every block has a table of all groups.
//   const uint64_t groups = gpu::group_sum(stream, keys, values, group_keys, sums, counts);
//   gpu::group_sum(stream, keys, values, group_keys, sums, counts, group_count.data(),
//                  {.bits = 10}, scratch);                      // waits for nothing
// For each different key: group_keys[k] the key, sums[k] the sum of its values, counts[k] how many.
// Shapes:   keys[n], values[n]; group_keys[r], sums[r], counts[r] with room for r groups, or counts
//           empty: nobody asks for them; group_count[1]; scratch[group_sum_scratch_bytes<Key,
//           Value>(plan, n, has counts)]; all in device memory
// Units:    n, r in elements; the scratch in bytes, aligned to 64
// Types:    keys u32, u64, i32 or i64; values u32, u64, i32, i64, f32 or f64
// Returns:  the number of groups. If it is more than r, r of them were written
// Requires: n <= 2^31
// Order:    groups stand in no particular order, another one in each call. Integers wrap; sums of
//           floats differ from run to run by rounding
// Errors:   PlanError when lengths do not fit, n is too large, the plan is none, or the scratch is
//           too small or misaligned; SpanError when an array is misaligned, or one that is written
//           overlaps another; before anything is launched. EnvironmentError with CUDA's own words
//           when a launch is refused, or there is not enough memory
// Stream:   everything runs on `stream`. With a plan nothing is allocated and nothing waits, so a
//           graph can capture it. Without, the call takes scratch from scratch_pool()
//           (gpu/workspace.cuh), chooses the plan by a sample of the keys, and waits for the result
// Plans:    bits 0 to 14. More groups than 2^14 tables hold, parts of very frequent keys, and what
//           a table refuses are joined in device memory instead
//           (gpu/device/groups/join_groups.cuh), which takes several times as long. Hashes do not
//           resist chosen keys: n keys that were made to collide in all three hashes take time n²
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "presort/core/base/carver.h"
#include "presort/gpu/detail/presort.cuh"
#include "presort/gpu/device/groups/group_plan.h"
#include "presort/gpu/device/groups/hashed_input.cuh"
#include "presort/gpu/device/groups/join_groups.cuh"
#include "presort/gpu/device/groups/sample_keys.cuh"
#include "presort/gpu/device/groups/sum_pieces.cuh"
#include "presort/gpu/host/check_arrays.h"
#include "presort/gpu/workspace.cuh"

namespace presort::inline v0::gpu {

inline constexpr uint64_t kMostInputsOfGroups = uint64_t{1} << 31;
inline constexpr uint64_t kMostInputsUnsampled = uint64_t{1} << 20;

template <class Key>
inline constexpr bool kIsGroupKey = std::is_integral_v<Key> &&
                                    (sizeof(Key) == 4 || sizeof(Key) == 8);
template <class Value>
inline constexpr bool kIsGroupValue = std::is_arithmetic_v<Value> &&
                                      (sizeof(Value) == 4 || sizeof(Value) == 8);

// Keys and hashes as the kernels take them.
template <class Key>
using GroupKey = std::conditional_t<sizeof(Key) == 8, uint64_t, uint32_t>;

namespace detail {

// The scratch of a group-by.
template <class Key, class Value>
struct GroupScratch {
  PresortArrays<Key, WordOf<Value>> presort;  // plans with a partition
  uint32_t* piece_begins = nullptr;           // piece_begins[parts + 1]
  GroupArrays<Key, Value> list{};             // what is joined
  GroupIndex index{};

  static GroupScratch take(Carver& carver, const GroupPlan& plan, uint64_t n, bool has_counts) {
    GroupScratch scratch;
    if (plan.bits > 0) {
      scratch.presort =
          PresortArrays<Key, WordOf<Value>>::take(carver, plan.partition(), n, Order::any);
      scratch.piece_begins = carver.take<uint32_t>((size_t{1} << plan.bits) + 1);
    }
    scratch.list.keys = carver.take<Key>(n);
    scratch.list.sums = carver.take<Value>(n);
    scratch.list.counts = has_counts ? carver.take<uint32_t>(n) : nullptr;
    scratch.list.size = carver.take<unsigned long long>(1);
    scratch.list.room = n;
    scratch.index.places = carver.take<uint32_t>(kIndexPlacesOfEntry * n);
    return scratch;
  }
};

inline void check_group_plan(const GroupPlan& plan, uint64_t n) {
  if (plan.bits < 0 || plan.bits > kMaxPartBits) {
    throw PlanError("bits: found " + std::to_string(plan.bits) + ", accepted: 0 to " +
                    std::to_string(kMaxPartBits));
  }
  if (n > kMostInputsOfGroups) {
    throw PlanError("n: found " + std::to_string(n) + " inputs, accepted: at most 2^31");
  }
}

// Most inputs of a piece: without a partition two pieces for each multiprocessor; else several
// times those of an average part.
inline uint64_t most_of_piece(const GroupPlan& plan, uint64_t n, const DeviceLimits& device) {
  constexpr uint64_t kFewest = uint64_t{1} << 13;
  constexpr uint64_t kFewestOfPart = uint64_t{1} << 15;
  constexpr uint64_t kAverageParts = 4;
  if (plan.bits == 0) {
    const uint64_t pieces = 2 * static_cast<uint64_t>(device.multiprocessors);
    return std::max(kFewest, (n + pieces - 1) / pieces);
  }
  return std::max(kFewestOfPart, kAverageParts * (n >> plan.bits));
}

}  // namespace detail

// Bytes of scratch: 24 to 60 an input. Errors: PlanError as group_sum
template <class Key, class Value>
size_t group_sum_scratch_bytes(const GroupPlan& plan, uint64_t n, bool has_counts) {
  detail::check_group_plan(plan, n);
  Carver carver;
  detail::GroupScratch<GroupKey<Key>, Value>::take(carver, plan, n, has_counts);
  return carver.used_bytes();
}

template <class Key, class Value>
void group_sum(cudaStream_t stream, std::span<const Key> keys, std::span<const Value> values,
               std::span<Key> group_keys, std::span<Value> sums, std::span<uint32_t> counts,
               uint64_t* group_count, const GroupPlan& plan, std::span<std::byte> scratch) {
  static_assert(kIsGroupKey<Key>, "keys are integers of 4 or 8 bytes");
  static_assert(kIsGroupValue<Value>, "values are numbers of 4 or 8 bytes");
  using Hash = GroupKey<Key>;
  const uint64_t n = keys.size();
  const bool has_counts = !counts.empty();
  const std::span<uint64_t> count(group_count, 1);
  check_lengths("values", values.size(), "keys", n);
  check_lengths("sums", sums.size(), "group keys", group_keys.size());
  if (has_counts) {
    check_lengths("counts", counts.size(), "group keys", group_keys.size());
  }
  check_scratch(scratch, group_sum_scratch_bytes<Key, Value>(plan, n, has_counts));
  check_arrays({placed_array("keys", keys), placed_array("values", values),
                placed_array("group keys", group_keys), placed_array("sums", sums),
                placed_array("counts", counts), placed_array("group count", count),
                placed_array("scratch", scratch)});
  PRESORT_CUDA(cudaMemsetAsync(group_count, 0, sizeof *group_count, stream));
  if (n == 0) {
    return;
  }
  Carver carver(scratch.data());
  const auto arrays = detail::GroupScratch<Hash, Value>::take(carver, plan, n, has_counts);
  PRESORT_CUDA(cudaMemsetAsync(arrays.list.size, 0, sizeof *arrays.list.size, stream));
  const GroupArrays<Hash, Value> groups{reinterpret_cast<Hash*>(group_keys.data()), sums.data(),
                                        has_counts ? counts.data() : nullptr, sums.size(),
                                        reinterpret_cast<unsigned long long*>(group_count)};
  const auto* const own_keys = reinterpret_cast<const Hash*>(keys.data());
  GroupPieces pieces{.n = n,
                     .most = detail::most_of_piece(plan, n, current_device_limits()),
                     .parts = 0,
                     .part_bits = plan.bits,
                     .begins = nullptr,
                     .piece_begins = arrays.piece_begins};
  if (plan.bits == 0) {
    sum_pieces(stream, HashedInput<Hash, Value>{{own_keys, values.data()}}, pieces, groups,
               arrays.list);
  } else {
    using Word = WordOf<Value>;
    const auto* const words = reinterpret_cast<const Word*>(values.data());
    const auto out =
        run_any_presort(stream, HashedInput<Hash, Word>{{own_keys, words}}, n, arrays.presort,
                        plan.partition(), static_cast<int>(8 * sizeof(Hash)));
    pieces.parts = 1u << plan.bits;
    pieces.begins = arrays.presort.begins;
    sum_pieces(stream, PairedInput<Hash, Value>{out.pairs}, pieces, groups, arrays.list);
  }
  join_groups(stream, arrays.list, arrays.index, groups);
}

// The plan for these keys. Of more than kMostInputsUnsampled it is chosen by a sample of them,
// which waits for the stream, some 40 µs; of fewer, that would take longer than a partition that is
// not needed.
// Errors:   EnvironmentError
template <class Key, class Value>
GroupPlan sampled_group_plan(cudaStream_t stream, std::span<const Key> keys, bool has_counts) {
  using Hash = GroupKey<Key>;
  const uint64_t n = keys.size();
  const uint32_t slots = group_slots<Hash, Value>(current_device_limits(), has_counts);
  if (n <= kMostInputsUnsampled) {
    return choose_group_plan(n, static_cast<double>(n), slots);
  }
  Carver measured;
  KeySet<Hash>::take(measured);
  const Workspace room(stream, measured.used_bytes(), {});
  Carver carver(room.span().data());
  const auto set = KeySet<Hash>::take(carver);
  const KeySample sample = sample_keys(stream, reinterpret_cast<const Hash*>(keys.data()), n, set);
  return choose_group_plan(n, estimated_groups(n, sample), slots);
}

template <class Key, class Value>
uint64_t group_sum(cudaStream_t stream, std::span<const Key> keys, std::span<const Value> values,
                   std::span<Key> group_keys, std::span<Value> sums, std::span<uint32_t> counts) {
  detail::check_group_plan({}, keys.size());
  const bool has_counts = !counts.empty();
  const GroupPlan plan = sampled_group_plan<Key, Value>(stream, keys, has_counts);
  Carver measured;
  measured.take<uint64_t>(1);
  const size_t bytes = group_sum_scratch_bytes<Key, Value>(plan, keys.size(), has_counts);
  const Workspace room(stream, measured.used_bytes() + bytes, {});
  auto* const count = reinterpret_cast<uint64_t*>(room.span().data());
  group_sum(stream, keys, values, group_keys, sums, counts, count, plan,
            room.span().subspan(measured.used_bytes()));
  uint64_t found = 0;
  PRESORT_CUDA(cudaMemcpyAsync(&found, count, sizeof found, cudaMemcpyDeviceToHost, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  return found;
}

}  // namespace presort::gpu
