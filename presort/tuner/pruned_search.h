// Best-first search for the plan of the least predicted time, without predicting all plans.
//
// The loops and a few pre-sorts come first (search_order.h). Then, again and again, the plan with
// the least lower bound (phase_bounds.h) is predicted, until no bound is below the least time
// found. Of equal bounds, the plan with the most bits is taken: its updates bound those of plans
// with fewer bits. A pre-sort is given up as soon as its phases so far, plus the bounds of later
// phases, exceed the least time by the width of the interval around a time in closed form.
//
// The least time found is that of all plans if the order of phase times that the bounds assume
// holds up to that interval; if a phase breaks it by another factor of exp(x), the time found is
// above the least time by at most this factor.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

// Called with the phases of a plan predicted so far; returns true if the rest need not be
// predicted.
using GiveUp = std::function<bool(const Prediction& so_far)>;

// Predicts a plan phase by phase; no value if the plan is given up.
using PredictUnless = std::function<std::optional<Prediction>(const CpuPlan&, const GiveUp&)>;

// Predictions of the plans, in their order; no value for plans that cannot be the best, or were
// given up. The least time is that of the first `eligible` plans; the others are only compared with
// these. `width` is that of PhaseBounds.
// Requires: the plans are of one problem; 1 <= eligible <= number of plans
std::vector<std::optional<Prediction>> pruned_search(const std::vector<CpuPlan>& plans,
                                                     size_t eligible, double width,
                                                     const PredictUnless& predict);

}  // namespace presort::tuner
