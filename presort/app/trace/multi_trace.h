// Simulates several traces at the same time, each on a core of its own of one machine.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "presort/app/trace/trace_simulation.h"
#include "presort/core/machine/machine.h"
#include "presort/sim/multi_core.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::app {

struct MultiTraceResult {
  // One result for each trace; `seconds` in each is the time of all traces
  std::vector<TraceResult> cores;
  double seconds = 0;  // wall time of the simulation, s

  bool complete() const;
  // Counts of all cores; ns and stack_ns are those of the core that ends last.
  sim::Statistics total() const;
  size_t last_core() const;  // index of the core that ends last; the first one if several do
};

// Counts of one shared cache, for the cores that share it.
struct SharedCounts {
  int first_core;
  int last_core;
  LevelCounts counts;  // counts of the cache, summed over the cores that share it
};

// Counts of each cache that is shared by two or more cores with a trace; the level nearest to the
// cores first.
std::vector<SharedCounts> shared_counts(const Machine& machine, const MultiTraceResult& result);

class MultiTraceSimulation {
 public:
  // Prepares a simulation of `cores` traces.
  // Requires: options.interval is 0 and options.record null; the machine outlives this object
  // Errors: those of sim::MultiCore: `cores` is 0 or more than the machine has, a block device
  MultiTraceSimulation(const Machine& machine, int cores, const TraceSimulationOptions& options,
                       sim::Processes processes);

  // Runs each trace until its end, the limit or a read error; after an error the other traces go
  // on. A deferred interrupt ends all traces.
  // Requires: as many traces as cores; called once
  // Errors: a trace's own when not one record of it could be read
  MultiTraceResult run(std::span<sim::AccessSource* const> traces);

 private:
  const Machine& machine_;
  TraceSimulationOptions options_;
  sim::MultiCore cores_;
};

}  // namespace presort::app
