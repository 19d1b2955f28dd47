// Measures how much the L2 is delayed in taking lines from below while stores write lines back to
// it: ns of K stores to random lines of a quarter of the L2, alone, beside a load, and beside an
// update of one line that only the L3 has (four times the L2, in random order, fetched 32 ahead).
// Measured here on the quietest core, and simulated on a machine. Pages of 2 MiB.
// usage: l2_turns MACHINE.yaml
#include <fmt/format.h>

#include <vector>

#include "bench/random_order.h"
#include "presort/core/measurement.h"
#include "presort/io/machine/machine_file.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"
#include "presort/probe/workloads/random_words.h"
#include "presort/sim/hierarchy.h"

namespace {

using namespace presort;

constexpr uint64_t kLine = 64;
constexpr uint64_t kItems = 1 << 19;
constexpr uint64_t kAhead = 32;
constexpr int kRounds = 9;

enum class Far { none, load, update };

struct Loop {
  uint64_t near_lines;          // number of lines of the region, a power of two
  std::vector<uint32_t> order;  // order in which the region's lines are used

  uint64_t near(uint64_t i) const { return probe::random_bits(i) >> 40 & (near_lines - 1); }
  uint64_t far(uint64_t i) const { return order[i & (order.size() - 1)]; }
};

template <Far kFar>
double measured_ns(const Loop& loop, char* near, char* far, int stores) {
  std::vector<double> rounds;
  for (int round = -2; round < kRounds; ++round) {
    const probe::Slice slice = probe::take_slice(kItems, [&] {
      const uint64_t first = static_cast<uint64_t>(round + 2) * kItems;
      uint64_t written = first * static_cast<uint64_t>(stores);
      uint32_t sum = 0;
      for (uint64_t i = first; i < first + kItems; ++i) {
        for (int k = 0; k < stores; ++k) {
          *reinterpret_cast<volatile uint32_t*>(near + loop.near(written++) * kLine) = 1;
        }
        if constexpr (kFar != Far::none) {
          __builtin_prefetch(far + loop.far(i + kAhead) * kLine);
          auto* word = reinterpret_cast<volatile uint32_t*>(far + loop.far(i) * kLine);
          if constexpr (kFar == Far::update) {
            *word = *word + 1;
          } else {
            sum += *word;
          }
        }
      }
      probe::keep(sum);
    });
    if (round >= 0) {
      rounds.push_back(slice.value_ns);
    }
  }
  return quantile(std::move(rounds), 0.5);
}

double simulated_ns(const Machine& machine, const Loop& loop, int stores, Far far) {
  constexpr uint64_t kFarBase = uint64_t{1} << 36;
  constexpr uint64_t kOrderBase = uint64_t{1} << 37;
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(probe::kHugePageBytes));
  uint64_t written = 0;
  const auto run = [&](uint64_t first, uint64_t count) {
    std::vector<sim::Access> records;
    for (uint64_t i = first; i < first + count; ++i) {
      for (int k = 0; k < stores; ++k) {
        records.push_back({.address = loop.near(written++) * kLine,
                           .kind = sim::AccessKind::store,
                           .micro_ops = 7});
        records.back().instruction = 1;
      }
      if (far != Far::none) {
        const auto order = [&](uint64_t item) {
          records.push_back(
              {.address = kOrderBase + (item & (loop.order.size() - 1)) * sizeof(uint32_t),
               .micro_ops = 3});
          records.back().instruction = 2;
        };
        const auto line = [&](uint64_t item, sim::AccessKind kind, uint16_t depends_on,
                              uint16_t data_depends_on) {
          records.push_back({.address = kFarBase + loop.far(item) * kLine,
                             .kind = kind,
                             .micro_ops = 1,
                             .depends_on = depends_on,
                             .data_depends_on = data_depends_on});
          records.back().instruction = 3 + static_cast<uint64_t>(kind);
        };
        order(i + kAhead);
        line(i + kAhead, sim::AccessKind::prefetch, 1, 0);
        order(i);
        line(i, sim::AccessKind::load, 1, 0);
        if (far == Far::update) {
          line(i, sim::AccessKind::store, 2, 1);
        }
      }
    }
    hierarchy.run(records);
  };
  const uint64_t warmed = 2 * loop.order.size();
  run(0, warmed);
  const double begin = hierarchy.now_ns();
  run(warmed, kItems / 4);
  return (hierarchy.now_ns() - begin) / static_cast<double>(kItems / 4);
}

void print_table(const Machine& machine, uint64_t l2_bytes) {
  const Loop loop{l2_bytes / 4 / kLine, bench::random_order(4 * l2_bytes / kLine)};
  const probe::Arena near(probe::kHugePageBytes, probe::Pages::huge);
  const probe::Arena far(4 * l2_bytes, probe::Pages::huge);
  fmt::print(
      "| stores | alone | + load | + update | simulated: alone | + load | + update |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const int stores : {0, 1, 2, 4}) {
    const double alone =
        stores > 0 ? measured_ns<Far::none>(loop, near.data(), far.data(), stores) : 0;
    fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", stores, alone,
               measured_ns<Far::load>(loop, near.data(), far.data(), stores),
               measured_ns<Far::update>(loop, near.data(), far.data(), stores),
               stores > 0 ? simulated_ns(machine, loop, stores, Far::none) : 0,
               simulated_ns(machine, loop, stores, Far::load),
               simulated_ns(machine, loop, stores, Far::update));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: l2_turns MACHINE.yaml\n");
    return 2;
  }
  Machine machine = io::read_machine(argv[1]);
  machine.costs = {};  // core costs in machine files are for the kernels, not for these loops
  probe::QuietCore core(probe::this_topology().cpus);
  core.settle();
  print_table(machine, machine.caches[machine.caches.size() > 2 ? 1 : 0].size_bytes);
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
