#include "presort/io/plans/plan_yaml.h"

#include <algorithm>
#include <iterator>

#include "presort/core/problem_fields.h"
#include "presort/core/text/units.h"
#include "presort/io/fields/field_reader.h"
#include "presort/io/fields/field_writer.h"

namespace presort::inline v0::io {

namespace {

// Throws an error message of core, which begins with a bare key ("m: found '0', …"), with the key's
// path and place in the file; returns if the message is about another key.
void fail_if_about(const ValueReader& value, std::string_view key, const std::string& message) {
  if (message.starts_with(std::string(key) + ":")) {
    value.fail_with(value.path() + message.substr(key.size()));
  }
}

std::string as_text(std::string_view /*key*/, std::string_view text) {
  return std::string(text);
}

constexpr std::string_view kBuckets = "m";

// The field table of a problem without its number of buckets, of which there may be a list.
const FieldTable& buckets_apart() {
  static const std::vector<Field> rows = [] {
    std::vector<Field> others;
    std::ranges::copy_if(fields::kProblem.rows, std::back_inserter(others),
                         [](const Field& row) { return row.key != kBuckets; });
    return others;
  }();
  static const FieldTable table = {fields::kProblem.doc, rows, fields::kProblem.initial};
  return table;
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

namespace {

template <class Plan>
Plan read_plan_with(const ValueReader& value, Plan (*from_fields)(const std::vector<PlanField>&)) {
  MapReader map = value.map();
  const auto entries = map.entries();
  std::vector<PlanField> fields;
  for (const auto& [key, entry] : entries) {
    fields.push_back({key, entry.as(as_text)});
  }
  try {
    return from_fields(fields);
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

std::string to_yaml(const std::vector<PlanField>& fields) {
  FlowMap map;
  for (const PlanField& field : fields) {
    map.add(field.key, yaml_scalar(field.value));
  }
  return map.str();
}

}  // namespace

CpuPlan read_plan(const ValueReader& value) {
  return read_plan_with(value, cpu_plan_from_fields);
}

GpuPlan read_gpu_plan(const ValueReader& value) {
  return read_plan_with(value, gpu_plan_from_fields);
}

std::string plan_to_yaml(const CpuPlan& plan) {
  return to_yaml(plan_fields(plan));
}

std::string plan_to_yaml(const GpuPlan& plan) {
  return to_yaml(plan_fields(plan));
}

std::vector<Problem> read_problem_keys(MapReader& map, Buckets buckets) {
  Problem problem;
  FieldReader().read(map, buckets_apart(), &problem);
  const ValueReader n = map.required("n");
  const ValueReader m = map.required(kBuckets);
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
  add_fields(map, fields::kProblem, &problem);
}

}  // namespace presort::io
