// Which tiles a partition into rooms leaves out because their labels are in order already: their
// inputs update the buckets by atomics where they stand (gpu/device/partition/update_left_out.cuh).
// No CUDA types: kernel, plan times and simulator follow the same rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/labels/room_sample.h"

namespace presort::inline v0::gpu {

// A tile is left out by the neighbouring labels in the first row of each warp: fewer than one in
// kMostFalling may fall, and at least one in kLeastDiffering must differ, or atomics would wait for
// each other.
inline constexpr uint32_t kMostFalling = 16;
inline constexpr uint32_t kLeastDiffering = 32;

// Shares of the inputs whose label differs from the one before, and falls below it.
struct Neighbours {
  double differ = 1;
  double fall = 0.5;  // of labels in no order
};

// The neighbours of n labels below m. Requires: m >= 1
inline Neighbours neighbours_of(const Distribution& labels, uint64_t n, uint64_t m) {
  const double of_bucket = static_cast<double>(n) / static_cast<double>(m);
  switch (labels.kind) {
    case DistributionKind::sequential:
      return {.differ = std::min(1.0, 1 / of_bucket), .fall = 0};
    case DistributionKind::sorted:
      return {.differ = -std::expm1(-of_bucket) / of_bucket, .fall = 0};
    case DistributionKind::strays:  // a stray differs from both neighbours, and is below or above
      return {.differ = std::min(1.0, 1 / of_bucket + 2 * labels.parameter),
              .fall = labels.parameter};
    case DistributionKind::degenerate:
      return {.differ = 0, .fall = 0};
    default:
      return {};
  }
}

// Share of the rows of 32 inputs of a warp in which a label follows its like.
inline double rows_with_runs(const Neighbours& neighbours) {
  constexpr int kPairsOfRow = 31;
  return 1 - std::pow(neighbours.differ, kPairsOfRow);
}

// True if nearly all tiles of n labels below m are left out.
inline bool leaves_out_in_order(const Distribution& labels, uint64_t n, uint64_t m) {
  const Neighbours neighbours = neighbours_of(labels, n, std::max<uint64_t>(m, 1));
  return neighbours.fall * kMostFalling < 1 && neighbours.differ * kLeastDiffering > 1;
}

// True if a plan has a pre-sort that moves nothing, as nearly all of its tiles are left out.
inline bool moves_nothing(const GpuPlan& plan, const Problem& problem) {
  constexpr size_t kLeastLabelBytes = 4;  // of narrower labels no tile is left out
  return plan.presort && samples_room(plan, problem.n) &&
         size_bytes(problem.types.label) >= kLeastLabelBytes &&
         leaves_out_in_order(problem.distribution, problem.n, problem.m);
}

}  // namespace presort::gpu
