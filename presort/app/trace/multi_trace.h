// Several traces at the same time, each on a core of its own of one machine.
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
  std::vector<TraceResult> cores;  // one for each trace; their `seconds` are those of all traces
  double seconds = 0;              // wall time, s

  bool complete() const;
  // Counts of all cores; ns is the time of the core that ends last, and stack_ns that core's.
  sim::Statistics total() const;
  size_t last_core() const;  // index of the core that ends last; the first of several
};

// Counts of the cores that share a cache, in that cache.
struct SharedCounts {
  int first_core;
  int last_core;
  LevelCounts counts;  // summed over the cores that share the cache
};

// Counts of each cache that two or more cores with a trace share, nearest level first.
std::vector<SharedCounts> shared_counts(const Machine& machine, const MultiTraceResult& result);

class MultiTraceSimulation {
 public:
  // Prepares the traces.
  // Requires: options.interval is 0 and options.record null; the machine outlives this object
  // Errors: those of sim::MultiCore: `cores` is 0 or more than the machine has, a block device
  MultiTraceSimulation(const Machine& machine, int cores, const TraceSimulationOptions& options,
                       sim::Processes processes);

  // Reads each trace until its end, the limit or its error, which leave the other traces to go on;
  // a deferred interrupt ends all.
  // Requires: as many traces as cores; called once
  // Errors: a trace's own when not one record of it could be read
  MultiTraceResult run(std::span<sim::AccessSource* const> traces);

 private:
  const Machine& machine_;
  TraceSimulationOptions options_;
  sim::MultiCore cores_;
};

}  // namespace presort::app
