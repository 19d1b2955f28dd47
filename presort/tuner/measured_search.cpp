#include "presort/tuner/measured_search.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "presort/core/error.h"
#include "presort/tuner/plan_posterior.h"

namespace presort::inline v0::tuner {

namespace {

// The plan whose timed run has the largest expected gain; if no run gains anything, the plan that
// would be chosen.
size_t most_telling(const PlanPosterior& posterior) {
  size_t plan = posterior.best();
  double gain = posterior.gain_by_run(plan);
  for (size_t i = 0; i < posterior.size(); ++i) {
    const double other = posterior.gain_by_run(i);
    if (other > gain) {
      plan = i;
      gain = other;
    }
  }
  return plan;
}

PlanPosterior prior_of(std::span<const Prediction> predictions, const ErrorSpread& spread) {
  std::vector<double> predicted_ns;
  for (const Prediction& prediction : predictions) {
    predicted_ns.push_back(prediction.ns_per_input);
  }
  return {predicted_ns, error_covariance(predictions, spread), spread.run};
}

void observe_run(PlanPosterior& posterior, MeasuredSearch& search, size_t plan, double ns) {
  if (!std::isfinite(ns) || ns <= 0) {
    throw InputError("a timed run: found " + std::to_string(ns) +
                     " ns per input, accepted: more than 0");
  }
  posterior.observe(plan, ns);
  search.runs.push_back({plan, ns});
}

void conclude(const PlanPosterior& posterior, MeasuredSearch& search) {
  search.plan = posterior.best();
  for (size_t i = 0; i < posterior.size(); ++i) {
    search.expected_ns.push_back(posterior.expected_ns(i));
  }
}

}  // namespace

MeasuredSearch measured_search(std::span<const Prediction> predictions, int runs,
                               const TimedRun& time, const ErrorSpread& spread) {
  PlanPosterior posterior = prior_of(predictions, spread);
  MeasuredSearch search;
  for (int run = 0; run < runs; ++run) {
    const size_t plan = most_telling(posterior);
    observe_run(posterior, search, plan, time(predictions[plan].plan));
  }
  conclude(posterior, search);
  return search;
}

std::vector<size_t> close_plans(std::span<const Prediction> predictions, size_t most,
                                const ErrorSpread& spread) {
  // Number of standard deviations that a normal variable exceeds in one case of ten
  constexpr double kOneInTen = 1.2816;
  const Covariance covariance = error_covariance(predictions, spread);
  const size_t best = prior_of(predictions, spread).best();
  // For each close plan: how many standard deviations it is expected behind the best
  std::vector<std::pair<double, size_t>> close;
  for (size_t i = 0; i < predictions.size(); ++i) {
    const double behind = std::log(predictions[i].ns_per_input / predictions[best].ns_per_input);
    const double variance = covariance[i][i] + covariance[best][best] - 2 * covariance[i][best];
    const double deviations = behind / std::sqrt(std::max(variance, 1e-12));
    if (i != best && deviations < kOneInTen) {
      close.emplace_back(deviations, i);
    }
  }
  std::sort(close.begin(), close.end());
  std::vector<size_t> plans = {best};
  for (const auto& [deviations, plan] : close) {
    if (plans.size() < most) {
      plans.push_back(plan);
    }
  }
  return plans;
}

MeasuredSearch halving_search(std::span<const Prediction> predictions, double seconds,
                              const std::function<double(size_t plan)>& seconds_of_run,
                              const QuietRun& time, const ErrorSpread& spread) {
  constexpr size_t kMostPlans = 8;
  PlanPosterior posterior = prior_of(predictions, spread);
  MeasuredSearch search;
  std::vector<size_t> left = close_plans(predictions, kMostPlans, spread);
  const auto turn_s = [&] {
    double sum = 0;
    for (const size_t plan : left) {
      sum += seconds_of_run(plan);
    }
    return sum;
  };
  while (left.size() > 2 && turn_s() > seconds) {
    left.pop_back();  // removes the plan that is least likely the best
  }
  while (left.size() > 1 && turn_s() <= seconds) {
    seconds -= turn_s();
    for (const size_t plan : left) {
      if (const std::optional<double> ns = time(predictions[plan].plan)) {
        observe_run(posterior, search, plan, *ns);
      }
    }
    std::stable_sort(left.begin(), left.end(), [&](size_t a, size_t b) {
      return posterior.expected_ns(a) < posterior.expected_ns(b);
    });
    left.resize(std::max<size_t>(2, (left.size() + 1) / 2));
  }
  conclude(posterior, search);
  return search;
}

}  // namespace presort::tuner
