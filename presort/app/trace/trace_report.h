// Results of a simulated trace, as text and as JSON.
#pragma once

#include <string>

#include "presort/app/trace/trace_simulation.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// Options of the simulation of a trace, for printing with its result.
struct TraceRun {
  std::string trace;  // path of the trace, or "standard input"
  std::string format;
  std::string page;  // page size of the traced program as text: "4KiB"
  bool functional = false;
  const Machine* machine = nullptr;
};

std::string trace_report(const TraceRun& run, const TraceResult& result);

// The JSON of a simulated trace: {trace, format, page, functional, machine, complete, error (if
// any), ns, ns_per_access, stack_ns{} (per access), levels[], tlb[], walks, memory_reads,
// memory_writes, straddling_accesses, simulated_accesses, seconds, accesses_per_second,
// machine_values{}, provenance{}}; without ns, ns_per_access, stack_ns when functional
io::Json trace_json(const TraceRun& run, const TraceResult& result);

// The JSON of one interval: {interval, first_access, accesses, ns, ns_per_access, stack_ns{},
// levels[], tlb[], walks, memory_reads, memory_writes}; without ns, ns_per_access, stack_ns when
// functional.
io::Json interval_json(uint64_t interval, uint64_t first, const sim::Statistics& statistics,
                       bool functional);

// Adds the fields that the JSON documents of traces and intervals share: ns, ns_per_access,
// stack_ns{} unless functional; and levels[] … memory_partial_writes, which add_counts adds alone.
void add_statistics(io::Json& json, const sim::Statistics& statistics, bool functional);
void add_counts(io::Json& json, const sim::Statistics& statistics);

// Time per access, ns; 0 if the trace had no accesses
double ns_per_access(const sim::Statistics& statistics);
TimeStack stack_per_access(const sim::Statistics& statistics);

}  // namespace presort::app
