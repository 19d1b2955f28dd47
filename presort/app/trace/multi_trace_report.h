// Results of several traces that ran at the same time, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "presort/app/trace/multi_trace.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// The request, as it is printed with the result.
struct MultiTraceRun {
  struct Trace {
    std::string path;  // path of a trace, or "standard input"
    std::string format;
  };
  std::vector<Trace> traces;  // traces, one for each core, in their order
  std::string page;           // page size: "4KiB"
  bool functional = false;
  sim::Processes processes = sim::Processes::one;
  const Machine* machine = nullptr;
};

std::string multi_trace_report(const MultiTraceRun& run, const MultiTraceResult& result);

// The document of one trace (app/trace/trace_report.h) with sums of all cores in its fields, ns
// until the last core has ended, and without what only a core has: trace, format, error,
// ns_per_access, stack_ns. Besides: processes (how many), memory_bytes (moved either way),
// shared[{cores[], …}] (each shared cache, as in levels[]), and cores[{core, trace, format,
// complete, error (if any), ns, …, simulated_accesses}], which do have it.
io::Json multi_trace_json(const MultiTraceRun& run, const MultiTraceResult& result);

}  // namespace presort::app
