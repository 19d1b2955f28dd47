// Explains why a plan is chosen: the time stack of the best pre-sort beside that of the best plan
// without one, in sentences. Pure functions.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/prediction.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// All that an explanation of one problem needs: a plan that pre-sorts, one that does not, and the
// choice.
struct ExplainedChoice {
  const TunedEntry* entry = nullptr;
  const Prediction* direct = nullptr;
  // Best plan with a pre-sort; nullptr: none is possible, or none was tried
  const Prediction* presorted = nullptr;
  // Times, ns per input, of the best plan without and with a pre-sort: by timed runs if there were
  // any, otherwise predicted
  double direct_ns = 0;
  double presorted_ns = 0;
  size_t runs = 0;  // number of timed runs of all plans
  // Typical relative error of a prediction; a smaller gain "does not matter"
  double model_error = 0;
};

// The parts of a choice that an explanation needs: the chosen plan and the best plan of the other
// kind (with or without a pre-sort). The result points into the choice.
ExplainedChoice explained(const tuner::Choice& choice);

// The explanation of a choice, in lines of at most 100 columns: the answer, by timed runs if there
// were any; where the time goes without and with a pre-sort; what a pre-sort costs and saves, as
// predicted; the runner-up.
std::string explanation(const ExplainedChoice& choice, const Machine& machine);

// The time stacks of the two plans side by side: terms in ns per input, and their difference.
std::string stacks_side_by_side(const ExplainedChoice& choice);

}  // namespace presort::app
