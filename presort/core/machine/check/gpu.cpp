#include "presort/core/machine/check/machine_check.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

Found unless_at_most(const std::string& key_path, uint64_t bytes, uint64_t most,
                     const std::string& what) {
  return bytes <= most ? Found{}
                       : machine_problem(key_path, format_bytes(bytes),
                                         "at most the " + format_bytes(most) + " of " + what);
}

}  // namespace

Found check_gpu(const Machine& machine) {
  if (!machine.gpu) {
    return {};
  }
  const Gpu& gpu = *machine.gpu;
  return first_of(unless_at_most("gpu.sharedPerBlock", gpu.shared_bytes_of_block,
                                 gpu.shared_bytes_of_multiprocessor, "a multiprocessor"),
                  unless_at_most("gpu.l2Effective", gpu.l2_effective_bytes, gpu.l2_bytes, "the L2"),
                  unless_at_most("gpu.l2", gpu.l2_bytes, gpu.memory_bytes, "its memory"));
}

}  // namespace presort
