// How long blocks that go from part to part of a pre-sort take beside their pairs (gpu/device/update_parts.cuh,
// assign_parts.cuh), in closed form. No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/core/labels/zipf.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// Accesses of a visit that wait for the one before. Update with tables: the part's borders; its pairs, those
// behind the last whole pack, and those before the first; the buckets; the borders of the parts behind it.
// Assignment: a label of the next part that has pairs, its borders, its pairs.
inline constexpr int kAccessesOfVisit = 6;
inline constexpr int kAccessesOfAssignment = 3;

// Share of the inputs outside labels that fill a slice by themselves, of which there are `slices`: what the
// other parts lie in. 1 for labels that are not zipf.
inline double cold_share(const Problem& problem, double slices) {
  constexpr uint64_t kTerms = 8;  // summed one by one: four digits
  if (problem.distribution.kind != DistributionKind::zipf) {
    return 1;
  }
  const double s = problem.distribution.parameter;
  const double all = zipf_mass(s, 0, problem.m, kTerms);
  const double hot = std::floor(std::pow(slices / all, 1 / s));  // share of rank r: r^-s / all
  return hot >= static_cast<double>(problem.m)
             ? 1
             : zipf_mass(s, static_cast<uint64_t>(hot), problem.m, kTerms) / all;
}

// Visits of parts by blocks. A block has a slice of the pairs and visits each part in it.
//   parts: parts that have pairs
// Requires: problem.n >= 1, parts >= 1
class PartVisits {
 public:
  // Visits by an update with tables of `table_bytes`, whose slices are read by `ranges` blocks each: four
  // slices for each block that is resident.
  static PartVisits of_tables(const DeviceLimits& device, const Problem& problem, double parts,
                              double table_bytes, int ranges) {
    constexpr double kSlicesOfBlock = 4;
    constexpr double kSystemBytes = 1024;  // shared memory of each block that the system takes
    const auto shared = static_cast<double>(device.shared_bytes_of_multiprocessor);
    const double bytes = table_bytes + kSpareBytes + kSystemBytes;
    const double threads = bytes > shared / 2 ? 1024 : 512;
    const double fit = std::max(1.0, std::floor(shared / bytes));
    const double resident =
        device.multiprocessors * std::min(fit, device.threads_of_multiprocessor / threads);
    const double most = std::max(1.0, std::floor(resident * kSlicesOfBlock / ranges));
    const double slices = std::min(most, std::floor(static_cast<double>(problem.n) / threads) + 1);
    return {problem, parts, slices, slices * ranges / resident};
  }

  // Visits by the assignment of a scatter: four slices a multiprocessor, by blocks of 1024 threads.
  static PartVisits of_assignment(const DeviceLimits& device, const Problem& problem,
                                  double parts) {
    constexpr double kSlicesOfMultiprocessor = 4;
    constexpr double kThreads = 1024;
    const double slices = std::min(kSlicesOfMultiprocessor * device.multiprocessors,
                                   std::floor(static_cast<double>(problem.n) / kThreads) + 1);
    const double resident =
        device.multiprocessors * std::max(1.0, device.threads_of_multiprocessor / kThreads);
    return {problem, parts, slices, slices / resident};
  }

  // Visits that follow each other at one place of a multiprocessor: those of all its slices, or of one slice
  // among parts of few pairs.
  double in_turn() const { return in_turn_; }

 private:
  PartVisits(const Problem& problem, double parts, double slices, double turns) {
    const double others = (parts - 1) / slices;
    const double pairs = static_cast<double>(problem.n) / slices;
    const double cold = cold_share(problem, slices);
    in_turn_ = std::max(std::max(1.0, turns) * (1 + others), 1 + std::min(others / cold, pairs));
  }

  double in_turn_;
};

}  // namespace presort::gpu
