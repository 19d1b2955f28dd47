// The section gpuHardware of a machine file, from what was measured of a GPU: ceilings
// (runner/probe.h), curves of its parts (hardware_steps.h), and what the driver tells. Pure,
// without CUDA: recorded curves give the section anywhere.
//   How each key follows from the curves stands beside it in hardware_section.cpp. Keys that
//   nothing measures keep what the section `guessed` and `documented` name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "presort/core/machine/gpu_hardware.h"
#include "presort/gpu/runner/hardware/device_facts.h"
#include "presort/gpu/runner/hardware/hardware_steps.h"
#include "presort/gpu/runner/probe.h"

namespace presort::inline v0::gpu {

// One measured key below gpuHardware.
struct HardwareValue {
  std::string key;             // path: "l2.latency"
  std::vector<double> passes;  // value of each pass, in the unit of the key
  // Relative half-width that the passes do not show: half a step of a footprint; 0 for times and
  // rates
  double resolution = 0;
};

struct HardwareSection {
  GpuHardware hardware;               // medians over the passes
  std::vector<HardwareValue> values;  // keys that were measured
  // Keys that are derived from the width of the memory's bus, or stated for NVIDIA's GPUs
  std::vector<std::string> documented;
  std::vector<std::string> guessed;  // keys that nobody measured or published
};

// Requires: probe.samples and steps have all ceilings and curves that their headers name, at least
//           one pass of each
// Errors:   Error that names a curve which is missing
HardwareSection hardware_section(const GpuProbe& probe, const DeviceFacts& facts,
                                 std::span<const HardwareStep> steps);

}  // namespace presort::gpu
