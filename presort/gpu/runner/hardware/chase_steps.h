// Curves of latencies and of translation: part of measure_hardware_steps (hardware_steps.h).
#pragma once

#include <cstdint>
#include <span>

#include "presort/core/machine/gpu.h"
#include "presort/gpu/runner/hardware/step_list.h"

namespace presort::inline v0::gpu {

// Adds one pass of l1Chase, l2Chase, pageChase, readRandom, requestsOfOne, kernelChain and
// emptyKernel.
// Units:    clock_hz: cycles a second of a multiprocessor at work
// Requires: `array` is at least 1 GiB of device memory. It is overwritten in part.
// Errors:   EnvironmentError
void add_chases(const Gpu& gpu, std::span<uint32_t> array, double clock_hz, StepList& steps);

}  // namespace presort::gpu
