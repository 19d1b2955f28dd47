// Simulates a trace in intervals, up to a limit, as far as the trace can be read.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "presort/core/machine/machine.h"
#include "presort/sim/hierarchy.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::app {

struct TraceSimulationOptions {
  uint64_t page_bytes = 4096;  // page size of the traced program's memory, bytes
  bool functional = false;     // true: counts are simulated, but no time
  bool dependent = false;
  uint64_t seed = 1;
  uint64_t interval = 0;  // number of accesses in an interval; 0: no intervals
  // Most accesses of the trace that are simulated
  uint64_t limit = std::numeric_limits<uint64_t>::max();
  sim::AccessSink* record = nullptr;  // receives a copy of the trace's records; may be null
};

// The result of a simulated trace. An access that straddles lines counts once per line.
struct TraceResult {
  sim::Statistics statistics;
  uint64_t straddling = 0;
  double seconds = 0;  // wall time of the simulation, s
  std::string error;   // reason why the trace was not read to its end; empty: it was
  bool interrupted = false;
};

// Called with the results of one interval; `first` is the index of the interval's first access.
using OnInterval = std::function<void(uint64_t first, const sim::Statistics& statistics)>;

// Simulates a trace until its end, the limit, a read error or a deferred interrupt, and keeps what
// was simulated until then. `on_interval` is called after every full interval and the rest.
// Errors: those of options.record; the trace's own when not one record could be read
TraceResult simulate_trace(const Machine& machine, sim::AccessSource& trace,
                           const TraceSimulationOptions& options, const OnInterval& on_interval);

}  // namespace presort::app
