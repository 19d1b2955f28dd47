// A table of all plans of a choice with their times, the fastest first.
#pragma once

#include <string>

#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// Columns: ns per input, where the time comes from, and the plan. With timed runs: expected and
// predicted ns per input, where each comes from, the runs, and the plan. The chosen plan is marked;
// if it is not the first, a sentence below says why.
std::string plan_table(const tuner::Choice& choice);

}  // namespace presort::app
