// The page data of a validation that has just ended, or of a replay. Pure functions.
#pragma once

#include <vector>

#include "presort/app/page/page_data.h"
#include "presort/app/validate/points.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app::page {

// The measured points of a validation with the predictions that they are judged by, and the
// machine's facts and drawing. Points that were not measured are left out.
Subject subject_of(const std::vector<ProblemPoints>& all, const Machine& machine);

}  // namespace presort::app::page
