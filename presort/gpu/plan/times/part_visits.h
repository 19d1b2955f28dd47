// How long blocks that go from part to part of a pre-sort take beside their pairs
// (gpu/device/update_parts.cuh, assign_parts.cuh), in closed form. No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/core/labels/zipf.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/launch_shapes.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/times/rmat_loads.h"
#include "presort/gpu/plan/times/row_instructions.h"

namespace presort::inline v0::gpu {

// Accesses of a visit that wait for the one before. Update with tables: the part's borders; its
// pairs, those behind the last whole pack, and those before the first; the buckets; the borders of
// the parts behind it. Assignment: a label of the next part that has pairs, its borders, its pairs.
inline constexpr int kAccessesOfVisit = 6;
inline constexpr int kAccessesOfAssignment = 3;

// Instructions of a visit by a warp that has no pair of the part: the loops over rows are unrolled,
// and every warp of the block passes them and its barriers. Counted along its way through the code
// for sm_90 (CUDA 13.0): update with tables of u32 sums; assignment of values of 4 bytes, by bulk
// copies; of other values.
inline constexpr double kInstructionsOfVisit = 320;
constexpr double instructions_of_assignment(uint64_t value_bytes) {
  return value_bytes == 4 ? 390 : 240;
}

// Instructions of a thread for each bucket of its part's table, beside those of a visit: it is set
// to the identity (5), and read, compared and combined with its bucket in packs of 16 bytes (25).
constexpr double instructions_of_bucket(double entry_bytes) {
  constexpr double kPackBytes = 16;
  return 5 + 25 * entry_bytes / kPackBytes;
}

// Registers of a thread of both kernels, as compiled for sm_90, and of a multiprocessor.
inline constexpr double kRegistersOfVisitor = 64;
inline constexpr double kRegistersOfMultiprocessor = 65536;

// Share of the inputs outside labels that fill a slice by themselves, of which there are `slices`:
// what the other parts lie in. 1 for labels that are not zipf.
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

// Parts in the slice that has most of them, of `slices` slices of as many inputs each.
inline double most_parts_of_slice(const Problem& problem, double parts, double slices) {
  if (is_rmat(problem)) {
    // The slice at the rarer end: labels whose first j bits are the rarer ones are a share of p^j of
    // the inputs and of 2^-j of the parts.
    const double zero = RmatLevels(problem, 0).zero();
    const double rarer = std::clamp(std::min(zero, 1 - zero), 1e-9, 0.5);
    return std::max(parts * std::pow(slices, std::log(2.0) / std::log(rarer)), parts / slices);
  }
  return (parts - 1) / slices / cold_share(problem, slices);
}

// Visits of parts by blocks. A block has a slice of the pairs and visits each part in it.
//   parts: parts that have pairs
// Requires: problem.n >= 1, parts >= 1
class PartVisits {
 public:
  // Visits by an update with tables of `table_bytes`, whose slices are read by `ranges` blocks
  // each, in the shape of the launch (gpu/plan/launch_shapes.h).
  static PartVisits of_tables(const DeviceLimits& device, const Problem& problem, double parts,
                              double table_bytes, int ranges) {
    const auto bytes = static_cast<size_t>(table_bytes) + kSpareBytes;
    const PartsLaunch launch =
        parts_launch(device, problem.n, bytes, ranges, parts_shape(device, problem.n, problem.m));
    const auto slices = static_cast<double>(launch.slices);
    const size_t blocks_that_fit =
        device.shared_bytes_of_multiprocessor / (bytes + kSystemBytesOfBlock);
    const auto fit = static_cast<double>(std::max<size_t>(1, blocks_that_fit));
    const Residence blocks(device, launch.threads, slices * ranges, fit);
    return {problem, parts, slices, blocks};
  }

  // Visits by the assignment of a scatter: four slices a multiprocessor, by blocks of 1024 threads.
  static PartVisits of_assignment(const DeviceLimits& device, const Problem& problem,
                                  double parts) {
    constexpr double kSlicesOfMultiprocessor = 4;
    constexpr double kThreads = 1024;
    const double slices = std::min(kSlicesOfMultiprocessor * device.multiprocessors,
                                   std::floor(static_cast<double>(problem.n) / kThreads) + 1);
    return {problem, parts, slices, Residence(device, kThreads, slices, slices)};
  }

  // Visits that follow each other at one place of a multiprocessor: those of all its slices, or of
  // one slice among parts of few pairs.
  double in_turn() const { return in_turn_; }

  // True if blocks with tables that swap look for hot labels in most of their visits.
  //   parts: parts that have pairs
  bool looks_for_hot(double parts) const {
    return pairs_of_slice_ / (1 + (parts - 1) / slices_) >= kFewestPairsOfThread * threads_;
  }

  // True if blocks look for hot labels in a part of so many pairs: in what a slice has of it.
  bool looks_in(double pairs) const {
    return std::min(pairs, pairs_of_slice_) >= kFewestPairsOfThread * threads_;
  }

  // Time, ns, in which the busiest words of all slices are swapped, one swap after the other in
  // each visit (gpu/plan/times/swap_chain.h). Slices with few of these pairs have ended by then.
  //   rows:  share of all pairs that lie in parts with such a word
  //   pairs: pairs of all these parts
  //   share: share of the pairs of such a part that update the word
  double swaps_ns(double rows, double pairs, double share, double step_ns) const {
    return std::min(pairs, pairs_of_slice_) * share * step_ns * std::max(1.0, rows * turns_);
  }

  // Instructions of a warp for the tables of a visit, of `buckets` buckets of `entry_bytes` each.
  double instructions_of_table(double buckets, double entry_bytes) const {
    return buckets / threads_ * instructions_of_bucket(entry_bytes);
  }

  // Time, ns, that all visits add to beside_ns, in which the kernel moves its bytes. Blocks wait
  // for a visit's accesses one after the other; the instructions of all blocks of a multiprocessor
  // go on beside bytes and waits.
  //   waits_ns: time of a visit's accesses that wait for each other
  //   instructions: instructions of a visit by a warp that has no pair of the part
  double ns(double beside_ns, double waits_ns, double instructions, double clock_hz) const {
    constexpr double kWarpsOfCycle = kIntegerLanesOfCycle / 32;
    const double busy_ns = 1e9 * instructions * warps_together_ / (kWarpsOfCycle * clock_hz);
    return std::max(in_turn_ * waits_ns, in_turn_ * busy_ns - beside_ns);
  }

 private:
  // Fewest pairs a thread of a visit whose block looks for hot labels, where buckets are swapped
  // (kFewestPairsOfHot of gpu/device/update_parts.cuh)
  static constexpr double kFewestPairsOfThread = 2;

  // Blocks of a kernel that a multiprocessor has at a time, and how many follow each other in one
  // place.
  struct Residence {
    // fit: blocks that the shared memory of a multiprocessor has room for
    Residence(const DeviceLimits& device, double threads_of_block, double blocks, double fit)
        : threads(threads_of_block) {
      const double by_registers =
          std::floor(kRegistersOfMultiprocessor / (kRegistersOfVisitor * threads));
      const double by_threads = std::floor(device.threads_of_multiprocessor / threads);
      const double most = std::max(1.0, std::min({fit, by_threads, by_registers}));
      turns = std::max(1.0, blocks / (device.multiprocessors * most));
      warps = std::min(most, std::ceil(blocks / device.multiprocessors)) * threads / 32;
    }
    double threads;  // threads of a block
    double turns;
    double warps;
  };

  PartVisits(const Problem& problem, double parts, double slices, const Residence& blocks)
      : slices_(slices),
        pairs_of_slice_(static_cast<double>(problem.n) / slices),
        threads_(blocks.threads),
        turns_(blocks.turns),
        warps_together_(blocks.warps) {
    const double others = (parts - 1) / slices;
    const double most = most_parts_of_slice(problem, parts, slices);
    in_turn_ = std::max(blocks.turns * (1 + others), 1 + std::min(most, pairs_of_slice_));
  }

  double in_turn_;
  double slices_;
  double pairs_of_slice_;
  double threads_;         // threads of a block
  double turns_;           // slices that follow each other in one place of a multiprocessor
  double warps_together_;  // warps of all blocks that a multiprocessor has at a time
};

}  // namespace presort::gpu
