// Prints a miss-ratio curve as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/app/printing/records.h"
#include "presort/core/machine/machine.h"
#include "presort/io/json/result_json.h"
#include "presort/sim/reuse/miss_ratio_curve.h"

namespace presort::inline v0::app {

// The origin of a miss-ratio curve: a trace, read to its end or not, or a problem.
struct CurveRun {
  std::string title;  // subject of the curve: "program.lackey (lackey)", "multireduce n=2^20 …"
  std::string plan = "";  // the plan, if the subject is a problem
  const Machine* machine = nullptr;
  double rate = 1;         // share of the cache lines that the curve follows, 0 to 1
  double seconds = 0;      // wall time of the simulation, s
  std::string error = "";  // reason why the trace was not read to its end; empty: it was
  bool interrupted = false;
};

struct CurveRow {
  uint64_t bytes = 0;  // bytes of a fully associative LRU cache
  uint64_t misses = 0;
  std::string level;  // name of the machine's cache level of this size; empty: none has it
};

// Cache sizes at which the curve is printed, ascending: four an octave up to all lines of the
// curve, and the sizes of the machine's cache levels (of a shared level the part that neighbours
// leave).
std::vector<CurveRow> curve_rows(const sim::MissRatioCurve& curve, const Machine& machine);

std::string curve_report(const CurveRun& run, const sim::MissRatioCurve& curve);

// A row for each size. Columns: bytes, misses, miss_ratio, level (name, or empty).
Records curve_records(const CurveRun& run, const sim::MissRatioCurve& curve);

// Adds fields to the JSON document of a miss-ratio curve: {machine, complete, error (if any),
// line_bytes, lines, lines_followed (a share), simulated_accesses, straddling_accesses,
// streaming_stores, cold_misses, miss_ratio_curve[{bytes, misses, miss_ratio, level (if any)}],
// seconds, accesses_per_second, machine_values{}, provenance{}}
void add_curve(io::Json& json, const CurveRun& run, const sim::MissRatioCurve& curve);

}  // namespace presort::app
