// Room for each digit in what a partition writes, from a sample of the labels instead of a count of
// all of them: one group of kGroup labels of every kStride groups, whichever a hash says, so that
// no period in the labels meets it. A digit gets as many places as the sample speaks for and
// kDeviations standard deviations more. What does not fit all the same is found out by the
// partition and seen to afterwards (gpu/device/partition/update_left_out.cuh): the sample decides how fast
// that is, never what is right.
// Why: counting all labels took 0.00106 ns of the 0.0074 to 0.0162 of a pre-sorted multireduce, the
// sample and what it brings with it 0.00009 (one H200, u32 + u32, n = 2^28, 2026-11-22).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/host/host_device.h"

namespace presort::inline v0::gpu {

// A sample of the labels: one group of neighbouring labels in each stride.
struct RoomSample {
  // Number of labels in a sampled group: 64 bytes of 4-byte labels, which memory reads at once
  static constexpr uint64_t kGroup = 16;
  static constexpr uint64_t kStride = 32;  // one of so many groups is sampled
  static constexpr uint64_t kInputs =
      kGroup * kStride;  // number of labels that a sampled group stands for
  // Least number of places in a digit's room: a run of its labels may lie between two sampled groups, on
  // both sides
  static constexpr uint64_t kLeast = 2 * kInputs;
  // Spare places of a digit's room beyond its expected count, in standard deviations for independent
  // labels. Where all labels of a group are equal, they amount to 2 standard deviations.
  static constexpr double kDeviations = 8;

  // The number of labels in the sample of n labels.
  static constexpr uint64_t size(uint64_t n) { return n / kInputs * kGroup; }

  // The index of the input that is number `i` of the sample.
  PRESORT_HOST_DEVICE static uint64_t place(uint64_t i) {
    const uint64_t group = i / kGroup;
    const uint32_t turn = static_cast<uint32_t>(group) * 0x9e3779b1u >> 27;
    static_assert(kStride == 32, "the hash has 5 bits");
    return (group * kStride + turn) * kGroup + i % kGroup;
  }

  // The number of places for a digit that occurs `seen` times in the sample.
  PRESORT_HOST_DEVICE static uint64_t room(uint64_t seen) {
    const double deviation = kStride * sqrt(static_cast<double>(seen));
    return kStride * seen + static_cast<uint64_t>(kDeviations * deviation) + kLeast;
  }

  // Upper bound of the places of all digits' rooms together. Spare places grow with the square root of a
  // digit's count, so their sum is largest where all digits are equally frequent.
  static uint64_t most_room(uint64_t n, uint64_t digits) {
    const auto seen = static_cast<double>(size(n));
    const double deviations = kStride * std::sqrt(seen * static_cast<double>(digits));
    return n + static_cast<uint64_t>(kDeviations * deviations) + digits * (kLeast + 1);
  }
};

// Fewest inputs for which a sample makes rooms. With fewer, the sample is small for so many parts,
// and rooms are much larger than what they hold.
inline constexpr uint64_t kFewestSampled = uint64_t{1} << 24;

// True if room for the parts of a pre-sort in any order is made from a sample. Requires: a pre-sort
inline bool samples_room(const GpuPlan& plan, uint64_t n) {
  return plan.presort->passes == 1 && plan.strategy == GpuStrategy::sharedSets &&
         n >= kFewestSampled;
}

}  // namespace presort::gpu
