// A pre-sort in one pass and in any order, whose parts need not lie side by side: room for each
// part is made from a sample of the labels, so that these are read once, by the partition. Parts
// have gaps between them; the few inputs that find no room are combined with their buckets at once.
// Requires: ⊙ commutes
#pragma once

#include <cstdint>

#include "presort/core/base/carver.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/detail/presort.cuh"
#include "presort/gpu/device/partition/sampled_room.cuh"
#include "presort/gpu/device/partition/update_left_out.cuh"

namespace presort::inline v0::gpu {

// Device arrays of a sampled pre-sort.
template <class Label, class Value>
struct SampledArrays {
  using Output = GaplessOutput<Label, Value>;
  Output out;
  uint64_t* begins = nullptr;  // begins[digits + 1]: first place of the room of each part
  uint64_t* ends = nullptr;    // ends[digits]: index behind the last pair of each part
  uint32_t* counts = nullptr;  // counts[digits]: number of sampled labels with each digit
  size_t cleared_bytes =
      0;  // bytes from the array `counts` on, cleared before the sample is counted
  PartitionRooms rooms;

  // Takes the scratch arrays of a sampled pre-sort. Requires: samples_room
  static SampledArrays take(Carver& carver, const GpuPlan& plan, uint64_t n) {
    const int bits = plan.presort->sort_bits;
    const uint64_t digits = uint64_t{1} << bits;
    const uint64_t tile = tile_inputs<Order::any, Output>(bits);
    SampledArrays arrays;
    arrays.rooms.spill = RoomSample::most_room(n, digits);
    arrays.out = Output::take(carver, arrays.rooms.spill + tile);
    arrays.begins = carver.take<uint64_t>(digits + 1);
    arrays.ends = carver.take<uint64_t>(digits);
    arrays.rooms.begins = arrays.begins;
    arrays.rooms.cursors = carver.take<unsigned long long>(digits);
    arrays.rooms.fills = carver.take<unsigned long long>(digits);
    const size_t before = carver.used_bytes();
    arrays.counts = carver.take<uint32_t>(digits);
    arrays.rooms.left_out = carver.take<unsigned long long>(1);
    arrays.rooms.marks =
        carver.take<uint32_t>((n + tile - 1) / tile * mark_words(static_cast<uint32_t>(digits)));
    arrays.cleared_bytes = carver.used_bytes() - before;
    return arrays;
  }
};

// Orders pairs into parts by the top sort_bits bits of labels with label_bits bits, each part into
// its room, and marks the inputs that it leaves out. Where the parts end is only known when
// update_left_out has run. `input` is ordered, with values as words.
// Requires: samples_room; n < 2^32
template <class Input, class Arrays>
void partition_to_rooms(cudaStream_t stream, const Input& input, uint64_t n, const Arrays& arrays,
                        const Digit& digit) {
  using Output = typename Arrays::Output;
  PRESORT_CUDA(cudaMemsetAsync(arrays.counts, 0, arrays.cleared_bytes, stream));
  update_shared(stream, DigitInput<SampledInput<Input>>{{input}, digit}, RoomSample::size(n),
                arrays.counts, digit.count(), divide_buckets(digit.count(), 1, 1), Sum<uint32_t>{});
  room_begins_kernel<<<1, kScanThreads, 0, stream>>>(
      arrays.counts, arrays.begins, arrays.rooms.cursors, arrays.rooms.fills, digit.count());
  PRESORT_CUDA(cudaGetLastError());
  partition<Order::any>(stream, input, n,
                        PartitionArrays<Output>{.out = arrays.out,
                                                .begins = arrays.begins,
                                                .cursors = arrays.rooms.cursors,
                                                .rooms = arrays.rooms},
                        digit);
}

// Orders pairs as partition_to_rooms, and combines the inputs that it leaves out with their
// buckets; part d is then pairs [begins[d], ends[d]). `typed` is the same input with values of ⊙'s
// type. Requires: samples_room; n < 2^32
template <class Input, class Typed, class Arrays, class M>
void run_sampled_presort(cudaStream_t stream, const Input& input, const Typed& typed, uint64_t n,
                         const Arrays& arrays, const GpuPlan& plan, int label_bits,
                         typename Typed::Value* buckets, const M& monoid) {
  using Output = typename Arrays::Output;
  const int bits = plan.presort->sort_bits;
  const Digit digit{.shift = label_bits - bits, .bits = bits};
  partition_to_rooms(stream, input, n, arrays, digit);
  update_left_out(stream, typed, n, static_cast<uint32_t>(tile_inputs<Order::any, Output>(bits)),
                  arrays.rooms, arrays.ends, OneArray<typename Typed::Value>{buckets}, digit,
                  monoid);
}

}  // namespace presort::gpu
