// The best simulated plans of a GPU (predict/gpu/): a search that simulates a part of the plans, as one
// plan takes a tenth of a second.
//   Plans of one strategy and number of passes differ in their sorted bits alone, and tables without a
//   pre-sort in sets and ranges. Of each such row every third plan is simulated, then the neighbours
//   of the best one, until neither is faster. Times with a single valley give the best plan of all.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "presort/core/base/stop.h"
#include "presort/core/labels/labels.h"
#include "presort/core/machine/gpu_hardware.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::tuner {

struct SimulatedGpuPlan {
  GpuPlan plan;
  double ns_per_input = 0;
};

struct SimulatedGpuChoice {
  std::vector<SimulatedGpuPlan> plans;  // all that were simulated, in the order of the simulations

  // The fastest plan without a pre-sort, and with one; no value where no plan of the kind fits.
  std::optional<SimulatedGpuPlan> direct;
  std::optional<SimulatedGpuPlan> presorted;
  // The faster of the two; the one without a pre-sort near a tie (gpu::kTieOfPlans).
  const SimulatedGpuPlan& best() const;
};

// Searches the plans of gpu::gpu_plans for the fastest ones.
// Requires: labels are those of the problem
// Errors:   PlanError for an operation that is not simulated, or that no plan fits; Stopped
SimulatedGpuChoice search_gpu_plans(const GpuHardware& hardware, const Problem& problem,
                                    const std::shared_ptr<const LabelSource>& labels,
                                    StopToken stop = {});

// Indices of a row that a search tries: every third one and the last, then neighbours of the best until
// neither is faster. Calls time(i) once for each index that it tries; returns the best one.
// Requires: count >= 1
template <class Time>
size_t search_valley(size_t count, const Time& time) {
  constexpr size_t kStride = 3;
  std::vector<std::optional<double>> times(count);
  const auto at = [&](size_t i) {
    if (!times[i]) {
      times[i] = time(i);
    }
    return *times[i];
  };
  size_t best = 0;
  for (size_t i = 0; i < count; i += kStride) {
    best = at(i) < at(best) ? i : best;
  }
  best = at(count - 1) < at(best) ? count - 1 : best;
  for (bool moved = true; moved;) {
    const size_t before = best;
    for (const size_t next : {before - 1, before + 1}) {
      if (next < count && at(next) < at(best)) {
        best = next;
      }
    }
    moved = best != before;
  }
  return best;
}

}  // namespace presort::tuner
