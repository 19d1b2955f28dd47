#include "presort/app/run/run_devices.h"

#include <fmt/format.h>

#include "presort/app/run/plans_to_run.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/tuner/gpu_devices_tuner.h"

namespace presort::inline v0::app {
namespace {

// The way of the least predicted time on a machine, as a request.
gpu::SharedRequest predicted_request(const Machine& machine, const Problem& problem, int devices) {
  const auto plans = tuner::predict_shared_plans(machine, problem, devices);
  const gpu::SharedPlan& best = gpu::best_shared_plan(plans);
  return {devices, best.scheme, best.plan};
}

gpu::SharedRequest plan_request(const Arguments& arguments, int devices) {
  const std::vector<std::string> texts = arguments.all("plan");
  if (texts.size() > 1) {
    throw InputError(
        fmt::format("--plan: found {} plans, accepted: one with --devices", texts.size()));
  }
  return {devices, std::nullopt, parse_gpu_plan(texts.empty() ? arguments.text("plan") : texts[0])};
}

}  // namespace

int read_devices(const Arguments& arguments, Device device) {
  if (!arguments.has("devices")) {
    return 1;
  }
  if (device == Device::cpu) {
    throw InputError("--devices goes with --device gpu, found --device cpu");
  }
  const uint64_t count = parse_count("--devices", arguments.text("devices"));
  if (count < 1 || count > kMostSharingDevices) {
    throw InputError(
        fmt::format("--devices: found {}, accepted: 1 to {}", count, kMostSharingDevices));
  }
  return static_cast<int>(count);
}

gpu::SharedMeasurement run_on_devices(const Arguments& arguments, const Problem& problem,
                                      int devices, const std::optional<Machine>& machine,
                                      const std::shared_ptr<const LabelSource>& labels, int reps,
                                      bool check) {
  if (arguments.has("threads")) {
    throw InputError("--threads goes with --device cpu, found --device gpu");
  }
  if (arguments.has("tuned") && arguments.has("plan")) {
    throw InputError("--tuned and --plan exclude each other");
  }
  gpu::check_shared_problem(problem);
  gpu::SharedRequest request = {.devices = devices};
  if (arguments.has("tuned")) {
    const auto [plan, scheme] =
        tuned_shared_plan(arguments.text("tuned"), problem, devices, arguments.has("force"));
    request = {devices, scheme, plan};
  } else if (arguments.has("plan")) {
    request = plan_request(arguments, devices);
  } else if (machine) {
    request = predicted_request(*machine, problem, devices);
  }
  return gpu::measure_shared(problem, request, labels, reps, check);
}

std::optional<Machine> with_devices(std::optional<Machine> machine, int devices) {
  if (machine && machine->gpu) {
    machine->gpu->copy_bandwidth *= devices;
  }
  return machine;
}

}  // namespace presort::app
