// What a report shows of result files: lines of a validation's result.jsonl with their predictions
// and machine, and lines of GPU plans as bench/gpu prints them. Plain or compressed with gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/prediction.h"
#include "presort/io/json/result_lines.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::io {

// The prediction that a line has; times are ns per input.
struct RecordedForecast {
  double ns = 0;
  // Low and high end of the 80 % interval; both 0 in files that do not have it
  double low = 0;
  double high = 0;
  TimeStack stack;                                     // empty in files that do not have it
  std::vector<std::pair<std::string, double>> phases;  // name and ns; empty where it is missing
  std::optional<double> memory_bytes;  // bytes per input to and from memory; no value: not counted
};

// The machine of a line: what a report says of it.
struct RecordedMachine {
  std::string name;
  double clock_hz = 0;
  uint64_t cores = 0;
  double memory_latency_ns = 0;
  double memory_bandwidth = 0;           // bytes/s
  double per_core_memory_bandwidth = 0;  // bytes/s; 0: no limit of its own
  // The caches as text, nearest first: name and size, "L2 2MiB"
  std::vector<std::string> caches;
};

struct ReportLine {
  RecordedPoint point;
  std::optional<RecordedForecast> forecast;
  bool tuned = false;   // true: the plan that the tuner chose; false in files that do not say it
  bool direct = false;  // true: the plan that it would take without a pre-sort
  RecordedMachine machine;
  Provenance provenance;
  bool complete = true;
};

// The plans of one problem that were timed on a GPU.
struct GpuReportLine {
  std::string operation;
  std::string labels;
  std::string types;
  uint64_t n = 0;
  uint64_t m = 0;
  uint64_t seed = 1;       // seed of the labels
  std::string shape = {};  // tensor and axes of a reduceAxes; "" for other operations
  std::string axes = {};
  std::string machine = {};  // name of the machine file; "" in lines that do not say it
  struct Timed {
    GpuPlan plan;
    double ns = 0;                         // measured, ns per input
    std::optional<double> predicted = {};  // ns per input
    bool chosen = false;                   // true: the plan that presort chooses
  };
  std::vector<Timed> plans;  // at least one
};

struct ReportLines {
  std::vector<ReportLine> results;
  std::vector<GpuReportLine> gpu;
};

// Reads a file of either kind of lines, or of both.
// Errors: InputError "FILE:LINE: KEY: found …, accepted: …" for a line of neither form, of a type or
//         a range that is wrong, or cut short; "FILE: …" when the file cannot be read, is damaged or
//         too large (io/limits.h)
ReportLines read_report_lines(const std::string& path);
ReportLines parse_report_lines(const std::string& text, const std::string& file);

}  // namespace presort::io
