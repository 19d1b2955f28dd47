// Measures how long lines stay in the last level while this core only waits: the part of a region
// just read that still comes faster than memory. If a level leaves each core a part of its
// capacity, that part depends on the size of the region and not on the wait. If neighbours push
// lines out, it depends on the wait.
// usage: line_lifetime
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench/random_order.h"
#include "presort/core/base/random.h"
#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace {

using namespace presort;

constexpr uint64_t kLine = 64;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kMiB = probe::kMiB;
constexpr uint64_t kInTheCore =
    4 * kMiB;                       // bytes read last: this core's own caches may still hold them
constexpr uint64_t kSampled = 500;  // number of lines timed in a round: too few to push others out
constexpr int kRounds = 8;
constexpr double kWaitsMs[] = {0.1, 0.3, 1, 3, 10, 30, 100, 300};

double timed_load(const char* place) {
  const auto start = probe::SteadyClock::now();
  static_cast<void>(*static_cast<const volatile char*>(place));
  return probe::ns_since(start);
}

void wait(double ms) {
  for (const auto start = probe::SteadyClock::now(); probe::ns_since(start) < ms * 1e6;) {
  }
}

class Region {
 public:
  explicit Region(uint64_t bytes)
      : arena_(bytes, probe::Pages::huge), order_(bench::random_order(bytes / kLine)) {}

  void read_all() const {
    for (const uint32_t line : order_) {
      static_cast<void>(*static_cast<const volatile char*>(place(line)));
    }
  }

  // Time, ns, to load one line at random that was not among the last to be read; its page was used
  // just before.
  double sample(uint64_t draw) const {
    const uint64_t lines = order_.size() - kInTheCore / kLine;
    const char* const chosen = place(order_[bounded(random_u64(2, draw), lines)]);
    const uint64_t other = bounded(random_u64(3, draw), kPage / kLine) * kLine;
    const auto page = reinterpret_cast<uintptr_t>(chosen) & ~(kPage - 1);
    timed_load(reinterpret_cast<const char*>(page + other));
    return timed_load(chosen);
  }

 private:
  const char* place(uint32_t line) const { return arena_.data() + line * kLine; }

  probe::Arena arena_;
  std::vector<uint32_t> order_;
};

std::vector<double> sample_after(const Region& region, double ms, uint64_t& draws) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    region.read_all();
    region.read_all();
    wait(ms);
    for (uint64_t i = 0; i < kSampled; ++i) {
      times.push_back(region.sample(draws++));
    }
  }
  return times;
}

double part_below(const std::vector<double>& times, double limit_ns) {
  const auto quick =
      std::count_if(times.begin(), times.end(), [limit_ns](double ns) { return ns < limit_ns; });
  return static_cast<double>(quick) / static_cast<double>(times.size());
}

void print_waits(const Region& region, uint64_t mib, double limit_ns, uint64_t& draws) {
  fmt::print("{:>4} MiB", mib);
  for (const double ms : kWaitsMs) {
    fmt::print(" {:6.2f}", part_below(sample_after(region, ms, draws), limit_ns));
  }
  fmt::print("\n");
}

}  // namespace

int main() {
  probe::QuietCore core(probe::this_topology().cpus);
  uint64_t draws = 0;
  double limit_ns = 0;
  fmt::print("part of the lines that are still in a cache after a wait of\n{:>8}", "region");
  for (const double ms : kWaitsMs) {
    fmt::print(" {:>6}", fmt::format("{} ms", ms));
  }
  fmt::print("\n");
  for (const uint64_t mib : {8, 32, 64}) {
    const Region region(mib * kMiB);
    core.settle();
    if (limit_ns == 0) {
      limit_ns = (quantile(sample_after(region, 0.1, draws), 0.5) +
                  quantile(sample_after(region, 1000, draws), 0.5)) /
                 2;
    }
    print_waits(region, mib, limit_ns, draws);
  }
  fmt::print(
      "those that come within {:.0f} ns; without a wait, and how long all are read at random:\n",
      limit_ns);
  for (const uint64_t mib : {16, 32, 48, 64, 72, 80, 88, 96, 104, 112, 128, 160, 192}) {
    const Region region(mib * kMiB);
    core.settle();
    const double part = part_below(sample_after(region, 0, draws), limit_ns);
    const auto start = probe::SteadyClock::now();
    region.read_all();
    fmt::print("{:>4} MiB {:6.2f} {:6.1f} ms\n", mib, part, probe::ns_since(start) / 1e6);
  }
}
