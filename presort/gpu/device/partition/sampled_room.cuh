// Counts a sample of the labels and makes room for each digit of a partition from it
// (gpu/plan/labels/room_sample.h).
#pragma once

#include <cstdint>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/device/partition/digit_begins.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/labels/room_sample.h"

namespace presort::inline v0::gpu {

// Some of the labels and values of an input, spread evenly, which themselves are an input of
// kernels. Requires: kCount divides RoomSample::kGroup
template <class Input>
struct SampledInput {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  Input input;

  template <int kCount>
  bool is_aligned() const {
    return input.template is_aligned<kCount>();
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    static_assert(RoomSample::kGroup % kCount == 0);
    input.template load<kCount>(RoomSample::place(first), label, value);
  }
};

// Computes where each digit's room begins, where its cursor starts (at the begin), and in `fills`
// where the room ends.
// Shapes: counts[digits] of the sample, begins[digits + 1], cursors[digits], fills[digits]; one
//         block
static __global__ void __launch_bounds__(kScanThreads)
    room_begins_kernel(const uint32_t* counts, uint64_t* begins, unsigned long long* cursors,
                       unsigned long long* fills, uint32_t digits) {
  ScannedSizes<uint64_t, kScanItemsOfPass> rooms;
  rooms.take(digits, [&](uint32_t d) { return RoomSample::room(counts[d]); });
  rooms.scan(digits, begins, [&](uint32_t d, uint64_t begin, uint64_t room) {
    cursors[d] = begin;
    fills[d] = begin + room;
  });
}

}  // namespace presort::gpu
