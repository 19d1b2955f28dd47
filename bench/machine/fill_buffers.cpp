// Times the first half of a partition: cycles an input of loops that put pairs into buffers of 256
// bytes, one for each digit, and count them. Digits are random and read from the L1d; no buffer is
// ever flushed. From 2^10 digits on the lines in use no longer fit in the L1d. Medians of slices on
// the quietest core, 2 MiB pages.
// usage: fill_buffers
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

constexpr uint32_t kInputs = 1 << 12;
constexpr uint32_t kAhead = 32;
constexpr int kMostBits = 12;
constexpr uint32_t kPairs = 32;  // number of pairs in a write buffer

enum class Loop { pairs, counters, both, bothFetched };

struct Memory {
  explicit Memory(char* memory)
      : digits(reinterpret_cast<uint32_t*>(memory)),
        counters(digits + (1 << 20)),
        buffers(reinterpret_cast<uint64_t*>(counters + (1 << 20))) {}

  void prepare(int bits) {
    for (uint32_t i = 0; i < kInputs + kAhead; ++i) {
      digits[i] = static_cast<uint32_t>(random_u64(1, i) >> (64 - bits));
    }
    for (uint32_t d = 0; d < 1U << bits; ++d) {
      counters[d] = static_cast<uint32_t>(random_u64(2, d));
    }
  }

  uint64_t* place(uint32_t digit, uint32_t count) const {
    return buffers + digit * kPairs + count % kPairs;
  }

  uint32_t* digits;
  uint32_t* counters;
  uint64_t* buffers;
};

// In the loop without counters, a pair's place in its buffer follows from the round. Neighbouring
// buffers lie in different cache sets.
template <Loop kLoop>
[[gnu::noinline]] void fill(const Memory& m, uint32_t round) {
  for (uint32_t i = 0; i < kInputs; ++i) {
    const uint32_t digit = m.digits[i];
    if constexpr (kLoop == Loop::bothFetched) {
      const uint32_t later = m.digits[i + kAhead];
      __builtin_prefetch(m.place(later, m.counters[later]), 1);
    }
    if constexpr (kLoop == Loop::pairs) {
      *m.place(digit, round + 7 * digit) = i;
    } else {
      const uint32_t count = m.counters[digit];
      if constexpr (kLoop != Loop::counters) {
        *m.place(digit, count) = i;
      }
      m.counters[digit] = count + 1;
    }
    asm volatile("" : : : "memory");
  }
}

double cycles(Loop loop, const Memory& memory) {
  constexpr uint32_t kRounds = 400;
  constexpr uint32_t kFirstKept = 100;
  std::vector<double> rounds;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const probe::Slice slice = probe::take_slice(kInputs, [&] {
      switch (loop) {
        case Loop::pairs:
          return fill<Loop::pairs>(memory, round);
        case Loop::counters:
          return fill<Loop::counters>(memory, round);
        case Loop::both:
          return fill<Loop::both>(memory, round);
        case Loop::bothFetched:
          return fill<Loop::bothFetched>(memory, round);
      }
    });
    if (round >= kFirstKept) {
      rounds.push_back(slice.value_ns / slice.cycle_ns);
    }
  }
  return quantile(std::move(rounds), 0.5);
}

}  // namespace

int main() {
  const probe::Arena arena(uint64_t{64} << 20, probe::Pages::huge);
  Memory memory(arena.data());
  probe::QuietCore core(probe::this_topology().cpus);
  constexpr std::pair<Loop, const char*> kLoops[] = {
      {Loop::pairs, "pairs"},
      {Loop::counters, "counters"},
      {Loop::both, "both"},
      {Loop::bothFetched, "both, the pair's line fetched 32 inputs ahead"}};
  fmt::print("| stores | 2^6 digits | 2^7 | 2^8 | 2^9 | 2^10 | 2^11 | 2^12 |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [loop, name] : kLoops) {
    fmt::print("| {} |", name);
    for (int bits = 6; bits <= kMostBits; ++bits) {
      core.settle();
      memory.prepare(bits);
      fmt::print(" {:.1f} |", cycles(loop, memory));
    }
    fmt::print("\n");
  }
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
