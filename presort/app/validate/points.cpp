#include "presort/app/validate/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presort/app/validate/quiet_times.h"
#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/core_costs_file.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

namespace {

// Index of the point with this plan; the point is added when there is none.
size_t find_or_add(std::vector<Point>& points, const CpuPlan& plan) {
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].plan == plan) {
      return i;
    }
  }
  points.emplace_back().plan = plan;
  return points.size() - 1;
}

// Reason why the plan does not fit the problem; "" when it does.
std::string misfit(const CpuPlan& plan, const Problem& problem) {
  try {
    check_plan(plan, problem);
    return "";
  } catch (const PlanError& error) {
    return error.what();
  }
}

ProblemPoints grid_points(const Problem& problem, const io::PlanGrid& grid) {
  ProblemPoints result;
  result.problem = problem;
  std::string why;
  for (const CpuPlan& plan : grid.plans) {
    const std::string reason = misfit(plan, problem);
    why = why.empty() ? reason : why;
    if (reason.empty()) {
      result.points[find_or_add(result.points, plan)].in_grid = true;
    }
  }
  if (result.points.empty()) {
    throw InputError(fmt::format("{}: plans: found none that fits {}; the first, {}: {}",
                                 grid.plans_place, to_string(problem),
                                 to_string(grid.plans.front()), why));
  }
  return result;
}

void add_tuned(ProblemPoints& item, const Tuned& tuned) {
  const auto match = find_entry(tuned, item.problem);
  if (!match) {
    throw InputError("the tuned file has nothing for " + to_string(item.problem) + ": " +
                     why_no_entry(tuned, Device::cpu, item.problem));
  }
  item.tuned_exact = match->exact;
  check_plan(match->entry->plan, item.problem);
  check_plan(match->entry->direct_plan, item.problem);
  item.tuned = find_or_add(item.points, match->entry->plan);
  item.direct = find_or_add(item.points, match->entry->direct_plan);
}

// Requires a plan without a pre-sort among the problem's points. `place`: where the problem was
// read, a file or a line of one.
void require_direct(const ProblemPoints& item, const std::string& place) {
  const bool any = std::any_of(item.points.begin(), item.points.end(),
                               [](const Point& point) { return !point.plan.presort; });
  if (!any) {
    throw InputError(
        fmt::format("{}: found only plans with a pre-sort for {}, accepted: at least "
                    "one without (sortBits=0)",
                    place, to_string(item.problem)));
  }
}

}  // namespace

double Point::measured() const {
  return median(ns);
}

bool Point::ran_beside_siblings() const {
  return 2 * quiet < raw_ns.size();
}

bool Point::may_run_beside_siblings() const {
  return raw_ns.empty() ? plan.resources.threads > 1 : ran_beside_siblings();
}

const Prediction& Point::judged() const {
  return beside_siblings && ran_beside_siblings() ? *beside_siblings : prediction;
}

Prediction partly_beside_siblings(const Prediction& quiet, Prediction beside) {
  const double scale = std::sqrt(quiet.ns_per_input / beside.ns_per_input);
  const auto scale_stack = [scale](TimeStack& stack) {
    for (auto& [term, ns] : stack) {
      ns *= scale;
    }
  };
  beside.ns_per_input *= scale;
  scale_stack(beside.stack_ns);
  for (PhasePrediction& phase : beside.phases) {
    phase.ns_per_input *= scale;
    scale_stack(phase.stack_ns);
  }
  return beside;
}

std::vector<ProblemPoints> make_points(const io::PlanGrid& grid, const Tuned* tuned) {
  std::vector<ProblemPoints> all;
  for (const Problem& problem : grid.problems) {
    ProblemPoints& item = all.emplace_back(grid_points(problem, grid));
    if (tuned != nullptr) {
      add_tuned(item, *tuned);
    } else {
      require_direct(item, grid.plans_place + ": plans");
    }
  }
  return all;
}

std::vector<ProblemPoints> make_points(const std::vector<io::RecordedPoint>& recorded) {
  std::vector<ProblemPoints> all;
  std::vector<std::string> places;  // for each problem: file and line of its first appearance
  for (const io::RecordedPoint& record : recorded) {
    if (!record.in_grid) {
      continue;
    }
    auto item = std::find_if(all.begin(), all.end(), [&](const ProblemPoints& known) {
      return known.problem == record.problem;
    });
    if (item == all.end()) {
      item = all.insert(all.end(), ProblemPoints{});
      item->problem = record.problem;
      item->measured = true;
      places.push_back(record.place);
    }
    Point& point = item->points[find_or_add(item->points, record.plan)];
    point.in_grid = true;
    point.ns = record.ns;
    point.raw_ns = record.raw_ns;
    point.quiet = record.quiet;
    point.rerun = record.rerun;
    point.dropped = record.dropped;
    point.after_itself = record.after_itself;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    require_direct(all[i], places[i]);
  }
  std::vector<Point*> points;
  for (ProblemPoints& item : all) {
    for (Point& point : item.points) {
      points.push_back(&point);
    }
  }
  take_to_quiet_cores(points);
  return all;
}

size_t drop_calibrated(std::vector<ProblemPoints>& all, const Machine& machine) {
  if (machine.costs_file.empty()) {
    return 0;
  }
  const CoreCalibration calibration = io::read_core_costs(machine.costs_file);
  return std::erase_if(all, [&](const ProblemPoints& item) {
    return std::any_of(
        calibration.points.begin(), calibration.points.end(),
        [&](const CalibrationPoint& point) { return point.problem == item.problem; });
  });
}

void forget_unpredicted(std::vector<ProblemPoints>& all) {
  for (ProblemPoints& item : all) {
    const bool whole = std::all_of(item.points.begin(), item.points.end(), [](const Point& point) {
      return point.prediction.ns_per_input > 0;
    });
    if (!whole) {
      item.measured = false;
      for (Point& point : item.points) {
        point.ns.clear();
        point.raw_ns.clear();
      }
    }
  }
}

void choose_plans(std::vector<ProblemPoints>& all) {
  for (ProblemPoints& item : all) {
    std::vector<Prediction> predictions;
    for (const Point& point : item.points) {
      predictions.push_back(point.prediction);
    }
    const tuner::Chosen chosen = tuner::choose_among(predictions);
    item.tuned = chosen.plan;
    item.direct = chosen.direct;
  }
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
