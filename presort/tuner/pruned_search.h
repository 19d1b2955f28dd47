// Best-first search for the plan of the least predicted time, without predicting all plans.
//
// The loops and a few pre-sorts come first (search_order.h). Then, again and again, the plan with
// the least lower bound (phase_bounds.h) is predicted, until no bound is below the least time
// found; of equal bounds that of the plan with the most bits, whose updates bound those of fewer. A
// pre-sort is given up as soon as its phases so far, and the bounds of those to come, are above the
// least time by the interval around a time in closed form.
//
// So the least time found is that of all plans, wherever phases keep the order that the bounds are
// by up to the interval around a time in closed form; if they break it by another factor of
// exp(x), it is at most as much above.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

// Called with the phases predicted so far of a plan: true if it need not be predicted any further.
using GiveUp = std::function<bool(const Prediction& so_far)>;

// Predicts a plan phase by phase; nothing if it is given up.
using PredictUnless = std::function<std::optional<Prediction>(const CpuPlan&, const GiveUp&)>;

// Predictions of the plans, in their order; nothing for plans that cannot be the best, or were
// given up. The least time is that of the first `eligible` plans; the others are only compared
// with. `width` is that of PhaseBounds.
// Requires: the plans are of one problem; 1 <= eligible <= as many as there are
std::vector<std::optional<Prediction>> pruned_search(const std::vector<CpuPlan>& plans,
                                                     size_t eligible, double width,
                                                     const PredictUnless& predict);

}  // namespace presort::tuner
