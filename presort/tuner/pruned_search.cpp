#include "presort/tuner/pruned_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "presort/tuner/phase_bounds.h"
#include "presort/tuner/search_order.h"

namespace presort::inline v0::tuner {

namespace {

class Search {
 public:
  Search(const std::vector<CpuPlan>& plans, size_t eligible, double width,
         const PredictUnless& predict)
      : plans_(plans),
        eligible_(eligible),
        predict_(predict),
        bounds_(plans, width),
        near_tie_(std::exp(width)),
        predictions_(plans.size()),
        examined_(plans.size()) {}

  std::vector<std::optional<Prediction>> run() {
    for (size_t i = eligible_; i < plans_.size(); ++i) {
      predictions_[i] = predict_(plans_[i], [](const Prediction&) { return false; });
      examined_[i] = true;
    }
    for (const auto& [i, until] : plans_to_begin_with(plans_)) {
      examine(i, until);
    }
    while (const auto next = most_promising()) {
      examine(*next, std::nullopt);
    }
    return std::move(predictions_);
  }

 private:
  // The plan with the least lower bound, if that is below the least time found. Of equal bounds,
  // the last plan, which has the most bits: its update times bound those of plans with fewer bits.
  std::optional<size_t> most_promising() const {
    std::optional<size_t> next;
    double least = least_ns_;
    for (size_t i = plans_.size(); i-- > 0;) {
      const double bound = examined_[i] ? least : bounds_.least_ns(i);
      if (bound < least) {
        next = i;
        least = bound;
      }
    }
    return next;
  }

  // Predicts plan i phase by phase, and gives it up when it cannot be the best; if `until` has a
  // value, not before a phase of that kind is predicted. Three sorts of plans are never given up:
  // loops in one pass, the first pre-sort (both needed for comparison), and near ties, which
  // simulations or runs may tell apart.
  void examine(size_t i, std::optional<PhaseKind> until) {
    if (examined_[i]) {
      return;
    }
    examined_[i] = true;
    const bool may_give_up = plans_[i].presort ? has_presort_ : plans_[i].base.range_passes > 1;
    predictions_[i] = predict_(plans_[i], [&](const Prediction& so_far) {
      bounds_.note(i, so_far);
      until = until == so_far.phases.back().kind ? std::nullopt : until;
      return may_give_up && !until && bounds_.least_ns(i) >= near_tie_ * least_ns_;
    });
    if (predictions_[i]) {
      least_ns_ = std::min(least_ns_, predictions_[i]->ns_per_input);
      has_presort_ = has_presort_ || plans_[i].presort;
    }
  }

  const std::vector<CpuPlan>& plans_;
  size_t eligible_;
  const PredictUnless& predict_;
  PhaseBounds bounds_;
  double near_tie_;  // a plan within this factor of the least time is a near tie
  std::vector<std::optional<Prediction>> predictions_;
  std::vector<bool> examined_;
  bool has_presort_ = false;  // true: the prediction of one pre-sort has ended
  // Least time found among the plans that may be chosen, ns per input
  double least_ns_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<std::optional<Prediction>> pruned_search(const std::vector<CpuPlan>& plans,
                                                     size_t eligible, double width,
                                                     const PredictUnless& predict) {
  return Search(plans, eligible, width, predict).run();
}

}  // namespace presort::tuner
