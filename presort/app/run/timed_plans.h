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
  std::vector<Measurement> runs;  // one for each plan, in their order
  probe::LoadJudgement load;      // how busy the machine was meanwhile
};

// Runs each plan once untimed, compared with the plain loop where `check` asks for it, then times all
// of them in `reps` rounds. A round begins with another plan than the one before, so that no plan
// always follows the same one. Plans of one page size share their arrays.
// Requires: check_plan passes for each plan; at least one plan; labels are those of the problem
// Errors:   EnvironmentError when the machine has not enough memory
TimedPlans time_side_by_side(const Problem& problem, const std::vector<CpuPlan>& plans,
                             const std::shared_ptr<const LabelSource>& labels, int reps,
                             bool check);

// The runs of plans on the current GPU, one plan after the other.
// Errors: as gpu::measure
std::vector<GpuMeasurement> time_in_turn(const Problem& problem, const std::vector<GpuPlan>& plans,
                                         const std::shared_ptr<const LabelSource>& labels, int reps,
                                         bool check);

}  // namespace presort::app
