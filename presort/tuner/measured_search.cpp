#include "presort/tuner/measured_search.h"

#include <cmath>
#include <string>

#include "presort/core/error.h"
#include "presort/tuner/plan_posterior.h"

namespace presort::inline v0::tuner {

namespace {

// The plan whose timed run would gain most; if no run gains anything, the plan that would be
// chosen.
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

}  // namespace

MeasuredSearch measured_search(std::span<const Prediction> predictions, int runs,
                               const TimedRun& time, const ErrorSpread& spread) {
  std::vector<double> predicted_ns;
  for (const Prediction& prediction : predictions) {
    predicted_ns.push_back(prediction.ns_per_input);
  }
  PlanPosterior posterior(predicted_ns, error_covariance(predictions, spread), spread.run);
  MeasuredSearch search;
  for (int run = 0; run < runs; ++run) {
    const size_t plan = most_telling(posterior);
    const double ns = time(predictions[plan].plan);
    if (!std::isfinite(ns) || ns <= 0) {
      throw InputError("a timed run: found " + std::to_string(ns) +
                       " ns per input, accepted: more than 0");
    }
    posterior.observe(plan, ns);
    search.runs.push_back({plan, ns});
  }
  search.plan = posterior.best();
  for (size_t i = 0; i < posterior.size(); ++i) {
    search.expected_ns.push_back(posterior.expected_ns(i));
  }
  return search;
}

}  // namespace presort::tuner
