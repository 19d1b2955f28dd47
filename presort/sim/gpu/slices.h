// In which slice of the L2 an address lies.
//   Addresses are cut into pieces of l2.interleave_bytes. As many neighbouring pieces as there are slices lie
//   in one slice each, turned by a hash, so that accesses in order load all slices alike. Address bits of
//   l2.folded_bytes choose no slice by themselves.
//   Source: curves addApart and addRandom of one H200 (docs/results/gpu-simulated.md)
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/machine/gpu_hardware.h"

namespace presort::inline v0::sim::gpu {

// Number of the slice of an address, bytes. Requires: l2 passes the checks of a machine file
size_t slice_of(const GpuL2& l2, uint64_t address);

}  // namespace presort::sim::gpu
