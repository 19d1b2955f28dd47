#include "presort/core/error.h"
#include "presort/gpu/runner/devices/shared_runner.h"
#include "presort/gpu/runner/hardware/device_facts.h"
#include "presort/gpu/runner/hardware/hardware_steps.h"
#include "presort/gpu/runner/probe.h"
#include "presort/gpu/runner/runner.h"

namespace presort::inline v0::gpu {
namespace {

[[noreturn]] void refuse() {
  throw EnvironmentError("this build has no CUDA kernels");
}

}  // namespace

Gpu describe_gpu() {
  refuse();
}

GpuProbe probe_gpu(const std::function<void(std::string_view, double)>&) {
  refuse();
}

DeviceFacts device_facts() {
  refuse();
}

std::vector<HardwareStep> measure_hardware_steps(
    const std::function<void(std::string_view, double)>&) {
  refuse();
}

GpuPlan choose_plan(const Problem&, const LabelSource&) {
  refuse();
}

GpuMeasurement measure(const Problem&, const GpuPlan&, const std::shared_ptr<const LabelSource>&,
                       int, bool) {
  refuse();
}

SharedMeasurement measure_shared(const Problem&, const SharedRequest&,
                                 const std::shared_ptr<const LabelSource>&, int, bool) {
  refuse();
}

}  // namespace presort::gpu
