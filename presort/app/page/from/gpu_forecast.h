// The predicted time of a GPU's timed plan, in closed form: by limit of each phase, and by phases.
#pragma once

#include <optional>

#include "presort/app/page/page_data.h"
#include "presort/core/machine/gpu.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/io/json/report_lines.h"

namespace presort::inline v0::app::page {

// The forecast of a plan on `gpu` by today's closed form (gpu/plan/plan_time.h). Its stack has the sum
// of the phases that each resource limits, in the order of their first phases; launches count with
// their phase. Pure.
// Returns: no value where the line's words name no problem that a GPU has, the plan does not fit it,
//          or a ceiling of the GPU is not known. Labels whose distribution is not told by their name alone (a draw's "cells") count as
//          uniform, as the closed form counts all but skewed ones
std::optional<Forecast> gpu_forecast(const Gpu& gpu, const io::GpuReportLine& line,
                                     const GpuPlan& plan);

}  // namespace presort::app::page
