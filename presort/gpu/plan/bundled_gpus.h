// GPUs whose ceilings come with the library, for programs that have neither measured their own nor a
// machine file. No CUDA types.
#pragma once

#include <vector>

#include "presort/core/machine/gpu.h"

namespace presort::inline v0::gpu {

// Ceilings of one H200, measured by `presort probe --gpu`; values as in
// configs/machines/emerald-rapids-host.yaml.
const std::vector<Gpu>& bundled_gpus();

// A GPU with the name and sizes of `described` and ceilings of a bundled GPU: those of the same
// name; otherwise scaled ones, for memory by `memory_bandwidth`, for multiprocessors and L2 by
// multiprocessors times clock. A scaled ceiling is an estimate: good enough to choose a plan, not
// to predict its time.
// Units: memory_bandwidth in bytes a second, of the device's data sheet (bus width times clock)
Gpu with_bundled_ceilings(const Gpu& described, double memory_bandwidth);

}  // namespace presort::gpu
