// The time of a simulated plan on a GPU, phase by phase.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/sim/gpu/gpu_counts.h"

namespace presort::inline v0::predict {

struct GpuPhasePrediction {
  std::string_view name;   // name of the phase: "partition", "tables", "atomics", …
  std::string_view bound;  // resource that is busy longest
  double ns_per_input = 0;
  // Busy time of each resource, ns for each input of the problem. They work at the same time.
  std::vector<sim::gpu::GpuBusy> busy;
  double serial_ns = 0;        // part of ns_per_input in which nothing overlaps: launches, ends
  sim::gpu::GpuCounts counts;  // counts for each input of the problem
};

struct GpuPrediction {
  std::string machine;
  Problem problem;
  GpuPlan plan;
  std::vector<GpuPhasePrediction> phases;  // phases in their order, one after the other
  double ns_per_input = 0;                 // sum over phases
  uint64_t simulated_inputs = 0;           // inputs of all phases whose accesses were simulated
  double seconds = 0;                      // time that the simulation took, s
};

}  // namespace presort::predict
