// The page data of a validation of GPU plans. Pure functions.
#pragma once

#include <vector>

#include "presort/app/page/page_data.h"
#include "presort/app/validate/gpu/gpu_points.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app::page {

// A subject for each method that predicted points: "NVIDIA H200, closed form" and "NVIDIA H200,
// simulated", with the measured times of both. Of each problem the plan that the method would choose among
// the points counts as the tuner's.
std::vector<Subject> subjects_of(const GpuPoints& all, const Machine& machine);

}  // namespace presort::app::page
