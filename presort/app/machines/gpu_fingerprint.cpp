#include "presort/app/machines/gpu_fingerprint.h"

#include <string>

#include "presort/core/text/units.h"

namespace presort::inline v0::app {

Fingerprint gpu_fingerprint(const Gpu& gpu, const io::Provenance& provenance) {
  return {.hard = {{"kernels", provenance.tool_version},
                   {"gpu.architecture", gpu.architecture},
                   {"gpu.multiprocessors", std::to_string(gpu.multiprocessors)},
                   {"gpu.sharedPerBlock", format_bytes(gpu.shared_bytes_of_block)}},
          .soft = {{"gpu.name", gpu.name},
                   {"gpu.clock", format_frequency(gpu.clock_hz)},
                   {"gpu.l2", format_bytes(gpu.l2_bytes)}}};
}

}  // namespace presort::app
