#include "core/machine_check.h"
#include "core/units.h"

namespace presort {
namespace {

Found unless_at_most(const std::string& key_path, uint64_t bytes, uint64_t most,
                     const std::string& what) {
  return bytes > 0 && bytes <= most
             ? Found{}
             : machine_problem(key_path, format_bytes(bytes),
                               "above 0 and at most the " + format_bytes(most) + " of " + what);
}

Found size(const Gpu& gpu) {
  return first_of(
      unless_at_least_one("gpu.multiprocessors", gpu.multiprocessors),
      unless_positive("gpu.clock", gpu.clock_hz, "Hz"),
      unless_at_least_one("gpu.threadsPerMultiprocessor", gpu.threads_of_multiprocessor),
      unless_at_most("gpu.sharedPerBlock", gpu.shared_bytes_of_block,
                     gpu.shared_bytes_of_multiprocessor, "a multiprocessor"),
      unless_at_most("gpu.l2Effective", gpu.l2_effective_bytes, gpu.l2_bytes, "the L2"),
      unless_at_most("gpu.l2", gpu.l2_bytes, gpu.memory_bytes, "its memory"),
      unless_non_negative("gpu.launch", gpu.launch_ns, "ns"));
}

Found ceilings(const Gpu& gpu) {
  for (const GpuCeiling& ceiling : kGpuCeilings) {
    const bool is_bandwidth = ceiling.unit == GpuUnit::bytesPerSecond;
    if (Found found = unless_positive("gpu.ceilings." + std::string(ceiling.key),
                                      gpu.*ceiling.value, is_bandwidth ? "B/s" : "/s")) {
      return found;
    }
  }
  return {};
}

}  // namespace

Found check_gpu(const Machine& machine) {
  return machine.gpu ? first_of(size(*machine.gpu), ceilings(*machine.gpu)) : Found{};
}

}  // namespace presort
