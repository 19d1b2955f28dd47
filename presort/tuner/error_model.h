// A model of prediction errors: how the errors of one problem's predictions go together. A choice
// among plans needs it beside the predictions.
//
// The logarithm of (real time / prediction) of a plan is taken as normal, a sum of independent
// parts that plans share as far as they do the same:
//   mechanism  of each term of the time stack (memory latency, TLB, …), by its share of the time
//   phase      of each kind of phase (partition 1, a loop that fetches its buckets, …), by its share
//   own        of the plan alone
// Two plans that differ in the size of a buffer so err alike, and which one is faster is known
// better than how fast they are; a loop and a pre-sort hardly share an error.
#pragma once

#include <span>
#include <vector>

#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

// Standard deviations of the parts of an error, as fractions of the time.
struct ErrorSpread {
  double mechanism = 0.25;
  double phase = 0.10;
  double own = 0.06;
  double run = 0.03;  // of the time of a run around the median time of its plan
};

// Errors of the closed form against the simulator: the standard deviations that give its median
// errors (docs/results/closed-form.md).
inline constexpr ErrorSpread kClosedFormSpread{
    .mechanism = 0.10, .phase = 0.10, .own = 0.05, .run = 0.01};

// One standard deviation of a plan's own part, which gives the interval exp(±interval_width())
// around its time. Plans that differ only in a number share all other parts. Two standard
// deviations find the best of all plans more often, and take longer (docs/results/tuner.md).
constexpr double interval_width(const ErrorSpread& spread) {
  return spread.own;
}

// A covariance matrix of the logarithms of the plans' times: symmetric, one row for each plan.
using Covariance = std::vector<std::vector<double>>;

// Requires: predictions of one problem on one machine
Covariance error_covariance(std::span<const Prediction> predictions, const ErrorSpread& spread);

}  // namespace presort::tuner
