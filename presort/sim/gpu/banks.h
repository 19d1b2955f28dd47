// Conflicts in shared memory: how long its banks are busy with a warp's access.
#pragma once

#include <cstdint>

#include "presort/core/machine/gpu_hardware.h"
#include "presort/sim/gpu/warp_access.h"

namespace presort::inline v0::sim::gpu {

// Passes of a warp's access: the most words that one bank serves. A bank serves a word a cycle.
//   Loads and stores: lanes at one word are served together.
//   Atomics, swaps:   lanes at one word take turns, as lanes at different words of the bank do.
// Requires: shared.banks >= 1; addresses count from the start of shared memory
int bank_passes(const WarpAccess& access, const GpuSharedMemory& shared);

// Passes that the access takes without a conflict: its words over all banks.
int least_passes(const WarpAccess& access, const GpuSharedMemory& shared);

// Time that shared memory is busy with an access of so many passes, cycles: a cycle for each pass
// of loads and stores; of atomics and swaps as many as the bank takes for a lane.
double cycles_of_passes(int passes, WarpAccessKind kind, const GpuSharedMemory& shared);

}  // namespace presort::sim::gpu
