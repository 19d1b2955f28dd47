#include "presort/io/plans/plan_grid_file.h"

#include <algorithm>

#include "presort/io/limits.h"
#include "presort/io/plans/plan_yaml.h"

namespace presort::inline v0::io {
namespace {

void read_grid_problems(const ValueReader& list, PlanGrid& grid) {
  for (const ValueReader& item : list.list()) {
    MapReader map = item.map();
    for (const Problem& problem : read_problem_keys(map, Buckets::list)) {
      grid.problems.push_back(problem);
    }
    map.finish();
  }
  if (grid.problems.empty()) {
    list.fail("at least one problem");
  }
}

void read_grid_plans(const ValueReader& list, PlanGrid& grid) {
  grid.plans_place = list.place();
  for (const ValueReader& item : list.list()) {
    if (grid.plans.size() == limits::kMostGridPlans) {
      item.fail_with(item.path() + ": found more than " + std::to_string(limits::kMostGridPlans) +
                     " plans, accepted: at most so many");
    }
    const CpuPlan plan = read_plan(item);
    if (std::find(grid.plans.begin(), grid.plans.end(), plan) != grid.plans.end()) {
      item.fail("each plan once; " + to_string(plan) + " stands above");
    }
    grid.plans.push_back(plan);
  }
  if (grid.plans.empty()) {
    list.fail("at least one plan");
  }
}

PlanGrid bind_plan_grid(const YamlDocument& document) {
  MapReader root = open_document(document, "planGrid/1");
  PlanGrid grid;
  read_grid_problems(root.required("problems"), grid);
  read_grid_plans(root.required("plans"), grid);
  root.finish();
  return grid;
}

}  // namespace

PlanGrid read_plan_grid(const std::string& path) {
  return bind_plan_grid(load_yaml(path));
}

PlanGrid parse_plan_grid(const std::string& text, const std::string& file) {
  return bind_plan_grid(parse_yaml(text, file));
}

}  // namespace presort::io
