// Why a plan is chosen: the time stack of the best pre-sort beside that of the best plan without
// one, in sentences. Pure functions.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/prediction.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// What is explained of one problem: a plan that pre-sorts, one that does not, and the choice.
struct ExplainedChoice {
  const TunedEntry* entry = nullptr;
  const Prediction* direct = nullptr;
  const Prediction* presorted = nullptr;  // best plan with a pre-sort; nullptr: none is possible,
                                          // or none was tried
  double direct_ns = 0;                   // per input, as known: predicted, or better by timed runs
  double presorted_ns = 0;
  size_t runs = 0;         // number of timed runs of all plans
  double model_error = 0;  // what predictions are off by, as a fraction: for "does not matter"
};

// The plan that was chosen and the best of the other kind; points into the choice.
ExplainedChoice explained(const tuner::Choice& choice);

// The answer, by timed runs where there were some; where the time goes without and with a pre-sort
// and what that costs and saves, as predicted; the runner-up. Lines of at most 100 columns.
std::string explanation(const ExplainedChoice& choice, const Machine& machine);

// The time stacks of the two plans side by side: terms in ns per input, and their difference.
std::string stacks_side_by_side(const ExplainedChoice& choice);

}  // namespace presort::app
