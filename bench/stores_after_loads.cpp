// Does a store keep misses apart whose line its own load has just asked for? Cycles of a round of a
// counting sort without inputs: a counter at random is loaded, two stores go to lines at random,
// and the counter goes back: not at all, as it is, or with its line fetched 64 rounds before, so
// that the first level has it when the store's address becomes known. By what holds the counters
// and the other lines. 2 MiB pages, on the quietest core. usage: stores_after_loads
#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace {

using namespace presort;

constexpr uint64_t kLargest = uint64_t{512} << 20;
constexpr uint64_t kCounters = uint64_t{8} << 20;  // the largest, behind the lines
constexpr uint64_t kLine = 64;
constexpr uint32_t kRounds = 1 << 14;
constexpr uint32_t kAhead = 64;
constexpr int kRepeats = 9;

enum class Counter { loaded, stored, fetchedAndStored };

// Offsets of a round.
struct Round {
  uint32_t counter;
  uint32_t lines[2];
};

std::vector<Round> draw(uint64_t counter_bytes, uint64_t region_bytes, uint64_t seed) {
  std::vector<Round> rounds(kRounds + kAhead);
  uint64_t drawn = 0;
  const auto line = [&](uint64_t bytes) {
    return static_cast<uint32_t>(bounded(random_u64(seed, drawn++), bytes / kLine) * kLine);
  };
  for (Round& round : rounds) {
    round = {static_cast<uint32_t>(kLargest) + line(counter_bytes),
             {line(region_bytes), line(region_bytes)}};
  }
  return rounds;
}

inline void store(char* place, uint64_t value) {
  asm volatile("movq %1, (%0)" : : "r"(place), "r"(value) : "memory");
}

inline uint64_t load(const char* place) {
  uint64_t value = 0;
  asm volatile("movq (%1), %0" : "=r"(value) : "r"(place) : "memory");
  return value;
}

template <Counter kCounter>
[[gnu::noinline]] void run(const Round* rounds, char* base) {
#pragma GCC unroll 1
  for (uint32_t i = 0; i < kRounds; ++i) {
    if constexpr (kCounter == Counter::fetchedAndStored) {
      __builtin_prefetch(base + rounds[i + kAhead].counter, 1);
    }
    const uint64_t count = load(base + rounds[i].counter);
    store(base + rounds[i].lines[0], count);
    store(base + rounds[i].lines[1], count);
    if constexpr (kCounter != Counter::loaded) {
      store(base + rounds[i].counter, count + 1);
    }
  }
}

// Writes each line of the region, the first ones first, so that the caches hold the last ones.
void bring(char* first, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += kLine) {
    store(first + at, at);
  }
}

template <Counter kCounter>
double cycles(uint64_t counter_bytes, uint64_t region_bytes, char* base) {
  std::vector<double> repeats;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const std::vector<Round> rounds =
        draw(counter_bytes, region_bytes, static_cast<uint64_t>(repeat));
    bring(base, region_bytes);
    bring(base + kLargest, counter_bytes);
    const probe::Slice slice =
        probe::take_slice(kRounds, [&] { run<kCounter>(rounds.data(), base); });
    repeats.push_back(slice.value_ns / slice.cycle_ns);
  }
  return quantile(std::move(repeats), 0.5);
}

}  // namespace

int main() {
  const probe::Arena arena(kLargest + kCounters, probe::Pages::huge);
  probe::QuietCore core(probe::this_topology().cpus);
  fmt::print("| lines | counters | only loaded | stored | fetched, stored |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  for (const uint64_t region : {uint64_t{16} << 20, kLargest}) {
    for (const uint64_t counters : {uint64_t{16} << 10, uint64_t{512} << 10, kCounters}) {
      core.settle();
      fmt::print("| {} MiB | {} KiB |", region >> 20, counters >> 10);
      for (const auto time :
           {cycles<Counter::loaded>, cycles<Counter::stored>, cycles<Counter::fetchedAndStored>}) {
        fmt::print(" {:.1f} |", time(counters, region, arena.data()));
      }
      fmt::print("\n");
    }
  }
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
