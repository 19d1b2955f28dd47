#include "presort/gpu/runner/devices/shared_runner.h"

#include <string>

#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/host/event_pair.h"
#include "presort/gpu/plan/devices/shared_plans.h"
#include "presort/gpu/runner/devices/shared_run.cuh"
#include "presort/gpu/runner/with_value_type.h"

namespace presort::inline v0::gpu {
namespace {

// Time of one run, ns, from its first kernel on device 0 to the last one on any device.
template <class Value>
double timed_ns(const Devices& devices, const SharedRun<Value>& run, const EventPair& events,
                DeviceScheme& scheme) {
  devices.synchronize();
  double ns = 0;
  devices.on(0, [&] { ns = events.ns_of(devices.stream(0), [&] { scheme = run.run(); }); });
  devices.synchronize();
  return ns;
}

template <class Value>
SharedMeasurement measure_values(const Devices& devices, const Problem& problem,
                                 const DevicesCall& call, const LabelSource& labels, int reps,
                                 bool check) {
  const SharedRun<Value> run(devices, problem, call, labels);
  SharedMeasurement measured;
  devices.on(0, [&] {
    const EventPair events;
    timed_ns(devices, run, events, measured.scheme);
    measured.run.checked = check && run.is_right();
    for (int rep = 0; rep < reps; ++rep) {
      measured.run.samples_ns_per_input.push_back(timed_ns(devices, run, events, measured.scheme) /
                                                  static_cast<double>(problem.n));
    }
  });
  return measured;
}

}  // namespace

SharedMeasurement measure_shared(const Problem& problem, const SharedRequest& request,
                                 const std::shared_ptr<const LabelSource>& labels, int reps,
                                 bool check) {
  require_device();
  check_problem(problem);
  check_shared_problem(problem);
  if (problem.types.label != ScalarType::u32) {
    throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.label) +
                    "' for labels, accepted: u32 with --devices");
  }
  const Devices devices(Devices::first(request.devices));
  SharedPlan chosen;
  if (request.plan) {
    chosen.plan = *request.plan;
  } else {
    const Gpu& gpu = current_gpu();
    chosen = best_shared_plan(shared_plans(gpu, link_of(gpu), problem, request.devices));
  }
  DevicesCall call;
  call.labels = problem.distribution;
  call.scheme = request.plan ? request.scheme : chosen.scheme;
  // A plan without a scheme was asked for, and is refused by operations that take none
  if (!call.scheme || call_takes_plan(problem.operation, *call.scheme)) {
    call.plan = chosen.plan;
  }
  SharedMeasurement measured = with_value_type(problem.types.value, [&](auto value) {
    return measure_values<decltype(value)>(devices, problem, call, *labels, reps, check);
  });
  measured.run.problem = problem;
  measured.run.plan = chosen.plan;
  return measured;
}

}  // namespace presort::gpu
