// All accesses of a kernel, in program order, without simulating them.
#pragma once

#include <memory>

#include "presort/core/base/stop.h"
#include "presort/core/labels/labels.h"
#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::predict {

// Hands `sink` the accesses of the plan's phases on all n inputs, one phase after the other, at
// simulated addresses (layout.h). Parts of a partition hold labels of the right number and
// distribution rather than those that the partition put there, where labels are independent
// (LabelSource::restricted); they stand where the partition's own count of a sample puts them.
// Requires: labels are those of the problem
// Errors:   InputError for sizes beyond those of size_limits.h; Stopped once `stop` asks for it;
//           PlanError when the plan does not fit the problem, or partitions in several passes: for
//           later passes, the simulator knows only one typical part; errors of the sink
void stream_kernel(const Machine& machine, const Problem& problem, const CpuPlan& plan,
                   const std::shared_ptr<const LabelSource>& labels, sim::AccessSink& sink,
                   StopToken stop = {});

}  // namespace presort::predict
