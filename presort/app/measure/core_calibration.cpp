#include "presort/app/measure/core_calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "presort/app/cli/interrupt.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/core_points.h"
#include "presort/app/printing/text.h"
#include "presort/core/measurement.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/provenance.h"
#include "presort/predict/calibrate/core_fit.h"
#include "presort/probe/host/cpu_identity.h"

namespace presort::inline v0::app {

namespace {

constexpr char kGrid[] = "core-costs";

double median_residual(const std::vector<CalibrationPoint>& points) {
  std::vector<double> sizes;
  for (const CalibrationPoint& point : points) {
    sizes.push_back(std::abs(point.residual()));
  }
  return median(sizes);
}

std::string slots_text(const CoreCosts& costs) {
  std::string text;
  for (const auto& [name, op] : kMicroOps) {
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", name, costs[op]);
  }
  return text;
}

void add_rows(TextTable& table, const std::vector<CalibrationPoint>& points, bool used) {
  for (const CalibrationPoint& point : points) {
    table.add({to_string(point.problem), format_ns(point.measured_ns),
               format_ns(point.simulated_ns), used ? signed_percent(point.residual()) : "left out",
               format_percent(point.core_share), fmt::format("{}/{}", point.quiet, point.runs),
               short_plan(point.plan)});
  }
}

io::Json point_json(const CalibrationPoint& point) {
  return {{"problem", io::problem_to_json(point.problem)},
          {"plan", io::plan_to_json(point.plan)},
          {"measured_ns_per_input", point.measured_ns},
          {"simulated_ns_per_input", point.simulated_ns},
          {"residual", point.residual()},
          {"core_share", point.core_share},
          {"quiet", point.quiet},
          {"runs", point.runs}};
}

io::Json points_json(const std::vector<CalibrationPoint>& points) {
  io::Json json = io::Json::array();
  for (const CalibrationPoint& point : points) {
    json.push_back(point_json(point));
  }
  return json;
}

}  // namespace

CoreCalibration calibrate_core(const Machine& machine, Verbosity verbosity) {
  const io::PlanGrid grid = io::read_plan_grid(bundled_grid(kGrid));
  std::vector<CalibrationPoint> points;
  {
    Progress progress(verbosity, "core costs");
    points = time_core_points(grid, machine.clock_hz, progress);
  }
  const size_t threads = std::max(1U, std::thread::hardware_concurrency());
  CoreCalibration calibration =
      predict::fit_core_costs(machine, points, threads, interrupt_token());
  const io::Provenance provenance = io::current_provenance();
  calibration.provenance = {{"source", "presort calibrate " + provenance.tool_version},
                            {"date", provenance.date},
                            {"cpu", probe::this_cpu().name},
                            {"compiler", provenance.compiler}};
  return calibration;
}

std::string calibration_text(const CoreCalibration& calibration) {
  TextTable table(
      {"problem", "measured ns", "simulated", "residual", "core share", "quiet", "plan"});
  add_rows(table, calibration.points, true);
  add_rows(table, calibration.left_out, false);
  return fmt::format(
      "core costs of {}, slots of dispatch ({} a cycle): {}\n"
      "{} coefficients, fitted to {} points, median residual {}; {} left out, not bound by the "
      "core\n{}",
      calibration.machine, calibration.dispatch_width, slots_text(calibration.costs), kMicroOpKinds,
      calibration.points.size(), format_percent(median_residual(calibration.points)),
      calibration.left_out.size(), table.text());
}

io::Json calibration_json(const CoreCalibration& calibration) {
  io::Json slots = io::Json::object();
  for (const auto& [name, op] : kMicroOps) {
    slots[std::string(name)] = calibration.costs[op];
  }
  return {{"machine", calibration.machine},
          {"clock_hz", calibration.clock_hz},
          {"dispatch_width", calibration.dispatch_width},
          {"coefficients", kMicroOpKinds},
          {"dispatch_slots", slots},
          {"points", points_json(calibration.points)},
          {"left_out", points_json(calibration.left_out)}};
}

}  // namespace presort::app
