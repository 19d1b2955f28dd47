#include "fuzz/checks.h"

#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/io/plans/problem_file.h"
#include "presort/io/plans/tuned_file.h"
#include "presort/sim/trace/readers/line_splitter.h"
#include "presort/sim/trace/trace_formats.h"

namespace presort::inline v0::fuzz {
namespace {

constexpr uint64_t kEnoughRecords = 1 << 18;

void check(const sim::Access& record) {
  const bool is_branch = record.kind == sim::AccessKind::branch;
  require(is_branch ? record.size <= 1 : record.size >= 1 && record.size <= 64, "a record's size");
  require(record.address >> 57 == 0, "a record's address");
  require(record.depends_on <= sim::kLongestDependence, "a record's dependence");
  require(record.data_depends_on <= sim::kLongestDependence, "a record's dependence for data");
}

}  // namespace

Machine read_machine(const std::string& text, const std::string& file) {
  const Machine machine = io::parse_machine(text, file);
  require(io::parse_machine(io::machine_to_text(machine), file) == machine,
          "a machine is written and read back otherwise");
  return machine;
}

void read_core_costs(const std::string& text, const std::string& file) {
  const CoreCalibration costs = io::parse_core_costs(text, file);
  require(io::parse_core_costs(io::core_costs_to_text(costs), file) == costs,
          "core costs are written and read back otherwise");
}

void read_problems(const std::string& text, const std::string& file) {
  const auto problems = io::parse_problems(text, file);
  require(io::parse_problems(io::problems_to_text(problems), file) == problems,
          "problems are written and read back otherwise");
}

void read_tuned(const std::string& text, const std::string& file) {
  const std::string written = io::tuned_to_text(io::parse_tuned(text, file));
  require(io::tuned_to_text(io::parse_tuned(written, file)) == written,
          "a tuned table is written and read back otherwise");
}

void read_plan_grid(const std::string& text, const std::string& file) {
  const io::PlanGrid grid = io::parse_plan_grid(text, file);
  require(!grid.plans.empty() && !grid.problems.empty(), "a grid without plans or problems");
}

void read_trace(const std::string& bytes, const std::string& file,
                const std::optional<std::string>& format, sim::TraceOptions options) {
  sim::OpenedTrace trace =
      sim::open_trace(sim::TraceInput(file, sim::bytes_of(file, bytes)), format, options);
  sim::LineSplitter splitter(*trace.reader, 32);
  uint64_t records = 0;
  for (auto batch = splitter.next(); !batch.empty() && records < kEnoughRecords;
       batch = splitter.next()) {
    records += batch.size();
    for (const sim::Access& record : batch) {
      check(record);
    }
  }
}

}  // namespace presort::fuzz
