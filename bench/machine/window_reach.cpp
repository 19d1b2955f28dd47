// Measures how many instructions the window of each core holds, and its load and store buffers. Two
// pointer chases that miss the caches take turns, with a number of instructions (nops, loads or
// stores) between their loads. While these fit, the two misses overlap; beyond, they take twice as
// long. A working hyper-thread sibling leaves half of each to a thread.
// Source: Henry Wong, "Measuring Reorder Buffer Capacity", 2013
// usage: window_reach
// Prints for each logical CPU and number of instructions the time of two misses over that of one.
// Memory is in 2 MiB pages.
#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "presort/core/measurement.h"
#include "presort/probe/host/affinity.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/workloads/cycle.h"
#include "presort/probe/workloads/meter.h"

namespace {

using namespace presort;

constexpr uint64_t kLine = 64;
constexpr uint64_t kBytes = uint64_t{512} << 20;  // memory of both pointer chases together, bytes
constexpr int kSteps = 400;

enum class Filler { nop, load, store };

struct Node {
  Node* next;
};

// Links n nodes, a cache line each, in one random cycle, and returns the first node.
Node* lay_out(char* memory, uint64_t n) {
  const probe::Cycle order(n);
  const auto node = [memory](uint64_t i) { return reinterpret_cast<Node*>(memory + i * kLine); };
  for (uint64_t i = 0; i < n; ++i) {
    node(i)->next = node(order.next(i));
  }
  return node(0);
}

template <Filler kFiller, int kCount>
void fill() {
  static uint64_t word = 0;
  if constexpr (kFiller == Filler::nop) {
    asm volatile(".rept %c0\n nop\n .endr" : : "i"(kCount));
  } else if constexpr (kFiller == Filler::load) {
    asm volatile(".rept %c0\n movl (%1), %%eax\n .endr" : : "i"(kCount), "r"(&word) : "eax");
  } else {
    asm volatile(".rept %c0\n movl %%eax, (%1)\n .endr" : : "i"(kCount), "r"(&word) : "memory");
  }
}

struct Chases {
  Node* first;
  Node* second;
};

// Cycles of a step, in which each of the two pointer chases misses once.
template <Filler kFiller, int kCount>
[[gnu::noinline]] double cycles(Chases& chases) {
  constexpr int kRounds = 9;
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const probe::Slice slice = probe::take_slice(kSteps, [&chases] {
      for (int i = 0; i < kSteps; ++i) {
        chases.first = chases.first->next;
        fill<kFiller, kCount>();
        chases.second = chases.second->next;
        fill<kFiller, kCount>();
      }
      probe::keep(chases.first);
      probe::keep(chases.second);
    });
    rounds.push_back(slice.value_ns / slice.cycle_ns);
  }
  return quantile(std::move(rounds), 0.25);
}

template <Filler kFiller, int... kCounts>
void print_row(const char* name, Chases& chases, std::integer_sequence<int, kCounts...>) {
  const double one = cycles<Filler::nop, 8>(chases);
  fmt::print("  {}:", name);
  (fmt::print(" {} {:.2f}", kCounts, cycles<kFiller, kCounts>(chases) / one), ...);
  fmt::print("\n");
}

}  // namespace

int main() {
  const probe::Arena arena(kBytes, probe::Pages::huge);
  const uint64_t nodes = kBytes / 2 / kLine;
  Chases chases{lay_out(arena.data(), nodes), lay_out(arena.data() + kBytes / 2, nodes)};
  for (const int cpu : probe::this_topology().cpus) {
    probe::pin_to(cpu);
    const probe::CoreState state = probe::core_state();
    fmt::print("CPU {} at {:.2f} GHz, {:.2f} independent adds a cycle\n", cpu, 1 / state.cycle_ns,
               1 / state.crowding);
    print_row<Filler::nop>("nops", chases,
                           std::integer_sequence<int, 128, 224, 256, 384, 480, 512, 544, 640>{});
    print_row<Filler::load>("loads", chases,
                            std::integer_sequence<int, 64, 90, 96, 112, 160, 184, 192, 224>{});
    print_row<Filler::store>("stores", chases,
                             std::integer_sequence<int, 40, 48, 56, 64, 96, 104, 112, 128>{});
  }
}
