// A model of prediction errors: how the errors of the predictions for one problem are correlated. A
// choice among plans needs it beside the predictions.
//
// The logarithm of (real time / prediction) of a plan is taken as normal: a sum of independent
// errors, some of which plans share:
// mechanism  an error of each term of the time stack (memory latency, TLB, …), by its share of the
//            time
// phase      an error of each kind of phase (partition 1, a loop that fetches its buckets, …), by
//            its share
// own        an error of the plan alone
// Two plans that differ only in the size of a buffer therefore have nearly equal errors, and which
// one is faster is known better than how fast they are; a loop and a pre-sort share hardly any
// error.
#pragma once

#include <span>
#include <vector>

#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

// Standard deviations of the components of a prediction error, as fractions of the time.
struct ErrorSpread {
  double mechanism = 0.25;
  double phase = 0.10;
  double own = 0.06;
  double run = 0.03;  // spread of the time of one run around the median time of its plan
};

// Errors of the closed form against the simulator: standard deviations chosen to give its median
// errors (docs/results/closed-form.md).
inline constexpr ErrorSpread kClosedFormSpread{
    .mechanism = 0.10, .phase = 0.10, .own = 0.05, .run = 0.01};

// One standard deviation of a plan's own error, in logarithms: a plan's time lies in an interval of
// factors exp(±interval_width()). Plans that differ only in a number share all other errors. Two
// standard deviations find the best of all plans more often, and take longer
// (docs/results/tuner.md).
constexpr double interval_width(const ErrorSpread& spread) {
  return spread.own;
}

// A covariance matrix of the logarithms of the plans' times: symmetric, one row for each plan.
using Covariance = std::vector<std::vector<double>>;

// The covariances of the errors of several plans' predictions.
// Requires: predictions of one problem on one machine
Covariance error_covariance(std::span<const Prediction> predictions, const ErrorSpread& spread);

}  // namespace presort::tuner
