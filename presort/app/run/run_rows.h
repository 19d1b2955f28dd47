// What is printed of timed runs: one row for each plan. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/measurement.h"

namespace presort::inline v0::app {

struct RunRow {
  std::string plan;         // the plan as --plan takes it, every key
  std::string in_short;     // the plan in a few words
  double ns = 0;            // median time, ns per input
  double least_ns = 0;      // time of the fastest run
  double deviation_ns = 0;  // median absolute deviation of the runs
  double bytes_per_second =
      0;  // bytes that the operation must move (core/least_bytes.h) over the time
  // bytes_per_second as a share of the memory bandwidth that the machine file gives the plan's threads, or
  // of a GPU's copies; nothing without a machine file, or where it does not say.
  std::optional<double> of_ceiling;
  double first_over_this = 1;  // time of the first plan over that of this one
  size_t runs = 0;
  size_t slow_runs = 0;  // runs that took more than kSlowRun times the median
  bool checked = false;  // equal to the plain loop
};

inline constexpr double kSlowRun = 1.25;

// One row for each measurement, in their order.
// Requires: at least one run each, all of one problem
std::vector<RunRow> run_rows(const std::vector<Measurement>& runs,
                             const std::optional<Machine>& machine);
std::vector<RunRow> run_rows(const std::vector<GpuMeasurement>& runs,
                             const std::optional<Machine>& machine);

// The rows as a table for people; as comma-separated values with a header, numbers in full; as a
// Markdown table.
std::string text_of(const std::vector<RunRow>& rows, Device device);
std::string csv_of(const std::vector<RunRow>& rows);
std::string markdown_of(const std::vector<RunRow>& rows, Device device);

// A sentence for each plan of which runs were slow: "direct, 2MiB pages: 2 of 7 runs took
// more than 1.25 times the median".
std::vector<std::string> slow_run_notes(const std::vector<RunRow>& rows);

}  // namespace presort::app
