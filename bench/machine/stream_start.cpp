// Measures how a stream gets under way: the time of every 16 lines from the begin of a block that
// is read in order, where blocks of 128 KiB come in random order from 512 MiB; 4 KiB and 2 MiB
// pages, medians of three rounds over all blocks, on the quietest core. x86-64 only, by its
// time-stamp counter.
// usage: stream_start
#include <fmt/format.h>
#include <x86intrin.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"

namespace {

using namespace presort;

constexpr uint64_t kRegion = uint64_t{512} << 20;
constexpr uint64_t kBlock = 128 << 10;
constexpr uint64_t kBlocks = kRegion / kBlock;
constexpr uint64_t kLine = 64;
constexpr uint64_t kLinesAtATime = 16;
constexpr uint64_t kParts = kBlock / kLine / kLinesAtATime;
constexpr int kRounds = 3;

uint64_t counter() {
  unsigned processor = 0;
  return __rdtscp(&processor);
}

// Ticks of the time-stamp counter in a nanosecond, over a tenth of a second.
double ticks_per_ns() {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const uint64_t first = counter();
  while (Clock::now() - begin < std::chrono::milliseconds(100)) {
  }
  const std::chrono::duration<double, std::nano> ns = Clock::now() - begin;
  return static_cast<double>(counter() - first) / ns.count();
}

std::vector<uint64_t> random_order() {
  std::vector<uint64_t> order(kBlocks);
  std::iota(order.begin(), order.end(), uint64_t{0});
  for (uint64_t i = kBlocks - 1; i > 0; --i) {
    std::swap(order[i], order[bounded(random_u64(1, i), i + 1)]);
  }
  return order;
}

// Reads 16 lines, each word of them.
void read_part(const char* from) {
  const auto* words = reinterpret_cast<const uint64_t*>(from);
  uint64_t sums[4] = {};
  for (uint64_t i = 0; i < kLinesAtATime * kLine / sizeof(uint64_t); i += 4) {
    for (uint64_t k = 0; k < 4; ++k) {
      sums[k] += words[i + k];
    }
    asm volatile("" : : "r"(sums[0]), "r"(sums[1]), "r"(sums[2]), "r"(sums[3]));
  }
}

// Median time of each part of a block, ns.
std::vector<double> times_of(const probe::Arena& arena, double ticks) {
  std::vector<std::vector<double>> times(kParts);
  const std::vector<uint64_t> order = random_order();
  for (int round = 0; round < kRounds; ++round) {
    for (const uint64_t block : order) {
      const char* const data = arena.data() + block * kBlock;
      uint64_t last = counter();
      for (uint64_t part = 0; part < kParts; ++part) {
        read_part(data + part * kLinesAtATime * kLine);
        const uint64_t now = counter();
        times[part].push_back(static_cast<double>(now - last) / ticks);
        last = now;
      }
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& each : times) {
    medians.push_back(quantile(std::move(each), 0.5));
  }
  return medians;
}

}  // namespace

int main() {
  probe::QuietCore core(probe::this_topology().cpus);
  const double ticks = ticks_per_ns();
  fmt::print(
      "| pages | lines 0 to 15 of page 0 | 16 | 32 | 48 | page 1: 0 | 16 | 32 | 48 | page 2 |"
      " | | | page 3 | | | | page 8 |\n");
  fmt::print("{}|\n", fmt::join(std::vector<const char*>(18, "| --- "), ""));
  for (const auto& [pages, name] :
       {std::pair{probe::Pages::small, "4 KiB"}, {probe::Pages::huge, "2 MiB"}}) {
    const probe::Arena arena(kRegion, pages);
    core.settle();
    const std::vector<double> times = times_of(arena, ticks);
    fmt::print("| {} |", name);
    for (uint64_t part = 0; part < 16; ++part) {
      fmt::print(" {:.0f} |", times[part]);
    }
    fmt::print(" {:.0f} |\n", times[8 * 4]);
  }
}
