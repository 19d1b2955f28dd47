// The results of timed runs as rows to print: one row for each plan. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/printing/style.h"
#include "presort/core/machine/machine.h"
#include "presort/core/measurement.h"

namespace presort::inline v0::app {

struct RunRow {
  std::string plan;         // the plan in the notation of --plan, with every key
  std::string in_short;     // the plan in short, for people
  double ns = 0;            // median time of the plan's runs, ns per input
  double least_ns = 0;      // time of the plan's fastest run, ns per input
  double deviation_ns = 0;  // median absolute deviation of the runs, ns per input
  double bytes_per_second =
      0;  // bytes that the operation must move (core/least_bytes.h) over the time
  // bytes_per_second as a share of the memory bandwidth that the machine file gives the plan's
  // threads, or of the bandwidth of a GPU's copies; no value without a machine file, or where the
  // file has no bandwidth.
  std::optional<double> of_ceiling;
  double first_over_this = 1;  // median time of the first plan, divided by that of this plan
  size_t runs = 0;
  size_t slow_runs = 0;  // number of runs that took more than kSlowRun times the median
  bool checked = false;  // true: the results were compared and equal those of the plain loop
};

inline constexpr double kSlowRun = 1.25;

// One row for each measurement, in their order.
// Requires: at least one run each, all of one problem
std::vector<RunRow> run_rows(const std::vector<Measurement>& runs,
                             const std::optional<Machine>& machine);
std::vector<RunRow> run_rows(const std::vector<GpuMeasurement>& runs,
                             const std::optional<Machine>& machine);

// The rows as text: text_of a table for people, csv_of comma-separated values with a header and
// numbers in full, markdown_of a Markdown table.
std::string text_of(const std::vector<RunRow>& rows, Device device);
std::string csv_of(const std::vector<RunRow>& rows);
std::string markdown_of(const std::vector<RunRow>& rows, Device device);

// text_of in lines, at most `columns` columns wide (0: any width), the fastest of several plans in
// bold.
std::vector<StyledLine> lines_of(const std::vector<RunRow>& rows, Device device, int columns);

// A sentence for each plan with slow runs: "direct, 2MiB pages: 2 of 7 runs took more than 1.25
// times the median".
std::vector<std::string> slow_run_notes(const std::vector<RunRow>& rows);

}  // namespace presort::app
