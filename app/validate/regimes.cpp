#include "app/validate/regimes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/measurement.h"
#include "core/names.h"

namespace presort::app {

namespace {

bool counts(const Point& point) {
  return !point.ns.empty() && !point.dropped;
}

double error_of(const Point& point) {
  return relative_error(point.prediction.ns_per_input, point.measured());
}

std::string regime_name(const Plan& plan) {
  std::string kind = to_name(kStrategies, plan.base.strategy);
  if (plan.presort) {
    kind = "pre-sorted, passes " + std::to_string(plan.presort->passes);
  } else if (plan.base.prefetch_distance > 0) {
    kind += " with prefetch";
  }
  return kind + ", " + std::string(to_name(kPageSizes, plan.resources.page_size)) + " pages";
}

template <class Use>
void for_each_that_counts(const std::vector<ProblemPoints>& all, Use use) {
  for (const ProblemPoints& item : all) {
    for (const Point& point : item.points) {
      if (counts(point)) {
        use(item, point);
      }
    }
  }
}

}  // namespace

std::vector<Regime> errors_by_regime(const std::vector<ProblemPoints>& all) {
  std::vector<std::pair<std::string, std::vector<double>>> errors;
  for_each_that_counts(all, [&](const ProblemPoints&, const Point& point) {
    const std::string name = regime_name(point.plan);
    auto found = std::find_if(errors.begin(), errors.end(),
                              [&](const auto& regime) { return regime.first == name; });
    if (found == errors.end()) {
      found = errors.insert(errors.end(), {name, {}});
    }
    found->second.push_back(error_of(point));
  });
  std::vector<Regime> regimes;
  for (const auto& [name, of_regime] : errors) {
    regimes.push_back({name, summarise_errors(of_regime), median(of_regime)});
  }
  return regimes;
}

std::vector<WorstPoint> worst_points(const std::vector<ProblemPoints>& all, size_t count) {
  std::vector<WorstPoint> worst;
  for_each_that_counts(all, [&](const ProblemPoints& item, const Point& point) {
    worst.push_back({&item, &point, error_of(point), "", 0});
  });
  std::stable_sort(worst.begin(), worst.end(), [](const WorstPoint& a, const WorstPoint& b) {
    return std::abs(a.error) > std::abs(b.error);
  });
  worst.resize(std::min(worst.size(), count));
  for (WorstPoint& entry : worst) {
    const Prediction& prediction = entry.point->prediction;
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
