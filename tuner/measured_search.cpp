#include "tuner/measured_search.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "tuner/belief.h"

namespace presort::tuner {

namespace {

// Where nothing tells more than another, the plan that would be chosen.
size_t most_telling(const Belief& belief) {
  size_t plan = belief.best();
  double gain = belief.gain_by_run(plan);
  for (size_t i = 0; i < belief.size(); ++i) {
    const double other = belief.gain_by_run(i);
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
  Belief belief(predicted_ns, error_covariance(predictions, spread), spread.run);
  MeasuredSearch search;
  for (int run = 0; run < runs; ++run) {
    const size_t plan = most_telling(belief);
    const double ns = time(predictions[plan].plan);
    if (!std::isfinite(ns) || ns <= 0) {
      throw InputError("a timed run: found " + std::to_string(ns) +
                       " ns per input, accepted: more than 0");
    }
    belief.observe(plan, ns);
    search.runs.push_back({plan, ns});
  }
  search.plan = belief.best();
  for (size_t i = 0; i < belief.size(); ++i) {
    search.expected_ns.push_back(belief.expected_ns(i));
  }
  return search;
}

}  // namespace presort::tuner
