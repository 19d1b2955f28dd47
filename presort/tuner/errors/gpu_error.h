// The 80 % interval of a GPU plan's time in closed form: where the real time is expected to be, in four cases
// of five.
//   Intervals are factors around the prediction, one for each of four kinds of plans: operations that update
//   or read buckets, and others; with a pre-sort, and without.
//   Source: learnt on 515 plans drawn at random on one H200; coverage on others that were drawn after, with
//   other numbers of inputs: docs/results/gpu-simulated.md
#pragma once

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/tuner/errors/error_interval.h"

namespace presort::inline v0::tuner {

// Interval of a plan's time, ns per input. Requires: ns_per_input > 0
ErrorInterval gpu_error_interval(const Problem& problem, const GpuPlan& plan, double ns_per_input);

}  // namespace presort::tuner
