// Measures the ceilings of the current GPU. No CUDA types: a build without CUDA has it too, and
// then says so.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/machine/gpu.h"

namespace presort::inline v0::gpu {

// Name, architecture and sizes of the current GPU, without its ceilings.
// Errors: EnvironmentError when this build has no kernels or this machine no device
Gpu describe_gpu();

// One key of a machine file's GPU section, with what each pass measured for the whole device: bytes
// or events a second; l2Effective in bytes; launch, step and latencies in ns. linkBandwidth and
// linkLatency are there when this host has two devices or more that reach each other's memory.
struct GpuSamples {
  std::string_view key;
  std::vector<double> passes;
};

struct GpuProbe {
  Gpu gpu;  // medians over the passes of the probe
  std::vector<GpuSamples> samples;
};

// Measures all ceilings. Takes about two seconds and a quarter of the device's free memory, at most
// 6 GiB.
// Errors: EnvironmentError as describe_gpu, and when there is not enough memory on the device
GpuProbe probe_gpu(const std::function<void(std::string_view step, double fraction)>& progress);

}  // namespace presort::gpu
