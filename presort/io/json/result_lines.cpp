#include "presort/io/json/result_lines.h"

#include "presort/core/error.h"
#include "presort/core/problem_fields.h"
#include "presort/core/text/display_text.h"
#include "presort/core/text/names.h"
#include "presort/io/fields/field_json.h"
#include "presort/io/json/json_lines.h"

namespace presort::inline v0::io {
namespace {

// The value of a plan key as text, as in a plan grid or on the command line.
std::string text_of(const JsonObject& plan, const std::string& key, const Json& value) {
  if (value.is_string()) {
    return plan.text(key.c_str());
  }
  if (!value.is_boolean() && !value.is_number_unsigned()) {
    throw InputError(plan.path_of(key.c_str()) + ": found " + quoted_text(value.dump()) +
                     ", accepted: text, a whole number, true or false");
  }
  return value.dump();
}

}  // namespace

CpuPlan recorded_plan(const JsonObject& json) {
  std::vector<PlanField> fields;
  for (const auto& [key, value] : json.value().items()) {
    check_displayable("plan", key, kLongestName);
    fields.push_back({key, text_of(json, key, value)});
  }
  return cpu_plan_from_fields(fields);
}

Problem recorded_problem(const JsonObject& json) {
  Problem problem;
  fields_from_json(fields::kProblem, json, &problem);
  check_problem(problem);
  return problem;
}

RecordedPoint recorded_point(const JsonObject& json, const std::string& place) {
  json.require("presort", "result/1");
  RecordedPoint point{
      .problem = recorded_problem(json.object("problem")),
      .plan = recorded_plan(json.object("plan")),
      .in_grid = json.flag("in_grid"),
      .ns = json.numbers("samples_ns_per_input", kTimeOfInput),
      .raw_ns = json.numbers("raw_samples_ns_per_input", kTimeOfInput),
      .rerun = json.flag("rerun"),
      .dropped = json.flag("dropped"),
      .after_itself = json.value().contains("after_itself") && json.flag("after_itself"),
      .place = place};
  if (point.ns.empty() || point.raw_ns.size() != point.ns.size()) {
    throw InputError("samples_ns_per_input: found " + std::to_string(point.ns.size()) +
                     ", accepted: at least one, as many as raw samples, " +
                     std::to_string(point.raw_ns.size()));
  }
  const Range quiet = {RangeUnit::count, 0, static_cast<double>(point.ns.size())};
  point.quiet = json.whole("quiet_samples", quiet);
  check_plan(point.plan, point.problem);
  return point;
}

std::vector<RecordedPoint> parse_result_lines(const std::string& text, const std::string& file) {
  std::vector<RecordedPoint> points;
  for_each_json_line(text, file, "line of a validation's result.jsonl",
                     [&](const Json& line, const std::string& place) {
                       points.push_back(recorded_point(JsonObject(line), place));
                     });
  return points;
}

std::vector<RecordedPoint> read_result_lines(const std::string& path) {
  return parse_result_lines(read_maybe_compressed(path), path);
}

}  // namespace presort::io
