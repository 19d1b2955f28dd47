#include "app/validate/points.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/measurement.h"
#include "core/units.h"

namespace presort::app {

namespace {

// Index of the plan among the points, added when it is not there.
size_t find_or_add(std::vector<Point>& points, const Plan& plan) {
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].plan == plan) {
      return i;
    }
  }
  points.emplace_back().plan = plan;
  return points.size() - 1;
}

bool fits(const Plan& plan, const Problem& problem) {
  try {
    check_plan(plan, problem);
    return true;
  } catch (const PlanError&) {
    return false;
  }
}

ProblemPoints make_problem_points(const Problem& problem, const std::vector<Plan>& plans,
                                  const Tuned& tuned) {
  const auto match = find_entry(tuned, Device::cpu, problem);
  if (!match) {
    throw InputError("the tuned file has no entry for the operation, types and distribution of " +
                     to_string(problem));
  }
  ProblemPoints result;
  result.problem = problem;
  result.tuned_exact = match->exact;
  for (const Plan& plan : plans) {
    if (fits(plan, problem)) {
      result.points[find_or_add(result.points, plan)].in_grid = true;
    }
  }
  if (result.points.empty()) {
    throw InputError("no plan of the grid fits " + to_string(problem));
  }
  check_plan(match->entry->plan, problem);
  check_plan(match->entry->direct_plan, problem);
  result.tuned = find_or_add(result.points, match->entry->plan);
  result.direct = find_or_add(result.points, match->entry->direct_plan);
  return result;
}

}  // namespace

double Point::measured() const {
  return median(ns);
}

std::vector<ProblemPoints> make_points(const io::PlanGrid& grid, const Tuned& tuned) {
  std::vector<ProblemPoints> all;
  for (const Problem& problem : grid.problems) {
    all.push_back(make_problem_points(problem, grid.plans, tuned));
  }
  return all;
}

std::vector<std::vector<const ProblemPoints*>> group_by_m(const std::vector<ProblemPoints>& all) {
  std::vector<std::vector<const ProblemPoints*>> groups;
  for (const ProblemPoints& item : all) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      Problem other = group.front()->problem;
      other.m = item.problem.m;
      return other == item.problem;
    });
    if (same == groups.end()) {
      groups.push_back({&item});
    } else {
      same->push_back(&item);
    }
  }
  for (auto& group : groups) {
    std::sort(group.begin(), group.end(), [](const ProblemPoints* a, const ProblemPoints* b) {
      return a->problem.m < b->problem.m;
    });
  }
  return groups;
}

std::string group_title(const Problem& problem) {
  return fmt::format("{} n={} {} {}", to_name(kOperations, problem.operation),
                     format_count(problem.n), to_string(problem.distribution),
                     to_string(problem.types));
}

}  // namespace presort::app
