// A table of all plans of a choice with their times, the fastest first.
#pragma once

#include <string>

#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// The table's columns are: ns per input, whether the time is from the closed form or a simulation,
// and the plan. With timed runs: expected and predicted ns per input, how each is known, the runs,
// and the plan. The chosen plan is marked; if it is not the first, a sentence below says why.
std::string plan_table(const tuner::Choice& choice);

}  // namespace presort::app
