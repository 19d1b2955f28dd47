// Simulates one cell of a latency matrix (a list length and stride): its pointer chase on a simulated
// machine.
#pragma once

#include <vector>

#include "presort/core/machine/latency_matrix.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fit {

struct CellOutcome {
  double cycles = 0;  // simulated latency, cycles per load
  // uses[k]: how often a load takes latency k of the machine, on average; first cache levels, then
  // memory, then TLB levels. Reads of page walks count at the level that answered them. As loads wait for
  // each other, the latency in cycles is the sum of uses times latencies, less the time that prefetches
  // in flight save.
  std::vector<double> uses;
};

// Walks the cell's list until caches and TLBs reach their steady state, then times a part of the walk:
// whole laps of a short list, whole blocks of blockRandom, a few thousand loads otherwise. Loads
// that only the last cache level remembers warm it alone.
// Requires: cell.footprint_bytes >= cell.stride_bytes
CellOutcome simulate_cell(const Machine& machine, const LatencyCell& cell, ChaseOrder order,
                          uint64_t seed = 1);

// How long simulate_cell() takes, in loads that all levels count (some 10^7 a second).
uint64_t work_of_cell(const Machine& machine, const LatencyCell& cell, ChaseOrder order);

}  // namespace presort::fit
