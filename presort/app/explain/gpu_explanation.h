// The text of `tune --explain` for a GPU: every plan's time, and what the fastest plan and the
// fastest one without a pre-sort wait for.
#pragma once

#include <string>

#include "presort/tuner/gpu_tuner.h"

namespace presort::inline v0::app {

std::string gpu_explanation(const tuner::GpuChoice& choice);

}  // namespace presort::app
