// Facts that the driver tells of the current GPU, beside those of core/machine/gpu.h. No CUDA
// types.
#pragma once

namespace presort::inline v0::gpu {

struct DeviceFacts {
  int memory_bus_bits = 0;
  bool ecc = false;  // memory corrects errors
};

// Errors: EnvironmentError when this build has no kernels or this machine no device
DeviceFacts device_facts();

}  // namespace presort::gpu
