// Why a plan is chosen: the time stack of the best pre-sort beside that of the best plan without
// one, in sentences. Pure functions.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/prediction.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// Of one problem. Two plans, one that pre-sorts and one that does not, and what was chosen.
struct ExplainedChoice {
  const TunedEntry* entry = nullptr;
  const Prediction* direct = nullptr;
  const Prediction* presorted = nullptr;  // nullptr: none is possible, or none was tried
  double direct_ns = 0;                   // per input, as known: predicted, or better by timed runs
  double presorted_ns = 0;
  size_t runs = 0;         // timed, of any plan
  double model_error = 0;  // what predictions are off by, as a fraction: for "does not matter"
};

// The plan that was chosen and the best of the other kind; points into the choice.
ExplainedChoice explained(const tuner::Choice& choice);

// The answer, by timed runs where there were some; where the time goes without and with a pre-sort
// and what that costs and saves, as predicted; the runner-up. Lines of at most 100 columns.
std::string explanation(const ExplainedChoice& choice, const Machine& machine);

// The same terms side by side: ns per input and the difference.
std::string stacks_side_by_side(const ExplainedChoice& choice);

}  // namespace presort::app
