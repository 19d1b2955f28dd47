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
// Loads of the last level alone that take as long as one that all levels count, and loads of that
// kind that take as long as a timed one
constexpr uint64_t kLastLevelPerLoad = 4;
constexpr uint64_t kTimedCost = 2;

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

// Numbers of loads: first those that warm the last cache level alone, then those that warm all
// levels, then those that are timed.
struct Steps {
  uint64_t last_level;
  uint64_t warm;
  uint64_t timed;
};

// Number of loads after which TLBs, page tables and all cache levels but the last have forgotten
// what came before: as many as touch twice the lines that these levels hold, and every line of the
// tables that map the list.
uint64_t remembered_loads(const Machine& machine, const sim::ChaseList& list, uint64_t per_line) {
  constexpr uint64_t kBytesMappedByLine = 8 * kPage;
  constexpr uint64_t kVisits = 4;  // random visits to each line; 2 % of the lines get none
  Machine above = machine;
  above.caches.pop_back();
  const auto held = static_cast<uint64_t>(cached_lines(above));
  const uint64_t tables = list.footprint_bytes / kBytesMappedByLine;
  return std::max(kWarmAtLeast, std::max(2 * held, kVisits * tables) * per_line);
}

// True if long past loads may warm the last level alone. A victim level whose lines come back from
// above treats a hit otherwise than a level that keeps them, except with policies that do not tell
// a hit from a new line.
bool warms_last_level_alone(const Machine& machine) {
  const CacheLevel& last = machine.caches.back();
  const bool same_for_hits = last.policy == Replacement::lru || last.policy == Replacement::random;
  return machine.caches.size() > 1 && (last.fill == Fill::onMiss || same_for_hits);
}

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
  uint64_t recent = warms_last_level_alone(machine)
                        ? remembered_loads(machine, list, far_apart ? 1 : per_line)
                        : warm;
  // A list about as long as the caches hits where the last level takes none of the lines that the
  // others hold: only counting a whole lap of it leaves a victim level so
  const bool just_fits = lines > 0.75 * capacity && lines < 1.25 * capacity;
  if (machine.caches.back().fill == Fill::onEvict && just_fits) {
    recent += nodes;
  }
  const auto split = [recent](uint64_t all, uint64_t timed) {
    const uint64_t counted = std::min(all, recent);
    return Steps{all - counted, counted, timed};
  };
  if (list.order != ChaseOrder::blockRandom && lap > kTimed) {
    return split(warm, kTimed);
  }
  const uint64_t laps = std::max<uint64_t>(1, kTimed / lap);
  // Timing begins at the start of a block or lap
  return split(std::max(warm - warm % lap, lap), laps * lap);
}

sim::ChaseList list_of(const LatencyCell& cell, ChaseOrder order, uint64_t seed) {
  return {.footprint_bytes = cell.footprint_bytes,
          .stride_bytes = cell.stride_bytes,
          .order = order,
          .block_bytes = std::max(cell.block_bytes, cell.stride_bytes),
          .seed = seed};
}

}  // namespace

uint64_t work_of_cell(const Machine& machine, const LatencyCell& cell, ChaseOrder order) {
  const Steps steps = steps_of(machine, list_of(cell, order, 1));
  return steps.last_level / kLastLevelPerLoad + steps.warm + kTimedCost * steps.timed;
}

CellOutcome simulate_cell(const Machine& machine, const LatencyCell& cell, ChaseOrder order,
                          uint64_t seed) {
  const sim::ChaseList list = list_of(cell, order, seed);
  const Steps steps = steps_of(machine, list);
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(kPage), sim::MemoryMode::pipelined, seed);
  sim::Chase past(list, 0, steps.last_level);
  for (auto loads = past.next(); !loads.empty(); loads = past.next()) {
    hierarchy.warm_last_level(loads);
  }
  sim::Chase warm(list, steps.last_level, steps.warm);
  hierarchy.count(warm);
  hierarchy.reset_statistics();
  sim::Chase timed(list, steps.last_level + steps.warm, steps.timed);
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
