// A plan checked before it runs on the current device: an operation that is called with it checks
// its arguments alone, so that nothing stands between one kernel and the next.
//   const gpu::CheckedGpuPlan plan(parse_gpu_plan("sortBits=10"), {.m = m, .value_bytes = 4});
//   gpu::multireduce(stream, labels, values, sums, Sum<float>{}, plan, scratch);
// A call for another use checks the plan again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/plan/checked_plan.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// The kinds of kernels that run plans; each kind takes plans of its own.
enum class GpuKernels {
  update,         // a multireduce or histogram in any order, and a scatter: check_gpu_plan
  reduceInOrder,  // a multireduce in the order of the inputs: check_gpu_order
  scan,           // a multiscan or multitag: check_gpu_scan
  sort,           // a partial sort: check_gpu_sort
};

struct GpuUse {
  GpuKernels kernels = GpuKernels::update;
  uint64_t m = 0;  // number of buckets that the plan is checked for
  size_t value_bytes =
      4;  // bytes of a bucket in a shared-memory table; scatter: 4, as tables hold indices
  bool operator==(const GpuUse&) const = default;
};

// Checks the plan. Errors: PlanError when it does not fit the use on the current device,
// EnvironmentError when there is no device
inline void check_use(const GpuPlan& plan, const GpuUse& use) {
  const GpuProblem problem{.m = use.m, .value_bytes = use.value_bytes};
  switch (use.kernels) {
    case GpuKernels::update:
      return check_gpu_plan(plan, problem, current_device_limits());
    case GpuKernels::reduceInOrder:
      return check_gpu_order(plan, problem);
    case GpuKernels::scan:
      return check_gpu_scan(plan, problem, current_device_limits());
    case GpuKernels::sort:
      return check_gpu_sort(plan, problem);
  }
}

using CheckedGpuPlan = CheckedPlan<GpuPlan, GpuUse>;
using GpuPlanArgument = PlanArgument<GpuPlan, GpuUse>;

}  // namespace presort::gpu
