// Times the plans of one problem side by side.
#pragma once

#include <memory>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/probe/load/load_judgement.h"

namespace presort::inline v0::app {

struct TimedPlans {
  std::vector<Measurement> runs;  // one measurement for each plan, in the plans' order
  probe::LoadJudgement load;      // how busy the machine was while the plans ran
};

// Runs each plan once untimed (if `check`, its results are compared with those of the plain loop),
// then times all plans in `reps` rounds. A round begins with another plan than the round before, so
// that no plan always follows the same one. Plans of one page size share their arrays.
// Requires: check_plan passes for each plan; at least one plan; labels are those of the problem
// Errors:   EnvironmentError when the machine has not enough memory
TimedPlans time_side_by_side(const Problem& problem, const std::vector<CpuPlan>& plans,
                             const std::shared_ptr<const LabelSource>& labels, int reps,
                             bool check);

// Times plans on the current GPU, one plan after the other.
// Errors: as gpu::measure
std::vector<GpuMeasurement> time_in_turn(const Problem& problem, const std::vector<GpuPlan>& plans,
                                         const std::shared_ptr<const LabelSource>& labels, int reps,
                                         bool check);

}  // namespace presort::app
