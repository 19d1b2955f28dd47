// Distances at which the plain loop fetches buckets and inputs.
#pragma once

#include <compare>
#include <cstddef>

#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::cpu {

// Distance, in inputs, at which software prefetches inputs, and the lines of results written beside them:
// among random misses the hardware does not run ahead.
inline constexpr size_t kInputDistance = 512;

// Prefetch distances of a loop, in inputs: for its buckets and for its inputs; 0: no prefetch.
struct Distances {
  size_t buckets = 0;
  size_t inputs = 0;
  auto operator<=>(const Distances&) const = default;
};

// Prefetch distances of the plain loop: if buckets are not prefetched by software, inputs are only if the
// plan says so.
constexpr Distances plain_distances(const Base& base) {
  const auto buckets = static_cast<size_t>(base.prefetch_distance);
  return {buckets, buckets > 0 ? kInputDistance : static_cast<size_t>(base.input_distance)};
}

// Prefetch distances of the loop on the parts of a buffered pre-sort.
constexpr Distances part_distances(const Base& base) {
  return {static_cast<size_t>(base.prefetch_distance), kInputDistance};
}

// Prefetch distances of a plan's kernel, on all inputs or on the parts of a buffered pre-sort.
inline Distances distances_of(const CpuPlan& plan) {
  return plan.presort ? part_distances(plan.base) : plain_distances(plan.base);
}

}  // namespace presort::cpu
