// Keeps some values of an array on a GPU, in their order.
//   compact        keeps the values whose flag keep[i] is not 0
//   compact_if     keeps the values for which a predicate is true
//   partition      as compact; the other values go, in their order, to an array of their own
//   partition_if   as compact_if; the other values go to an array of their own
//   gpu::compact(stream, values, keep, kept, count.data(), scratch);
// compact and compact_if work in place too: kept may be the same array as values.
// Flags are taken as they are: check_flags.cuh refuses those that are neither 0 nor 1.
// Shapes:   values[n], keep[n]; kept[k] with room for as many as are kept, others[n - k]; count[1],
//           which is then k; scratch[compact_scratch_bytes<Value>(n)]; all in device memory
// Units:    n, k in elements; the scratch in bytes, aligned to 64
// Requires: values of any trivially copyable type of up to 64 bytes; a predicate that can be called
//           on the device, any number of times; room for what is kept and for the others
// Errors:   PlanError when lengths do not fit or the scratch is too small or misaligned; SpanError
//           when an array is misaligned, or one that is written overlaps another; before anything
//           is launched. EnvironmentError with CUDA's own words when a launch is refused
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits (gpu/scan.cuh)
// How:      many values of 4 or 8 bytes, by flags, by CUB (device/ordered/select_by_cub.cuh); all
//           else by the look-back of device/ordered/compact_tiles.cuh
// Source:   Merrill and Garland 2016, whose single pass is what makes it work in place
#pragma once

#include <algorithm>
#include <span>

#include "presort/gpu/device/ordered/compact_tiles.cuh"
#include "presort/gpu/device/ordered/select_by_cub.cuh"
#include "presort/gpu/host/remembered_bytes.h"
#include "presort/gpu/scan.cuh"

namespace presort::inline v0::gpu {

template <class Value>
size_t compact_scratch_bytes(uint64_t n) {
  Carver carver;
  LookBack<uint64_t>::take(carver, tile_count<Value>(n));
  size_t bytes = carver.used_bytes();
  if constexpr (compacts_by_cub<Value>(~uint64_t{0})) {
    if (compacts_by_cub<Value>(n)) {
      bytes = std::max(bytes, remembered_bytes(n, [](uint64_t count) {
                         size_t in_place = 0;
                         size_t apart = 0;
                         const Value* const from = nullptr;
                         alignas(Value) std::byte other[sizeof(Value)];
                         compact_by_cub<Value>(nullptr, in_place, from, nullptr, nullptr, nullptr,
                                               count, nullptr);
                         compact_by_cub<Value>(nullptr, apart, from, nullptr,
                                               reinterpret_cast<Value*>(other), nullptr, count,
                                               nullptr);
                         return std::max(in_place, apart);
                       }));
    }
  }
  return bytes;
}

// Keeps values whose flag is set or whose predicate is true. Requires: arguments were checked
template <class Value, class Keep>
void compact_values(cudaStream_t stream, std::span<const Value> values, const Keep& keep,
                    std::span<Value> kept, std::span<Value> others, uint64_t* count,
                    std::span<std::byte> scratch) {
  if (values.empty()) {
    return PRESORT_CUDA(cudaMemsetAsync(count, 0, sizeof *count, stream));
  }
  Carver carver(scratch.data());
  const auto look_back = LookBack<uint64_t>::take(carver, tile_count<Value>(values.size()));
  compact_tiles(stream,
                CompactArguments<Value, Keep>{values.data(), kept.data(), others.data(), count,
                                              keep, values.size(),
                                              are_packs_aligned<kPackOf<Value>>(values.data())},
                look_back);
}

// Checks the arguments of a compact or partition. Errors: PlanError, SpanError
template <class Value>
void check_compact(std::span<const Value> values, std::span<const uint8_t> keep,
                   std::span<Value> kept, std::span<Value> others, uint64_t* count,
                   std::span<std::byte> scratch) {
  check_scratch(scratch, compact_scratch_bytes<Value>(values.size()));
  const bool is_in_place = values.data() == kept.data() && others.empty();
  check_arrays({placed_array("values", is_in_place ? values.first(0) : values),
                placed_array("keep", keep), placed_array("kept", kept),
                placed_array("others", others), placed_array("count", std::span(count, 1)),
                placed_array("scratch", scratch)});
}

template <class Value>
void compact(cudaStream_t stream, std::span<const Value> values, std::span<const uint8_t> keep,
             std::span<Value> kept, uint64_t* count, std::span<std::byte> scratch) {
  check_lengths("keep", keep.size(), "values", values.size());
  check_compact(values, keep, kept, {}, count, scratch);
  if constexpr (compacts_by_cub<Value>(~uint64_t{0})) {
    if (compacts_by_cub<Value>(values.size())) {
      size_t bytes = scratch.size();
      return compact_by_cub(scratch.data(), bytes, values.data(), keep.data(), kept.data(), count,
                            values.size(), stream);
    }
  }
  const KeepFlagged flags{{keep.data(), are_packs_aligned<16>(keep.data())}};
  compact_values(stream, values, flags, kept, {}, count, scratch);
}

template <class Value, class Predicate>
void compact_if(cudaStream_t stream, std::span<const Value> values, const Predicate& is_kept,
                std::span<Value> kept, uint64_t* count, std::span<std::byte> scratch) {
  check_compact(values, {}, kept, {}, count, scratch);
  compact_values(stream, values, KeepIf<Predicate>{is_kept}, kept, {}, count, scratch);
}

template <class Value>
void partition(cudaStream_t stream, std::span<const Value> values, std::span<const uint8_t> keep,
               std::span<Value> kept, std::span<Value> others, uint64_t* count,
               std::span<std::byte> scratch) {
  check_lengths("keep", keep.size(), "values", values.size());
  check_compact(values, keep, kept, others, count, scratch);
  const KeepFlagged flags{{keep.data(), are_packs_aligned<16>(keep.data())}};
  compact_values(stream, values, flags, kept, others, count, scratch);
}

template <class Value, class Predicate>
void partition_if(cudaStream_t stream, std::span<const Value> values, const Predicate& is_kept,
                  std::span<Value> kept, std::span<Value> others, uint64_t* count,
                  std::span<std::byte> scratch) {
  check_compact(values, {}, kept, others, count, scratch);
  compact_values(stream, values, KeepIf<Predicate>{is_kept}, kept, others, count, scratch);
}

}  // namespace presort::gpu
