// Swaps at one word of shared memory follow each other. No CUDA types.
//   A lane that updates a bucket by compare and swap reads it, combines, and swaps. Of all lanes
//   that have read the same value one comes through, and the others read anew (LDS, FADD,
//   ATOMS.CAST.SPIN, BRA by disassembly for sm_90). So between two updates of a word a read and a
//   sum pass, however many lanes wait.
#pragma once

#include <algorithm>
#include <cmath>

#include "presort/core/problem.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/times/part_visits.h"
#include "presort/gpu/plan/times/table_blocks.h"

namespace presort::inline v0::gpu {

// Time, ns, from one swap of a word to the next.
//   shared_latency_ns: time of a read of shared memory that waits for the one before
// Source of the sums' latencies: Jia et al., "Dissecting the NVIDIA Volta GPU architecture via
// microbenchmarking", 2018, table 4.1: FADD 4 cycles, DADD 8.
inline double swap_step_ns(double shared_latency_ns, double clock_hz, double entry_bytes) {
  const double sum_cycles = entry_bytes > 4 ? 8 : 4;
  return shared_latency_ns + sum_cycles / clock_hz * 1e9;
}

// Updates of the busiest word of a block's table, of all inputs of a slice: those of its label, but
// for lanes that are joined or have words of their own.
// Requires: kernel.swaps; all are of one problem
inline double swaps_of_busiest_word(const Problem& problem, const LabelFacts& labels,
                                    const TableKernel& kernel, const TableBlocks& blocks) {
  // Blocks that look for hot buckets look at an input of each thread, if they have as many, and give
  // words of their own to labels of 1/128 of them (gpu/block/hot_buckets.cuh).
  constexpr double kShareOfHot = 1.0 / 128;
  constexpr double kInputsOfJoined = 128;  // four of each lane, where all are of one label
  const auto inputs = static_cast<double>(blocks.inputs);
  const DistributionKind kind = problem.distribution.kind;
  if (kind == DistributionKind::degenerate || is_in_order(kind)) {
    return inputs / kInputsOfJoined / blocks.sets;
  }
  double hottest = labels.hottest_share();
  if (kernel.m > kMostBucketsWithoutHot && blocks.inputs >= static_cast<uint64_t>(blocks.threads)) {
    hottest = std::min(hottest, kShareOfHot);
  }
  return hottest * inputs / blocks.sets;
}

// Updates of a word for each pair of a part, of which the share `share` has the word's label: warps
// whose 64 pairs at a time all have it join them. Requires: share > 0
inline double swaps_of_pair(double share) {
  constexpr double kPairsOfWarp = 64;
  const double joined = std::pow(share, kPairsOfWarp);
  return share * (1 - joined / share) + joined / kPairsOfWarp;
}

// Time, ns, of the swaps of the busiest words behind a pre-sort, where blocks look for hot labels
// in few visits or none: those of the most frequent label, or in every part those of an average
// one.
//   hot_rows: share of all pairs that lie in the part of the most frequent label
//   buckets:  buckets of a part
//   share:    share of that part's pairs that have the label
//   step_ns:  swap_step_ns
inline double swaps_in_parts_ns(const Problem& problem, const PartVisits& visits, double hot_rows,
                                double buckets, double share, double step_ns) {
  const DistributionKind kind = problem.distribution.kind;
  if (kind == DistributionKind::degenerate || is_in_order(kind) || buckets <= 1) {
    return 0;
  }
  const auto n = static_cast<double>(problem.n);
  const double hot = visits.looks_in(hot_rows * n)
                         ? 0
                         : visits.swaps_ns(hot_rows, hot_rows * n, swaps_of_pair(share), step_ns);
  return std::max(hot, visits.swaps_ns(1, n, swaps_of_pair(1 / buckets), step_ns));
}

}  // namespace presort::gpu
