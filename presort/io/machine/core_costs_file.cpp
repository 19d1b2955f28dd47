#include "presort/io/machine/core_costs_file.h"

#include <cmath>
#include <filesystem>

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/text/units.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/plans/plan_yaml.h"
#include "presort/io/text_map.h"
#include "presort/io/yaml/yaml_binder.h"
#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {
namespace {

// Reads a number without a unit; the key's name says the unit.
double read_number(const ValueReader& value) {
  if (value.text().ends_with('%')) {
    value.fail("a plain number such as 1.25");
  }
  return value.as(parse_ratio);
}

constexpr Range kRuns = {RangeUnit::count, 1, 1e6};
constexpr Range kQuietRuns = {RangeUnit::count, 0, 1e6};
constexpr Range kShare = {RangeUnit::ratio, 0, 1};

double read_in(const ValueReader& value, const Range& range) {
  return value.in_range(read_number(value), range);
}

CoreCosts read_slots(const ValueReader& value) {
  MapReader map = value.map();
  CoreCosts costs;
  for (const auto& [name, op] : kMicroOps) {
    costs[op] = read_in(map.required(name), field_at(fields::kCoreCosts, name).range);
  }
  map.finish();
  return costs;
}

CalibrationPoint read_point(const ValueReader& value) {
  MapReader map = value.map();
  CalibrationPoint point;
  point.problem = read_problem_keys(map, Buckets::one).front();
  point.plan = read_plan(map.required("plan"));
  point.measured_ns = read_in(map.required("measuredNs"), kTimeOfInput);
  point.simulated_ns = read_in(map.required("simulatedNs"), kTimeOfInput);
  map.optional("residual");
  point.core_share = read_in(map.required("coreShare"), kShare);
  point.quiet = map.required("quiet").integer(kQuietRuns);
  point.runs = map.required("runs").integer(kRuns);
  map.finish();
  return point;
}

std::vector<CalibrationPoint> read_points(const ValueReader& list) {
  std::vector<CalibrationPoint> points;
  for (const ValueReader& item : list.list()) {
    points.push_back(read_point(item));
  }
  return points;
}

CoreCalibration bind_core_costs(const YamlDocument& document) {
  MapReader root = open_document(document, "coreCosts/1");
  CoreCalibration calibration;
  calibration.machine = root.required("machine").name();
  if (const auto provenance = root.optional("provenance")) {
    calibration.provenance = read_text_pairs(*provenance);
  }
  const ValueReader clock = root.required("clock");
  calibration.clock_hz =
      clock.in_range(clock.as(parse_frequency_hz), field_at(fields::kCpu, "clock").range);
  calibration.dispatch_width =
      root.required("dispatchWidth").integer(field_at(fields::kCpu, "dispatchWidth").range);
  calibration.costs = read_slots(root.required("slots"));
  calibration.points = read_points(root.required("points"));
  if (const auto left_out = root.optional("leftOut")) {
    calibration.left_out = read_points(*left_out);
  }
  root.finish();
  return calibration;
}

std::string percent_text(double ratio) {
  const double tenths = std::round(ratio * 1000);
  return exact_number(tenths / 10) + "%";
}

std::string point_text(const CalibrationPoint& point) {
  FlowMap map;
  add_problem_keys(map, point.problem);
  return map.add("plan", plan_to_yaml(point.plan))
      .add("measuredNs", exact_number(point.measured_ns))
      .add("simulatedNs", exact_number(point.simulated_ns))
      .add("residual", percent_text(point.residual()))
      .add("coreShare", exact_number(point.core_share))
      .add_number("quiet", static_cast<uint64_t>(point.quiet))
      .add_number("runs", static_cast<uint64_t>(point.runs))
      .str();
}

std::string points_block(std::string_view key, const std::vector<CalibrationPoint>& points) {
  std::string text = std::string(key) + ":" + (points.empty() ? " []\n" : "\n");
  for (const CalibrationPoint& point : points) {
    text += "  - " + point_text(point) + "\n";
  }
  return text;
}

}  // namespace

std::string core_costs_path(const std::string& machine_path) {
  return std::filesystem::path(machine_path).replace_extension().string() + kCoreCostsEnding;
}

CoreCalibration read_core_costs(const std::string& path) {
  return bind_core_costs(load_yaml(path));
}

CoreCalibration parse_core_costs(const std::string& text, const std::string& file) {
  return bind_core_costs(parse_yaml(text, file));
}

std::string core_costs_to_text(const CoreCalibration& calibration) {
  FlowMap slots;
  for (const auto& [name, op] : kMicroOps) {
    slots.add(name, exact_number(calibration.costs[op]));
  }
  return "presort: coreCosts/1\n# Slots of dispatch that each kind of micro-operation takes: " +
         std::to_string(kMicroOpKinds) + " coefficients, fitted to " +
         std::to_string(calibration.points.size()) +
         " points that the core bounds\nmachine: " + yaml_scalar(calibration.machine) + "\n" +
         text_map_block("provenance", "", calibration.provenance) +
         "clock: " + exact_frequency(calibration.clock_hz) +
         "\ndispatchWidth: " + std::to_string(calibration.dispatch_width) +
         "\nslots: " + slots.str() + "\n" + points_block("points", calibration.points) +
         points_block("leftOut", calibration.left_out);
}

void write_core_costs(const std::string& path, const CoreCalibration& calibration) {
  write_atomically(path, core_costs_to_text(calibration));
}

}  // namespace presort::io
