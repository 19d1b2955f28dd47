#include "presort/io/plans/plan_yaml.h"

#include "presort/core/text/units.h"

namespace presort::inline v0::io {

namespace {

// core's messages begin with the bare key: "m: found '0', …". Says it with the path, where it
// stands.
void fail_if_about(const ValueReader& value, std::string_view key, const std::string& message) {
  if (message.starts_with(std::string(key) + ":")) {
    value.fail_with(value.path() + message.substr(key.size()));
  }
}

std::string as_text(std::string_view /*key*/, std::string_view text) {
  return std::string(text);
}

void check_problem_read(const Problem& problem, const ValueReader& n, const ValueReader& m) {
  try {
    check_problem(problem);
  } catch (const InputError& error) {
    fail_if_about(n, "n", error.what());
    fail_if_about(m, "m", error.what());
    m.fail_with(error.what());
  }
}

}  // namespace

Plan read_plan(const ValueReader& value) {
  MapReader map = value.map();
  const auto entries = map.entries();
  std::vector<PlanField> fields;
  for (const auto& [key, entry] : entries) {
    fields.push_back({key, entry.as(as_text)});
  }
  try {
    return plan_from_fields(fields);
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const auto& [key, entry] : entries) {
      fail_if_about(entry, key, message);
      if (const std::string unknown = "plan: found " + quoted_text(key);
          message.starts_with(unknown)) {
        entry.fail_with(entry.path() + message.substr(message.find(':')));
      }
    }
    value.fail_with(value.path() + ": " + message);
  }
}

std::string plan_to_yaml(const Plan& plan) {
  FlowMap map;
  for (const PlanField& field : plan_fields(plan)) {
    map.add(field.key, yaml_scalar(field.value));
  }
  return map.str();
}

std::vector<Problem> read_problem_keys(MapReader& map, Buckets buckets) {
  Problem problem;
  problem.operation = map.required("op").one_of(kOperations);
  const ValueReader n = map.required("n");
  problem.n = n.as(parse_count);
  const ValueReader m = map.required("m");
  if (const auto dist = map.optional("dist")) {
    problem.distribution = dist->as(parse_distribution);
  }
  if (const auto types = map.optional("types")) {
    problem.types = types->as(parse_types);
  }
  if (const auto seed = map.optional("seed")) {
    problem.seed = seed->as(parse_count);
  }
  const bool is_list = buckets == Buckets::list && m.is_list();
  std::vector<Problem> problems;
  for (const ValueReader& item : is_list ? m.list() : std::vector<ValueReader>{m}) {
    problem.m = item.as(parse_count);
    check_problem_read(problem, n, item);
    problems.push_back(problem);
  }
  if (problems.empty()) {
    m.fail("at least one number of buckets");
  }
  return problems;
}

void add_problem_keys(FlowMap& map, const Problem& problem) {
  map.add("op", to_name(kOperations, problem.operation));
  map.add("types", to_string(problem.types));
  map.add("dist", yaml_scalar(to_string(problem.distribution)));
  map.add("n", format_count(problem.n));
  map.add("m", format_count(problem.m));
  if (problem.seed != Problem{}.seed) {
    map.add_number("seed", problem.seed);
  }
}

}  // namespace presort::io
