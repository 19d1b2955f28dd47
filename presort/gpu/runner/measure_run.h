// Times the runs of a problem whose arrays are on the device.
#pragma once

#include "presort/core/measurement.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/host/event_pair.h"

namespace presort::inline v0::gpu {

// Runs once to warm up, compares that run with plain loops if `check`, then times `reps` runs.
// Requires: run.run(stream) and run.is_right(), as those of TypedRun (typed_run.cuh)
template <class Run>
GpuMeasurement measure_run(const Problem& problem, const GpuPlan& plan, const Run& run, int reps,
                           bool check) {
  const EventPair events;
  GpuMeasurement measurement;
  measurement.problem = problem;
  measurement.plan = plan;
  events.ns_of([&] { run.run(nullptr); });
  measurement.checked = check && run.is_right();
  for (int rep = 0; rep < reps; ++rep) {
    measurement.samples_ns_per_input.push_back(events.ns_of([&] { run.run(nullptr); }) /
                                               static_cast<double>(problem.n));
  }
  return measurement;
}

}  // namespace presort::gpu
