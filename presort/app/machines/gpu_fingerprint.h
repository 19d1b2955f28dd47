// Fingerprints of GPUs: what identifies the GPU of a tuned file's rows for device gpu.
#pragma once

#include "presort/core/machine/fingerprint.h"
#include "presort/core/machine/gpu.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

// A GPU's fingerprint. Hard fields: the architecture, shared memory of a block, multiprocessors,
// and the version of the kernels. Soft fields: the name, the clock, the L2.
Fingerprint gpu_fingerprint(const Gpu& gpu, const io::Provenance& provenance);

}  // namespace presort::app
