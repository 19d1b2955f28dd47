// The data of a report page: timed results of machines, with predictions where there are any. A page
// is made from these values alone, whether they come from a validation that has just ended
// (from/from_points.h) or from files (from/from_lines.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/device.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::app::page {

// A predicted time of one result. Times are ns per input.
struct Forecast {
  double ns = 0;
  // Low and high end of the 80 % interval; both 0: not known
  double low = 0;
  double high = 0;
  TimeStack stack;  // by what the core waits for; empty: not known
  std::vector<std::pair<std::string, double>> phases;  // name and ns per input; empty: not known
  // Bytes per input that move between the last cache and memory; no value: not known
  std::optional<double> memory_bytes;
};

// A problem that was timed with one plan.
struct Result {
  std::string operation;
  std::string labels;      // distribution of the labels: "uniform"
  std::string types;       // types of label and value: "u32+u32"
  uint64_t n = 0;          // number of inputs
  uint64_t m = 0;          // number of buckets
  std::string plan;        // the plan's keys: "sortBits=9,…"
  std::string plan_words;  // the plan in words: "sort 9 bits in 1 pass"
  bool presorted = false;
  bool in_grid = true;          // false: only the tuner's choice, not a plan of the fixed grid
  bool dropped = false;         // true: left out of all figures, as its runs spread too far
  bool tuned = false;           // true: the plan that the tuner chose for the problem
  bool direct = false;          // true: the plan that the tuner would take without a pre-sort
  std::vector<double> samples;  // times of the runs that count, ns per input; at least one
  size_t quiet = 0;             // number of samples that had the core to themselves
  std::optional<Forecast> forecast;
  double least_bytes =
      0;               // bytes per input that any plan must move (core/least_bytes.h); 0: unknown
  double ceiling = 0;  // memory bandwidth that the plan's threads have, bytes/s; 0: unknown

  double measured() const;  // median of the samples, ns per input
};

// A fact about a machine, shown at the end of the page: name and value. Facts stand in the order of showing.
using Facts = std::vector<std::pair<std::string, std::string>>;

// The results of one machine, or of one GPU.
struct Subject {
  std::string name;
  Device device = Device::cpu;
  std::vector<Result> results;
  Facts facts;
  std::string drawing;  // the memory hierarchy as text; "": not known
  // Command lines that make these results again
  std::vector<std::string> commands;
  bool complete = true;  // false: the results end early, as their maker was interrupted
  // A warning to show before all figures, for example that the machine was busy; "": none
  std::string warning;
  // HTML that stands below "How sure": tables that only a validation has. Trusted: already escaped.
  std::string tables_html;
};

}  // namespace presort::app::page
