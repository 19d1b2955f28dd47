#include "presort/core/machine/machine_state.h"

#include <algorithm>
#include <cmath>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/text/range.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {

static_assert(kMostSimulatedCores == kMaxThreads);

namespace {

double rounded_up(uint64_t ways, uint64_t multiple) {
  return static_cast<double>((ways + multiple - 1) / multiple * multiple);
}

// Bytes of simulator memory for a cache set (sim/cache/cache_array.h): per way a tag of 8 bytes and
// a short tag of 2; for lines with sectors three masks of 2 bytes; a rank of 1 byte, with many ways
// 8 (sim/cache/policies/ranks.h).
double set_bytes(uint64_t ways, bool sectors) {
  constexpr uint64_t kMostRanked = 128;
  const double each = static_cast<double>(ways);
  const double ranks = ways > kMostRanked ? 8 * each : rounded_up(ways, 16);
  return 8 * each + 2 * rounded_up(ways, 8) + (sectors ? 6 * each : 0) + ranks;
}

int simulated_cores(const Machine& machine) {
  return std::min(machine.cores, kMostSimulatedCores);
}

struct Part {
  std::string key_path;
  std::string found;
  double bytes;
};

std::vector<Part> parts(const Machine& machine) {
  std::vector<Part> all;
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    const CacheLevel& level = machine.caches[i];
    all.push_back({"cpu.caches[" + std::to_string(i) + "].size", format_bytes(level.size_bytes),
                   cache_state_bytes(machine, level)});
  }
  if (!machine.tlb.empty()) {
    const auto largest = std::max_element(
        machine.tlb.begin(), machine.tlb.end(),
        [](const TlbLevel& a, const TlbLevel& b) { return a.entries < b.entries; });
    const auto i = largest - machine.tlb.begin();
    all.push_back({"cpu.tlb[" + std::to_string(i) + "].entries", std::to_string(largest->entries),
                   tlb_state_bytes(machine)});
  }
  all.push_back(
      {"memory.banks", std::to_string(machine.memory.banks), memory_state_bytes(machine)});
  if (machine.storage) {
    all.push_back({"storage.pageCache", format_bytes(machine.storage->page_cache_bytes),
                   storage_state_bytes(*machine.storage)});
  }
  return all;
}

std::string mebibytes(double bytes) {
  return number_text(std::ceil(bytes / (1 << 20)) * (1 << 20), RangeUnit::bytes);
}

}  // namespace

double cache_state_bytes(const Machine& machine, const CacheLevel& level) {
  const int instances = (simulated_cores(machine) + level.shared_by - 1) / level.shared_by;
  const double sets = std::max(1.0, static_cast<double>(set_count(level)) * level.share);
  return instances * sets * set_bytes(level.ways, unit_bytes(level) < level.line_bytes);
}

double tlb_state_bytes(const Machine& machine) {
  double bytes = 0;
  for (const TlbLevel& level : machine.tlb) {
    const auto sets = static_cast<double>(level.entries / level.ways);
    bytes += simulated_cores(machine) * sets * set_bytes(level.ways, false);
  }
  return bytes;
}

// Bytes that the simulator keeps for the main memory: a calendar of bandwidth has 4096 slots of 12
// bytes (sim/memory/bandwidth.h), a bank remembers its last openings in 128 bytes
// (sim/memory/bank.h).
double memory_state_bytes(const Machine& machine) {
  constexpr double kCalendar = 4096.0 * 12;
  constexpr double kBank = 128;
  const double nodes = machine.numa ? static_cast<double>(machine.numa->nodes.size()) : 1;
  const double links = machine.numa ? static_cast<double>(machine.numa->links.size()) : 0;
  const double channels = nodes * machine.memory.channels;
  return (channels + links + 2 * simulated_cores(machine)) * kCalendar +
         channels * machine.memory.banks * kBank;
}

double storage_state_bytes(const Storage& storage) {
  // Bytes of simulator memory for a page in the page cache (sim/memory/page_cache.h)
  constexpr double kPage = 8;
  return static_cast<double>(storage.page_cache_bytes) / static_cast<double>(storage.page_bytes) *
         kPage;
}

std::optional<MachineProblem> find_state_problem(const Machine& machine) {
  const std::vector<Part> all = parts(machine);
  double sum = 0;
  for (const Part& part : all) {
    sum += part.bytes;
  }
  if (sum <= kMostStateBytes) {
    return {};
  }
  const Part& largest = *std::max_element(
      all.begin(), all.end(), [](const Part& a, const Part& b) { return a.bytes < b.bytes; });
  return MachineProblem{largest.key_path,
                        "found '" + largest.found + "', accepted: what a simulation holds in " +
                            mebibytes(kMostStateBytes) + "; this machine takes " + mebibytes(sum) +
                            ", " + mebibytes(largest.bytes) + " of it here, with " +
                            std::to_string(simulated_cores(machine)) + " cores"};
}

}  // namespace presort
