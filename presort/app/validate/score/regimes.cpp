#include "presort/app/validate/score/regimes.h"

#include <algorithm>
#include <cmath>

#include "presort/app/validate/kept_points.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"
#include "presort/tuner/errors/error_interval.h"

namespace presort::inline v0::app {

namespace {

double error_of(const Point& point) {
  return relative_error(point.judged().ns_per_input, point.measured());
}

uint64_t bucket_bytes(const Problem& problem) {
  return problem.m * size_bytes(problem.types.value);
}

// A class of points: its name and rank, as in ClassedPoint.
struct Class {
  size_t rank = 0;
  std::string name;
};

Class kind_of_plan(const Machine&, const Problem&, const Point& point) {
  return {0, plan_kind(point.plan) + ", " + to_name(kPageSizes, point.plan.resources.page_size) +
                 " pages"};
}
Class buckets_in(const Machine& machine, const Problem& problem, const Point&) {
  return {holding_level(machine, bucket_bytes(problem)), holder_of_buckets(machine, problem)};
}
Class labels_of(const Machine&, const Problem& problem, const Point&) {
  return {0, to_string(problem.distribution)};
}
// Class of a problem by the kind of its labels, without their parameters: "zipf".
Class kind_of_labels(const Machine&, const Problem& problem, const Point&) {
  const std::string text = to_string(problem.distribution);
  return {0, text.substr(0, text.find(':'))};
}
Class pages_of(const Machine&, const Problem&, const Point& point) {
  return {0, to_name(kPageSizes, point.plan.resources.page_size)};
}
Class types_of(const Machine&, const Problem& problem, const Point&) {
  return {0, to_string(problem.types)};
}
Class inputs_of(const Machine&, const Problem& problem, const Point&) {
  return {0, "n=" + format_count(problem.n)};
}
Class operation_of(const Machine&, const Problem& problem, const Point&) {
  return {0, to_name(kOperations, problem.operation)};
}
Class threads_of(const Machine&, const Problem&, const Point& point) {
  const auto threads = static_cast<size_t>(point.plan.resources.threads);
  return {threads, std::to_string(threads) + (threads == 1 ? " thread" : " threads")};
}
// Class of a point by the cores that most of its runs had: quiet, or beside busy neighbours.
Class cores_of(const Machine&, const Problem&, const Point& point) {
  const bool quiet = !point.ran_beside_siblings();
  return {quiet ? 0U : 1U, quiet ? "quiet" : "beside busy neighbours"};
}

struct Property {
  const char* name;
  const char* key;
  Class (*classify)(const Machine&, const Problem&, const Point&);
};
constexpr Property kProperties[] = {
    {"plan", "plan", kind_of_plan},
    {"buckets fit in", "buckets_fit_in", buckets_in},
    {"labels", "labels", labels_of},
    {"types", "types", types_of},
    {"inputs", "inputs", inputs_of},
    {"operation", "operation", operation_of},
    {"threads", "threads", threads_of},
    {"cores", "cores", cores_of},
    {"kind of labels", "label_kind", kind_of_labels},
    {"page size", "page_size", pages_of},
};

Grouping group_by(const Property& property, const std::vector<ProblemPoints>& all,
                  const Machine& machine) {
  std::vector<ClassedPoint> points;
  for_each_kept(all, [&](const ProblemPoints& item, const Point& point) {
    const Class found = property.classify(machine, item.problem, point);
    points.push_back({found.rank, found.name, error_of(point), relative_spread(point.ns),
                      tuner::error_interval(point.judged()).holds(point.measured())});
  });
  return group_points(property.name, property.key, points);
}

}  // namespace

std::string plan_kind(const CpuPlan& plan) {
  if (plan.presort) {
    return "pre-sorted, passes " + std::to_string(plan.presort->passes);
  }
  std::string kind = to_name(kCpuStrategies, plan.base.strategy);
  if (plan.base.n_sets > 1) {
    return kind + " in several sets";
  }
  if (plan.base.prefetch_distance > 0) {
    return kind + " with prefetch";
  }
  return kind + (plan.base.input_distance > 0 ? ", inputs fetched" : "");
}

size_t holding_level(const Machine& machine, uint64_t bytes) {
  size_t level = 0;
  while (level < machine.caches.size() &&
         static_cast<double>(machine.caches[level].size_bytes) * machine.caches[level].share <
             static_cast<double>(bytes)) {
    ++level;
  }
  return level;
}

std::string level_name(const Machine& machine, size_t level) {
  return level < machine.caches.size() ? machine.caches[level].name : "memory";
}

std::string holder_of_buckets(const Machine& machine, const Problem& problem) {
  return level_name(machine, holding_level(machine, bucket_bytes(problem)));
}

std::vector<Grouping> errors_by_regime(const std::vector<ProblemPoints>& all,
                                       const Machine& machine) {
  std::vector<Grouping> groupings;
  for (const Property& property : kProperties) {
    groupings.push_back(group_by(property, all, machine));
  }
  return groupings;
}

std::vector<WorstPoint> worst_points(const std::vector<ProblemPoints>& all, const Machine& machine,
                                     size_t count) {
  std::vector<WorstPoint> worst;
  for_each_kept(all, [&](const ProblemPoints& item, const Point& point) {
    worst.push_back({&item, &point, error_of(point), relative_spread(point.ns), "", "", 0});
  });
  std::stable_sort(worst.begin(), worst.end(), [](const WorstPoint& a, const WorstPoint& b) {
    return std::abs(a.error) > std::abs(b.error);
  });
  worst.resize(std::min(worst.size(), count));
  for (WorstPoint& entry : worst) {
    entry.buckets_in = holder_of_buckets(machine, entry.item->problem);
    const Prediction& prediction = entry.point->judged();
    const auto largest =
        std::max_element(prediction.stack_ns.begin(), prediction.stack_ns.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (largest != prediction.stack_ns.end()) {
      entry.term = largest->first;
      entry.term_share = largest->second / prediction.ns_per_input;
    }
  }
  return worst;
}

}  // namespace presort::app
