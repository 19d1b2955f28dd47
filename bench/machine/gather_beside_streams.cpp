// Measures whether streams from memory are hidden behind the work of a core: gathers from a small
// table, whose labels and results are arrays of 2^14 to 2^24 words, tables of 4 bytes to 16 KiB,
// 2 MiB pages, on the quietest core. The loop is compiled twice, at the begin of a fetch block and
// 32 bytes behind it, as a core may run it at two speeds.
// usage: gather_beside_streams
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"

namespace {

using namespace presort;

constexpr uint64_t kMost = uint64_t{1} << 24;   // inputs
constexpr uint64_t kTimed = uint64_t{1} << 23;  // inputs of a timed run, at least
constexpr int kRuns = 9;

template <int kShift>
[[gnu::noinline, gnu::aligned(64)]] void gather(const uint32_t* labels, const uint32_t* table,
                                                uint32_t* results, uint64_t n) {
  if constexpr (kShift > 0) {
    asm volatile(".p2align 6\n.skip 32, 0x90");
  } else {
    asm volatile(".p2align 6");
  }
  for (uint64_t i = 0; i < n; ++i) {
    results[i] = table[labels[i]];
  }
}

template <class Run>
double ns_of(uint64_t n, const Run& run) {
  using Clock = std::chrono::steady_clock;
  const uint64_t rounds = std::max<uint64_t>(1, kTimed / n);
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) {
    const auto begin = Clock::now();
    for (uint64_t round = 0; round < rounds; ++round) {
      run();
    }
    const std::chrono::duration<double, std::nano> ns = Clock::now() - begin;
    times.push_back(ns.count() / static_cast<double>(n * rounds));
  }
  return median(times);
}

}  // namespace

int main() {
  probe::QuietCore core(probe::this_topology().cpus);
  core.settle();
  constexpr uint64_t kTable = uint64_t{2} << 20;  // bytes of the table's page
  const probe::Arena arena(2 * kMost * sizeof(uint32_t) + kTable, probe::Pages::huge);
  auto* const labels = reinterpret_cast<uint32_t*>(arena.data());
  uint32_t* const results = labels + kMost;
  uint32_t* const table = results + kMost;
  fmt::print("table, words | inputs | ns an input: first loop | second loop\n");
  for (const uint64_t m : {1, 16, 64, 256, 1024, 4096}) {
    for (uint64_t i = 0; i < kMost; ++i) {
      labels[i] = static_cast<uint32_t>(bounded(random_u64(1, i), m));
    }
    for (const int log2_n : {14, 18, 20, 22, 24}) {
      const uint64_t n = uint64_t{1} << log2_n;
      const double first = ns_of(n, [&] { gather<0>(labels, table, results, n); });
      const double second = ns_of(n, [&] { gather<1>(labels, table, results, n); });
      fmt::print("{} | 2^{} | {:.3f} | {:.3f}\n", m, log2_n, first, second);
    }
  }
  return 0;
}
