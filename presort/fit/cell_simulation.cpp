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
constexpr uint64_t kLastLevelPerLoad = 2;
constexpr uint64_t kTimedCost = 2;

// Part of the caches' lines that a list may have and still lie in the caches as a whole
constexpr double kSurelyHeld = 0.75;

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
// next lap. With random replacement, of which a lap of three times the caches' lines leaves 6 % of its
// lines, a lap too few changes 1 % of the hits.
double lines_to_warm(double lines, double capacity) {
  const double times = lines / capacity;
  const double laps = times <= kSurelyHeld ? 2
                      : times <= 2         ? 3
                      : times <= 3         ? 2
                      : times <= 5         ? 1
                                           : 0;
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
  uint64_t recent =
      machine.caches.size() > 1 ? remembered_loads(machine, list, far_apart ? 1 : per_line) : warm;
  // A list about as long as the caches hits where the last level takes none of the lines that the
  // others hold: only counting a whole lap of it leaves a victim level so
  const bool just_fits = lines > kSurelyHeld * capacity && lines < 1.25 * capacity;
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

// The list whose loads warm the last level alone, one in so many: a load for each line, where the
// loads of a line follow each other and where the caches hold the whole list.
struct PastList {
  sim::ChaseList list;
  uint64_t loads_of_line = 1;  // loads of the cell's list that one load of this list stands for
};

PastList past_list(const Machine& machine, const sim::ChaseList& list) {
  const uint64_t line = machine.caches[0].line_bytes;
  const double held_bytes = kSurelyHeld * cached_lines(machine) * static_cast<double>(line);
  const bool any_order =
      list.order != ChaseOrder::random || static_cast<double>(list.footprint_bytes) < held_bytes;
  if (!any_order || list.stride_bytes >= line || line % list.stride_bytes != 0 ||
      list.footprint_bytes < line) {
    return {list, 1};
  }
  PastList past{list, line / list.stride_bytes};
  past.list.stride_bytes = line;
  past.list.block_bytes = std::max(past.list.block_bytes, line);
  return past;
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
  const sim::ChaseList list = list_of(cell, order, 1);
  const Steps steps = steps_of(machine, list);
  const uint64_t past = steps.last_level / past_list(machine, list).loads_of_line;
  return past / kLastLevelPerLoad + steps.warm + kTimedCost * steps.timed;
}

CellOutcome simulate_cell(const Machine& machine, const LatencyCell& cell, ChaseOrder order,
                          uint64_t seed) {
  const sim::ChaseList list = list_of(cell, order, seed);
  const Steps steps = steps_of(machine, list);
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(kPage), sim::MemoryMode::pipelined, seed);
  const PastList before = past_list(machine, list);
  sim::Chase past(before.list, 0, steps.last_level / before.loads_of_line);
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
