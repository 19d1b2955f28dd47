// tune --explain of a plan for a GPU: every plan's time, and what the fastest and the fastest
// without a pre-sort wait for.
#pragma once

#include <string>

#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// ns per input: a GPU takes picoseconds, so with five decimals.
std::string time_text(Device device, double ns);

std::string gpu_explanation(const tuner::Choice& choice);

}  // namespace presort::app
