// GPUs whose ceilings come with the library, for programs that have neither measured their own nor a
// machine file. No CUDA types.
#pragma once

#include <vector>

#include "presort/core/machine/gpu.h"

namespace presort::inline v0::gpu {

// Measured by `presort probe --gpu`; values as in configs/machines/emerald-rapids-host.yaml.
const std::vector<Gpu>& bundled_gpus();

// A GPU with the name and sizes of `described` and the ceilings of a bundled one: of the same name;
// or else of the bundled one, scaled: memory by `memory_bandwidth`, what multiprocessors and the L2
// do by multiprocessors times clock. A scaled ceiling is an estimate: good enough to choose a plan,
// not to predict its time.
// Units: memory_bandwidth in bytes a second, of the device's data sheet (bus width times clock)
Gpu with_bundled_ceilings(const Gpu& described, double memory_bandwidth);

}  // namespace presort::gpu
