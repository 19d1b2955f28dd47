// Times page walks when many wait: cycles of a load and of a store to one line in each of P pages
// of 4 KiB, all at once, in random order, and of the same lines in pages of 2 MiB; beside each, the
// simulated cycles.
// usage: walks_by_pages MACHINE.yaml
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "presort/core/measurement.h"
#include "presort/io/machine/machine_file.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"
#include "presort/sim/hierarchy.h"

namespace {

using namespace presort;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLine = 64;
constexpr uint64_t kMostPages = uint64_t{1} << 16;
constexpr int kRounds = 7;

enum class Kind { loads, stores };

// Offsets of one line in each page; the line's place differs from page to page, so that lines
// spread over the cache sets.
std::vector<uint32_t> lines_of(uint64_t pages) {
  std::vector<uint32_t> offsets(pages);
  for (uint64_t page = 0; page < pages; ++page) {
    offsets[page] = static_cast<uint32_t>(page * kPage + page * 37 % (kPage / kLine) * kLine);
  }
  std::shuffle(offsets.begin(), offsets.end(), std::mt19937(1));
  return offsets;
}

template <Kind kKind>
[[gnu::noinline]] void run(const std::vector<uint32_t>& offsets, char* base) {
  for (const uint32_t offset : offsets) {
    if constexpr (kKind == Kind::loads) {
      asm volatile("movl (%0), %%eax" : : "r"(base + offset) : "eax", "memory");
    } else {
      asm volatile("movl %%eax, (%0)" : : "r"(base + offset) : "memory");
    }
  }
}

template <Kind kKind>
double measured(const std::vector<uint32_t>& offsets, char* base) {
  std::vector<double> rounds;
  for (int round = 0; round <= kRounds; ++round) {
    const probe::Slice slice =
        probe::take_slice(offsets.size(), [&] { run<kKind>(offsets, base); });
    if (round > 0) {  // number of rounds; the first only brings the lines in
      rounds.push_back(slice.value_ns / slice.cycle_ns);
    }
  }
  return median(rounds);
}

double simulated(const std::vector<uint32_t>& offsets, Kind kind, uint64_t page_bytes,
                 const Machine& machine) {
  std::vector<sim::Access> records;
  for (const uint32_t offset : offsets) {
    records.push_back({.address = (uint64_t{1} << 32) + offset,
                       .kind = kind == Kind::loads ? sim::AccessKind::load : sim::AccessKind::store,
                       .size = 4,
                       .micro_ops = 3});
  }
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(page_bytes));
  hierarchy.count(records);
  hierarchy.run(records);
  const double before = hierarchy.now_ns();
  hierarchy.run(records);
  return (hierarchy.now_ns() - before) * machine.clock_hz * 1e-9 /
         static_cast<double>(offsets.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: walks_by_pages MACHINE.yaml\n");
    return 2;
  }
  const Machine machine = io::read_machine(argv[1]);
  const probe::Arena small(kMostPages * kPage, probe::Pages::small);
  const probe::Arena huge(kMostPages * kPage, probe::Pages::huge);
  probe::QuietCore core(probe::this_topology().cpus);
  fmt::print(
      "| pages | loads, 4 KiB: measured | simulated | 2 MiB | simulated | stores, 4 KiB | "
      "simulated | 2 MiB | simulated |\n");
  for (uint64_t pages = 1 << 11; pages <= kMostPages; pages *= 2) {
    core.settle();
    const std::vector<uint32_t> lines = lines_of(pages);
    fmt::print("| {} |", pages);
    for (const Kind kind : {Kind::loads, Kind::stores}) {
      const auto time = kind == Kind::loads ? measured<Kind::loads> : measured<Kind::stores>;
      fmt::print(" {:.1f} | {:.1f} | {:.1f} | {:.1f} |", time(lines, small.data()),
                 simulated(lines, kind, kPage, machine), time(lines, huge.data()),
                 simulated(lines, kind, probe::kHugePageBytes, machine));
    }
    fmt::print("\n");
  }
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
