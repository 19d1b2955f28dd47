#include "io/result_lines.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/json_lines.h"

namespace presort::io {
namespace {

using Json = nlohmann::ordered_json;

// One key with its value as text, as a plan grid or the command line would have it.
std::string field_text(const std::string& key, const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.dump() + (key.ends_with("Bytes") ? "B" : "");
}

Plan read_plan(const Json& json) {
  std::vector<PlanField> fields;
  for (const auto& [key, value] : json.items()) {
    fields.push_back({key, field_text(key, value)});
  }
  return plan_from_fields(fields);
}

std::string text_at(const Json& json, const char* key) {
  return json.at(key).get<std::string>();
}

Problem read_problem(const Json& json) {
  Problem problem{.operation = from_name(kOperations, "problem.op", text_at(json, "op")),
                  .n = json.at("n"),
                  .m = json.at("m"),
                  .distribution = parse_distribution("problem.dist", text_at(json, "dist")),
                  .types = parse_types("problem.types", text_at(json, "types")),
                  .seed = json.at("seed")};
  check_problem(problem);
  return problem;
}

RecordedPoint read_point(const Json& json) {
  if (json.at("presort") != "result/1") {
    throw InputError("presort: found " + json.at("presort").dump() + ", accepted: \"result/1\"");
  }
  RecordedPoint point{.problem = read_problem(json.at("problem")),
                      .plan = read_plan(json.at("plan")),
                      .in_grid = json.at("in_grid"),
                      .ns = json.at("samples_ns_per_input"),
                      .raw_ns = json.at("raw_samples_ns_per_input"),
                      .quiet = json.at("quiet_samples"),
                      .rerun = json.at("rerun"),
                      .dropped = json.at("dropped")};
  for (const double ns : point.ns) {
    if (!(ns > 0)) {
      throw InputError("samples_ns_per_input: found " + std::to_string(ns) +
                       ", accepted: times above 0");
    }
  }
  if (point.ns.empty() || point.raw_ns.size() != point.ns.size()) {
    throw InputError("samples_ns_per_input: accepted: at least one, as many as raw samples");
  }
  check_plan(point.plan, point.problem);
  return point;
}

}  // namespace

std::vector<RecordedPoint> parse_result_lines(const std::string& text, const std::string& file) {
  std::vector<RecordedPoint> points;
  for_each_json_line(text, file, "line of a validation's result.jsonl",
                     [&](const Json& line) { points.push_back(read_point(line)); });
  return points;
}

std::vector<RecordedPoint> read_result_lines(const std::string& path) {
  return parse_result_lines(read_maybe_compressed(path), path);
}

}  // namespace presort::io
