#include "presort/app/run/run_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "presort/app/printing/records.h"
#include "presort/app/printing/text.h"
#include "presort/core/least_bytes.h"

namespace presort::inline v0::app {
namespace {

// Bytes a second that memory gives the threads of a plan; 0: not known.
double ceiling_of(const Machine& machine, const CpuPlan& plan) {
  const Memory& memory = machine.memory;
  return memory.per_core_bandwidth == 0
             ? memory.bandwidth
             : std::min(memory.bandwidth, plan.resources.threads * memory.per_core_bandwidth);
}

double ceiling_of(const Machine& machine, const GpuPlan&) {
  return machine.gpu ? machine.gpu->copy_bandwidth : 0;
}

template <class Plan>
RunRow row_of(const MeasurementOf<Plan>& run, double first_ns,
              const std::optional<Machine>& machine) {
  const std::vector<double>& samples = run.samples_ns_per_input;
  RunRow row;
  row.plan = to_string(run.plan);
  row.in_short = short_plan(run.plan);
  row.ns = median(samples);
  row.least_ns = *std::min_element(samples.begin(), samples.end());
  row.deviation_ns = median_absolute_deviation(samples);
  row.bytes_per_second = static_cast<double>(least_bytes(run.problem)) /
                         (row.ns * 1e-9 * static_cast<double>(run.problem.n));
  const double ceiling = machine ? ceiling_of(*machine, run.plan) : 0;
  if (ceiling > 0) {
    row.of_ceiling = row.bytes_per_second / ceiling;
  }
  row.first_over_this = first_ns / row.ns;
  row.runs = samples.size();
  row.slow_runs = static_cast<size_t>(std::count_if(
      samples.begin(), samples.end(), [&row](double ns) { return ns > kSlowRun * row.ns; }));
  row.checked = run.checked;
  return row;
}

template <class Plan>
std::vector<RunRow> rows_of(const std::vector<MeasurementOf<Plan>>& runs,
                            const std::optional<Machine>& machine) {
  std::vector<RunRow> rows;
  rows.reserve(runs.size());
  for (const MeasurementOf<Plan>& run : runs) {
    rows.push_back(row_of(run, median(runs.front().samples_ns_per_input), machine));
  }
  return rows;
}

// Column heads of the table that people read, without the plan.
const std::vector<std::string> kHeads = {"ns per input", "least", "deviation", "GB/s",
                                         "of ceiling",   "gain",  "slow runs"};

std::vector<std::string> cells_of(const RunRow& row, Device device) {
  return {time_text(device, row.ns),
          time_text(device, row.least_ns),
          time_text(device, row.deviation_ns),
          fmt::format("{:.3g}", row.bytes_per_second / 1e9),
          row.of_ceiling ? format_percent(*row.of_ceiling) : "-",
          fmt::format("{:.2f} x", row.first_over_this),
          fmt::format("{} of {}", row.slow_runs, row.runs)};
}

// The table that people read, with a numbered row for each plan.
TextTable table_of(const std::vector<RunRow>& rows, Device device) {
  std::vector<std::string> header = {""};
  header.insert(header.end(), kHeads.begin(), kHeads.end());
  header.emplace_back("plan");
  TextTable table(header);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = {std::to_string(i + 1)};
    const std::vector<std::string> figures = cells_of(rows[i], device);
    cells.insert(cells.end(), figures.begin(), figures.end());
    cells.push_back(rows[i].in_short);
    table.add(cells);
  }
  return table;
}

}  // namespace

std::vector<RunRow> run_rows(const std::vector<Measurement>& runs,
                             const std::optional<Machine>& machine) {
  return rows_of(runs, machine);
}

std::vector<RunRow> run_rows(const std::vector<GpuMeasurement>& runs,
                             const std::optional<Machine>& machine) {
  return rows_of(runs, machine);
}

std::vector<StyledLine> lines_of(const std::vector<RunRow>& rows, Device device, int columns) {
  const auto faster = [](const RunRow& a, const RunRow& b) { return a.ns < b.ns; };
  const auto fastest = std::min_element(rows.begin(), rows.end(), faster) - rows.begin();
  const std::string number = std::to_string(fastest + 1);
  std::vector<StyledLine> lines;
  std::istringstream text(table_of(rows, device).text(columns));
  for (std::string line; std::getline(text, line);) {
    const bool is_fastest = rows.size() > 1 && line.substr(0, line.find(' ')) == number;
    lines.push_back(is_fastest ? all_in_style(line, Style::bold) : StyledLine{.text = line});
  }
  return lines;
}

std::string text_of(const std::vector<RunRow>& rows, Device device) {
  return table_of(rows, device).text();
}

std::string csv_of(const std::vector<RunRow>& rows) {
  std::string text =
      "plan,ns_per_input,least_ns,deviation_ns,bytes_per_second,of_ceiling,first_over_this,runs,"
      "slow_runs,checked\n";
  for (const RunRow& row : rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_cell(row.plan), row.ns, row.least_ns,
                        row.deviation_ns, row.bytes_per_second,
                        row.of_ceiling ? fmt::format("{}", *row.of_ceiling) : "",
                        row.first_over_this, row.runs, row.slow_runs, row.checked);
  }
  return text;
}

std::string markdown_of(const std::vector<RunRow>& rows, Device device) {
  std::string text = "| plan |";
  std::string rule = "\n| --- |";
  for (const std::string& head : kHeads) {
    text += " " + head + " |";
    rule += " ---: |";
  }
  text += rule + "\n";
  for (const RunRow& row : rows) {
    text += "| " + row.in_short + " |";
    for (const std::string& cell : cells_of(row, device)) {
      text += " " + cell + " |";
    }
    text += "\n";
  }
  return text;
}

std::vector<std::string> slow_run_notes(const std::vector<RunRow>& rows) {
  std::vector<std::string> notes;
  for (const RunRow& row : rows) {
    if (row.slow_runs > 0) {
      notes.push_back(fmt::format("{}: {} of {} runs took more than {} times the median",
                                  row.in_short, row.slow_runs, row.runs, kSlowRun));
    }
  }
  return notes;
}

}  // namespace presort::app
