// The belief about the times of several plans: the logarithms of the times are jointly normal, with
// means and covariances that each timed run updates (Bayes; a Kalman filter of constants).
#pragma once

#include <cstddef>
#include <vector>

#include "presort/tuner/errors/error_model.h"

namespace presort::inline v0::tuner {

class PlanPosterior {
 public:
  // Starts from predicted ns per input as medians.
  // Requires: times > 0, as many as rows of the covariance
  PlanPosterior(const std::vector<double>& predicted_ns, Covariance covariance, double run_spread);

  size_t size() const { return log_ns_.size(); }

  // Updates the belief: a timed run of `plan` took `ns` per input.
  void observe(size_t plan, double ns);

  // The median ns per input that a plan is believed to take.
  double middle_ns(size_t plan) const;

  // The expected ns per input of a plan. Of two plans with equal medians, the less certain one
  // takes longer on average.
  double expected_ns(size_t plan) const;
  size_t best() const;  // index of the plan with the least expected time

  // Expected gain, ns per input, of one more run of `plan`: how much the least expected time falls
  // on average. >= 0, and 0 where no outcome would change which plan is the best.
  // Source: Frazier, Powell & Dayanik, "The knowledge-gradient policy for correlated normal
  //         beliefs", INFORMS Journal on Computing 21(4), 2009
  double gain_by_run(size_t plan) const;

 private:
  double log_expected(size_t plan) const { return log_ns_[plan] + covariance_[plan][plan] / 2; }

  std::vector<double> log_ns_;
  Covariance covariance_;
  double run_variance_;
};

}  // namespace presort::tuner
