// Distances at which the plain loop fetches buckets and inputs.
#pragma once

#include <compare>
#include <cstddef>

#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::cpu {

// Inputs that software fetches inputs ahead, and the lines of results that are written along with
// them: among random misses the hardware does not run ahead.
inline constexpr size_t kInputDistance = 512;

// Inputs that a loop fetches its buckets and its inputs ahead; 0: not at all.
struct Distances {
  size_t buckets = 0;
  size_t inputs = 0;
  auto operator<=>(const Distances&) const = default;
};

// Distances of the plain loop: without software prefetch of buckets, inputs are fetched only if the
// plan says so.
constexpr Distances plain_distances(const Base& base) {
  const auto buckets = static_cast<size_t>(base.prefetch_distance);
  return {buckets, buckets > 0 ? kInputDistance : static_cast<size_t>(base.input_distance)};
}

// Distances of the loop on the parts of a buffered pre-sort.
constexpr Distances part_distances(const Base& base) {
  return {static_cast<size_t>(base.prefetch_distance), kInputDistance};
}

// Distances of a plan's kernel, on all inputs or on the parts of a buffered pre-sort.
inline Distances distances_of(const CpuPlan& plan) {
  return plan.presort ? part_distances(plan.base) : plain_distances(plan.base);
}

}  // namespace presort::cpu
