// Result files, `presort: result/1`: one JSON object a line, as `validate` writes them
// (result.jsonl). Read again, plain or compressed with gzip, they are measurements that a new model
// or tuner is judged by without running anything.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/io/json/json_object.h"

namespace presort::inline v0::io {

// One point of a validation (a problem with a plan) as it was measured.
struct RecordedPoint {
  Problem problem;
  CpuPlan plan;
  bool in_grid = false;        // true: the plan is in the fixed grid, not only the tuner's choice
  std::vector<double> ns;      // ns per input, normalised by the drift reference, at least one
  std::vector<double> raw_ns;  // ns per input as timed, before drift is taken out
  size_t quiet = 0;            // number of kept runs that had the core to themselves
  bool rerun = false;
  bool dropped = false;  // true: the point was left out because its repeats spread too far
  // true: each timed run followed an untimed one of the same plan, whose arrays it found in the caches
  bool after_itself = false;
  std::string place = "";  // place of the point's line: "FILE:LINE"
};

// A problem, and a plan of it, as objects of a line.
// Errors: InputError "KEY: found …, accepted: …"
Problem recorded_problem(const JsonObject& json);
CpuPlan recorded_plan(const JsonObject& json);

// The point of one line; `place` is "FILE:LINE".
// Errors: InputError "KEY: found …, accepted: …" for a line of another form
RecordedPoint recorded_point(const JsonObject& line, const std::string& place);

// Reads the points of a file. Keys that are not members of RecordedPoint (predictions, machine,
// provenance) are ignored.
// Errors: InputError "FILE:LINE: KEY: found …, accepted: …" for a line of another form; "FILE: …"
//         when the file cannot be read, or is damaged, cut short or too large (io/limits.h)
std::vector<RecordedPoint> read_result_lines(const std::string& path);
std::vector<RecordedPoint> parse_result_lines(const std::string& text, const std::string& file);

}  // namespace presort::io
