// Measures the sections `gpu` and `gpuHardware` of a machine file.
#pragma once

#include "presort/app/printing/progress.h"
#include "presort/probe/probe.h"

namespace presort::inline v0::app {

// Measures the current GPU into result.machine.gpu and result.machine.gpu_hardware, and adds the GPU's values
// and their provenance.
// Errors: EnvironmentError when this build has no CUDA kernels or this machine no GPU
void add_gpu(probe::ProbeResult& result, Progress& progress);

}  // namespace presort::app
