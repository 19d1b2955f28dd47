// Every plan of a choice with what is known of its time, the fastest first.
#pragma once

#include <string>

#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// Columns: ns per input, by whom (with timed runs: expected, predicted, by whom, and the runs), and
// the plan; the one that was taken is marked. A sentence after it where that is not the first.
std::string plan_table(const tuner::Choice& choice);

}  // namespace presort::app
