// A prediction of a problem and a plan by the simulator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0 {

// Time by cause: each stalled moment is charged to what the oldest unfinished operation waits for.
// Terms are >= 0, in order: core, the cache levels by name, memoryLatency, memoryBandwidth, TLB,
// branches, stores, dependence, storage if the machine has any, and team (rounds of a team of
// threads beside their work, predict/team_time.h) if the plan has several threads and the machine's
// file says what they cost. Their sum is the total.
using TimeStack = std::vector<std::pair<std::string, double>>;

struct LevelCounts {
  std::string name;
  // Demand loads and stores that looked in the cache level, including write-through stores
  uint64_t accesses = 0;
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t writebacks = 0;  // dirty lines (sectors) that the cache level sent to the level below
  uint64_t prefetches = 0;  // lines brought in by a prefetcher of this cache level
  // The fate of prefetched lines, including lines that were fetched before the counts were reset.
  uint64_t useful_prefetches = 0;  // prefetched lines that were used before they were dropped
  // Prefetched lines that were used, but still on their way when first wanted
  uint64_t late_prefetches = 0;
  uint64_t useless_prefetches = 0;  // prefetched lines that were dropped unused
  // Misses where the level had the line, but not the sector that was wanted
  uint64_t sector_misses = 0;
  // Stores and write-backs that this level sent on to the level below: written through, or missed
  // and not brought in
  uint64_t write_throughs = 0;
  // Lines (sectors) taken away because an inclusive level below dropped them
  uint64_t back_invalidations = 0;
  uint64_t invalidations = 0;  // lines (sectors) dropped because another core writes to them
  uint64_t bytes_in = 0;       // bytes that the cache level fetched from the level below
  // Bytes sent to the level below: write-backs, writes sent on, and clean lines for a victim level
  uint64_t bytes_out = 0;
};

// The work of a block device under the memory. Its write amplification is flash_bytes /
// written_bytes.
struct StorageCounts {
  uint64_t page_uses = 0;    // memory accesses to data of the block device
  uint64_t page_faults = 0;  // memory accesses to pages that were not in memory
  uint64_t reads = 0;        // read requests to the block device, read-ahead included
  uint64_t read_bytes = 0;
  uint64_t writes = 0;
  uint64_t written_bytes = 0;
  uint64_t seeks = 0;      // seeks of the disk
  double flash_bytes = 0;  // bytes written to the flash of an SSD, garbage collection included
};

struct TlbCounts {
  std::string name;
  uint64_t accesses = 0;
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t load_accesses = 0;
  uint64_t load_misses = 0;
};

// The kind of work that a phase of a plan does. Names of phases are for people alone.
enum class PhaseKind {
  update,     // update: reads inputs and updates buckets, at once or part by part after a pre-sort
  rangePass,  // goes over all inputs and updates one range of the buckets
  count,      // counts digits of labels, before a pass moves the inputs
  move,       // moves inputs to the parts of a pass, or the rest of them out of its buffers
  takeBack,   // takes results from the parts back to the order of the inputs
  other,      // other: what comes before or after the loop: tables, sets, offsets
};

struct PhasePrediction {
  std::string name;  // name of a plan's phase: "histogram 1", "partition 1", "reduce", …
  // Time of the phase / inputs of the whole problem, so that phases add up to the total, ns
  double ns_per_input = 0;
  TimeStack stack_ns;  // ns per input of the problem, by what the core waited for
  PhaseKind kind = PhaseKind::update;
};

struct Prediction {
  Problem problem;
  CpuPlan plan;
  std::string machine;
  double ns_per_input = 0;
  double ci95_relative = 0;  // half-width of the 95 % interval of ns_per_input / ns_per_input
  TimeStack stack_ns;
  std::vector<PhasePrediction> phases;
  // Counts of each cache level in the simulated sample, not scaled to the whole problem.
  std::vector<LevelCounts> levels;
  std::vector<TlbCounts> tlb;
  uint64_t walks = 0;
  // Counts of the block device; no value on machines without one
  std::optional<StorageCounts> storage;
  uint64_t simulated_inputs = 0;
  // Number of simulated loads, stores and prefetches, timed or only for warming up
  uint64_t simulated_accesses = 0;
  double seconds = 0;  // wall time that the simulation took, s
};

}  // namespace presort
