// One cell of a latency matrix, simulated: the same chase on a simulated machine.
#pragma once

#include <vector>

#include "presort/core/machine/latency_matrix.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fit {

struct CellOutcome {
  double cycles = 0;  // simulated latency, cycles per load
  // Average number of times that a load takes each latency of the machine: by cache level, then
  // memory, then by TLB level. Reads of page walks count where they were answered. As loads wait
  // for each other, the latency in cycles is the sum of uses times latencies, less the time that
  // prefetches in flight save.
  std::vector<double> uses;
};

// Walks the list until caches and TLBs are as in the long run, then times a part of the walk: whole
// laps of a short list, whole blocks of blockRandom, a few thousand loads otherwise.
// Requires: cell.footprint_bytes >= cell.stride_bytes
CellOutcome simulate_cell(const Machine& machine, const LatencyCell& cell, ChaseOrder order,
                          uint64_t seed = 1);

}  // namespace presort::fit
