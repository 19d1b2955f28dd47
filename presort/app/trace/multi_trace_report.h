// Results of several traces that ran at the same time, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "presort/app/trace/multi_trace.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// Options of the simulation of several traces, for printing with its result.
struct MultiTraceRun {
  struct Trace {
    std::string path;  // path of the trace, or "standard input"
    std::string format;
  };
  std::vector<Trace> traces;  // one trace for each core, in the order of the cores
  std::string page;           // page size of the traced program as text: "4KiB"
  bool functional = false;
  sim::Processes processes = sim::Processes::one;
  const Machine* machine = nullptr;
};

std::string multi_trace_report(const MultiTraceRun& run, const MultiTraceResult& result);

// The JSON document of several traces. It has the fields of one trace (app/trace/trace_report.h),
// as sums over all cores; ns lasts until the last core has ended. Fields that only a core has are
// left out: trace, format, error, ns_per_access, stack_ns. Further fields: processes (how many),
// memory_bytes (moved either way), shared[{cores[], …}] (each shared cache, as in levels[]), and
// cores[{core, trace, format, complete, error (if any), ns, …, simulated_accesses}].
io::Json multi_trace_json(const MultiTraceRun& run, const MultiTraceResult& result);

}  // namespace presort::app
