#include "presort/fit/cell_simulation.h"

#include <algorithm>

#include "presort/sim/hierarchy.h"
#include "presort/sim/trace/patterns.h"

namespace presort::inline v0::fit {

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kTimed = 8192;  // number of timed loads in a list too long for whole laps
// Least number of loads of a warm-up: small caches with random replacement need many laps
constexpr uint64_t kWarmAtLeast = 8192;

double cached_lines(const Machine& machine) {
  double lines = 0;
  for (const CacheLevel& level : machine.caches) {
    lines += static_cast<double>(set_count(level) * level.ways) * level.share;
  }
  return lines;
}

// Number of cache lines that a pointer chase loads until the caches reach their steady state. In a list
// not much longer than the caches, loads may hit lines of the lap before (with policies other than LRU),
// and the share of hits settles from lap to lap. A much longer list leaves nothing in the caches for the
// next lap.
double lines_to_warm(double lines, double capacity) {
  const double laps = lines <= 2 * capacity ? 3 : lines <= 5 * capacity ? 2 : 0;
  return laps > 0 ? laps * lines : 1.5 * capacity;
}

struct Steps {
  uint64_t warm;
  uint64_t timed;
};

Steps steps_of(const Machine& machine, const sim::ChaseList& list) {
  const uint64_t nodes = list.nodes();
  const uint64_t per_line = std::max<uint64_t>(1, machine.caches[0].line_bytes / list.stride_bytes);
  uint64_t lap = nodes;
  if (list.order == ChaseOrder::blockRandom) {
    lap = std::min(nodes, std::max<uint64_t>(1, list.block_bytes / list.stride_bytes));
  }
  const double capacity = cached_lines(machine);
  const double lines = static_cast<double>(nodes) / static_cast<double>(per_line);
  // In random order, two loads of a line are far apart, so each load counts as another line, unless the
  // whole list nearly fits in the caches. In the other orders, the loads of a line follow each other.
  const bool far_apart = list.order == ChaseOrder::random && lines > 1.5 * capacity;
  const auto settled = static_cast<uint64_t>(lines_to_warm(lines, capacity));
  const uint64_t warm = std::max(settled * (far_apart ? 1 : per_line), kWarmAtLeast);
  if (list.order != ChaseOrder::blockRandom && lap > kTimed) {
    return {warm, kTimed};
  }
  const uint64_t laps = std::max<uint64_t>(1, kTimed / lap);
  // Numbers of loads to warm up with and to time; timing begins at the start of a block or lap
  return {std::max(warm - warm % lap, lap), laps * lap};
}

}  // namespace

CellOutcome simulate_cell(const Machine& machine, const LatencyCell& cell, ChaseOrder order,
                          uint64_t seed) {
  const sim::ChaseList list{.footprint_bytes = cell.footprint_bytes,
                            .stride_bytes = cell.stride_bytes,
                            .order = order,
                            .block_bytes = std::max(cell.block_bytes, cell.stride_bytes),
                            .seed = seed};
  const Steps steps = steps_of(machine, list);
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(kPage), sim::MemoryMode::pipelined, seed);
  sim::Chase warm(list, 0, steps.warm);
  hierarchy.count(warm);
  hierarchy.reset_statistics();
  sim::Chase timed(list, steps.warm, steps.timed);
  hierarchy.run(timed);
  const sim::Statistics statistics = hierarchy.statistics();
  const auto loads = static_cast<double>(steps.timed);
  CellOutcome outcome;
  outcome.cycles = statistics.ns * 1e-9 * machine.clock_hz / loads;
  for (const LevelCounts& level : statistics.levels) {
    outcome.uses.push_back(static_cast<double>(level.hits) / loads);
  }
  outcome.uses.push_back(static_cast<double>(statistics.levels.back().misses) / loads);
  for (const TlbCounts& level : statistics.tlb) {
    outcome.uses.push_back(static_cast<double>(level.accesses) / loads);
  }
  return outcome;
}

}  // namespace presort::fit
