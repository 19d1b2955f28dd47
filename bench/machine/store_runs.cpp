// Measures whether stores that miss the first level overlap across stores that hit it: cycles of
// one miss and the k - 1 hits behind it, by the level that has the missed line. Misses come at
// every kth place, at random places, or four in a row before 4 (k - 1) hits; they are made by one
// store instruction for all, or by eight in turn; hits go to one line or to 128. 2 MiB pages, on
// the quietest core.
// usage: store_runs
#include <fmt/format.h>

#include <cstdint>
#include <utility>
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
constexpr uint64_t kLine = 64;
constexpr uint64_t kHotLines = 128;
constexpr uint32_t kStores = 1 << 15;
constexpr int kRounds = 6;  // number of rounds; the first brings the lines in

enum class Pattern { regular, random, grouped };

// Offsets, bytes, of the stores of a loop. Lines that always hit lie behind the largest region.
class Places {
 public:
  Places() : offsets_(kStores) {}

  void draw(Pattern pattern, uint64_t k, uint64_t region_bytes, uint64_t hot_lines) {
    for (uint64_t i = 0; i < kStores; ++i) {
      const bool miss = pattern == Pattern::regular  ? i % k == 0
                        : pattern == Pattern::random ? next() % k == 0
                                                     : i % (4 * k) < 4;
      offsets_[i] = static_cast<uint32_t>(miss ? bounded(next(), region_bytes / kLine) * kLine
                                               : kLargest + hits_++ * 5 % hot_lines * kLine);
    }
  }

  const uint32_t* data() const { return offsets_.data(); }

 private:
  uint64_t next() { return random_u64(1, drawn_++); }

  std::vector<uint32_t> offsets_;
  uint64_t drawn_ = 0;
  uint64_t hits_ = 0;
};

inline void store(char* place, uint32_t value) {
  asm volatile("movl %1, (%0)" : : "r"(place), "r"(value) : "memory");
}

template <size_t... kInstructions>
[[gnu::noinline]] void run(const uint32_t* offsets, char* base,
                           std::index_sequence<kInstructions...>) {
#pragma GCC unroll 1
  for (uint32_t i = 0; i < kStores; i += sizeof...(kInstructions)) {
    (store(base + offsets[i + kInstructions], i), ...);
  }
}

template <size_t kInstructions>
double cycles(Places& places, Pattern pattern, uint64_t k, uint64_t bytes, uint64_t hot_lines,
              char* base) {
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    places.draw(pattern, k, bytes, hot_lines);
    const probe::Slice slice = probe::take_slice(
        kStores, [&] { run(places.data(), base, std::make_index_sequence<kInstructions>()); });
    if (round > 0) {
      rounds.push_back(slice.value_ns / slice.cycle_ns * static_cast<double>(k));
    }
  }
  return quantile(std::move(rounds), 0.5);
}

}  // namespace

int main() {
  const probe::Arena arena(kLargest + probe::kHugePageBytes, probe::Pages::huge);
  Places places;
  probe::QuietCore core(probe::this_topology().cpus);
  fmt::print("| region | misses | instructions | hot lines | k = 1 | 2 | 3 | 4 | 8 | 16 |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  constexpr std::pair<Pattern, const char*> kPatterns[] = {
      {Pattern::regular, "regular"}, {Pattern::random, "random"}, {Pattern::grouped, "grouped"}};
  for (const uint64_t kib : {16, 512, 6144, 16384, 524288}) {
    for (const auto& [pattern, name] : kPatterns) {
      for (const int instructions : {1, 8}) {
        for (const uint64_t hot : {uint64_t{1}, kHotLines}) {
          core.settle();
          fmt::print("| {} KiB | {} | {} | {} |", kib, name, instructions, hot);
          for (const uint64_t k : {1, 2, 3, 4, 8, 16}) {
            const auto time = instructions == 1 ? cycles<1> : cycles<8>;
            fmt::print(" {:.1f} |", time(places, pattern, k, kib << 10, hot, arena.data()));
          }
          fmt::print("\n");
        }
      }
    }
  }
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
