// Prints what the parts of the current GPU do (gpu/runner/hardware/hardware_steps.h), a line of
// JSON for each point of each curve: its name, where it lies, the median of the passes, least and
// most. A line with the device comes first, then its ceilings (gpu/runner/probe.h) as curves of one
// point.
//   gpu_hardware_steps
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/machine/gpu.h"
#include "presort/core/measurement.h"
#include "presort/gpu/runner/hardware/device_facts.h"
#include "presort/gpu/runner/hardware/hardware_steps.h"
#include "presort/gpu/runner/probe.h"

using namespace presort;

namespace {

void print(const std::string& curve, uint64_t at, const std::vector<double>& passes) {
  const auto [least, most] = std::minmax_element(passes.begin(), passes.end());
  std::printf(
      "{\"curve\": \"%s\", \"at\": %zu, \"median\": %.6g, \"least\": %.6g, "
      "\"most\": %.6g}\n",
      curve.c_str(), static_cast<size_t>(at), median(passes), *least, *most);
}

void print_device(const Gpu& gpu, const gpu::DeviceFacts& facts) {
  std::printf(
      "{\"device\": \"%s\", \"architecture\": \"%s\", \"multiprocessors\": %d, "
      "\"clock\": %.6g, \"l2\": %zu, \"memory\": %zu, \"bus\": %d, \"ecc\": %s}\n",
      gpu.name.c_str(), gpu.architecture.c_str(), gpu.multiprocessors, gpu.clock_hz,
      static_cast<size_t>(gpu.l2_bytes), static_cast<size_t>(gpu.memory_bytes),
      facts.memory_bus_bits, facts.ecc ? "true" : "false");
}

}  // namespace

int main() {
  try {
    const auto quiet = [](std::string_view, double) {};
    const gpu::GpuProbe probe = gpu::probe_gpu(quiet);
    print_device(probe.gpu, gpu::device_facts());
    for (const gpu::GpuSamples& samples : probe.samples) {
      print("gpu." + std::string(samples.key), 0, samples.passes);
    }
    for (const gpu::HardwareStep& step : gpu::measure_hardware_steps(quiet)) {
      print(step.curve, step.at, step.passes);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
