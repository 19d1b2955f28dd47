// The section `gpu` of a machine file, all keys required:
//   gpu:                                # optional: without it there is no plan for --device gpu
//     name: NVIDIA H200
//     architecture: sm_90
//     multiprocessors: 132
//     clock: 1980MHz
//     threadsPerMultiprocessor: 2048
//     sharedPerMultiprocessor: 228KiB   # shared memory of all blocks
//     sharedPerBlock: 227KiB            # at most
//     l2: 60MiB
//     l2Effective: 42MiB                # of a table of which random atomics all hit
//     memory: 140GiB
//     launch: 2us                       # what one more kernel in a stream takes
//     ceilings:                         # measured (presort probe --gpu), of the whole device
//       read: 4.1TB/s                   # of memory
//       copy: 3.9TB/s                   # bytes read and written
//       l2Read: 6TB/s                   # of what lies in the L2
//       atomicsOneAddress: 1.36G/s      # words of 4 bytes: all at one address,
//       atomicsCrowded: 34G/s             # random ones of 16 KiB,
//       atomicsL2: 97G/s                # of a table in the L2,
//       atomicsMemory: 16G/s            # of a table beyond it
//       readsL2: 140G/s                 # random words read
//       readsMemory: 35G/s
//       sharedAtomics: 2T/s             # random words of the blocks' shared memory
//       sharedReads: 3T/s
//       tableUpdates: 800G/s            # inputs that tables in shared memory take,
//       tableQuarters: 900G/s           # or look at when one in four is theirs; labels from the L2
//       tableSwaps: 400G/s              # the two of updates by compare and swap, of 8 bytes
//       tableSwapQuarters: 450G/s
#pragma once

#include <string>

#include "presort/core/machine/gpu.h"
#include "presort/io/json/result_json.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {

// Errors: InputError
Gpu read_gpu(const ValueReader& value);

// The section as text that reads back to an equal Gpu, ends with a newline.
std::string gpu_text(const Gpu& gpu);

// Units in the names: read_bytes_per_second, atomics_l2_per_second, …
Json gpu_json(const Gpu& gpu);

}  // namespace presort::io
