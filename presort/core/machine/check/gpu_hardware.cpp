#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/machine/check/machine_check.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

bool is_power_of_two(uint64_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

Found unless_gpu_power_of_two(const std::string& key_path, uint64_t bytes) {
  return is_power_of_two(bytes) ? Found{}
                                : machine_problem(key_path, format_bytes(bytes), "a power of two");
}

Found unless_gpu_bytes_at_most(const std::string& key_path, uint64_t bytes, uint64_t most,
                               const std::string& what) {
  return bytes <= most ? Found{}
                       : machine_problem(key_path, format_bytes(bytes),
                                         "at most the " + format_bytes(most) + " of " + what);
}

// A problem unless the address bits that choose no slice are powers of two in rising order.
Found unless_folded(const std::string& key_path, const std::vector<uint64_t>& bits) {
  uint64_t before = 0;
  for (const uint64_t bytes : bits) {
    if (!is_power_of_two(bytes) || bytes <= before) {
      return machine_problem(key_path, format_bytes(bytes), "powers of two in rising order");
    }
    before = bytes;
  }
  return {};
}

// A problem unless a cache holds whole sets in every slice.
Found unless_whole_sets(const std::string& key_path, uint64_t bytes, uint64_t set_bytes,
                        const std::string& what) {
  return bytes >= set_bytes
             ? Found{}
             : machine_problem(key_path, format_bytes(bytes),
                               "at least the " + format_bytes(set_bytes) + " of " + what);
}

}  // namespace

Found check_gpu_hardware(const Machine& machine) {
  if (!machine.gpu_hardware) {
    return {};
  }
  const GpuHardware& gpu = *machine.gpu_hardware;
  const GpuL2& l2 = gpu.l2;
  const std::string path = "gpuHardware.";
  // Most sectors of a line: a bit of a 16-bit mask each.
  constexpr uint64_t kMostSectors = 16;
  Found found = first_of(
      unless_gpu_power_of_two(path + "l2.line", l2.line_bytes),
      unless_gpu_power_of_two(path + "l2.sector", l2.sector_bytes),
      l2.interleave_bytes == 0
          ? Found{}
          : unless_gpu_power_of_two(path + "l2.interleave", l2.interleave_bytes),
      unless_folded(path + "l2.folded", l2.folded_bytes),
      unless_gpu_power_of_two(path + "memory.row", gpu.memory.row_bytes),
      unless_gpu_power_of_two(path + "tlb.page", gpu.tlb.page_bytes),
      unless_gpu_power_of_two(path + "shared.bankWidth", gpu.shared.bank_bytes),
      unless_gpu_bytes_at_most(path + "l2.sector", l2.sector_bytes, l2.line_bytes, "a line"),
      unless_gpu_bytes_at_most(path + "l2.line", l2.line_bytes, kMostSectors * l2.sector_bytes,
                               "16 sectors"));
  if (found) {
    return found;
  }
  if (l2.slices % l2.partitions != 0) {
    return machine_problem(path + "l2.slices", std::to_string(l2.slices),
                           "a multiple of the " + std::to_string(l2.partitions) + " partitions");
  }
  return first_of(
      unless_gpu_bytes_at_most(path + "sharedPerBlock", gpu.shared_bytes_of_block,
                               gpu.shared.size_bytes, "a multiprocessor"),
      unless_gpu_bytes_at_most(path + "l2.size", l2.size_bytes, gpu.memory.size_bytes,
                               "its memory"),
      unless_whole_sets(path + "l2.size", l2.size_bytes,
                        l2.line_bytes * l2.ways * static_cast<uint64_t>(l2.slices),
                        "one set in each slice"),
      gpu.l1.size_bytes == 0 ? Found{}
                             : unless_whole_sets(path + "l1.size", gpu.l1.size_bytes,
                                                 l2.line_bytes * gpu.l1.ways, "one set"),
      gpu.tlb.reach_bytes == 0 ? Found{}
                               : unless_whole_sets(path + "tlb.reach", gpu.tlb.reach_bytes,
                                                   gpu.tlb.page_bytes, "a page"));
}

}  // namespace presort
