// Times single loads of memory, and counts how many of them a core has under way, for loops with
// different instructions around the loads: 256 MiB in 2 MiB pages, each line once, on the quietest
// core.
// usage: misses_at_a_time
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bench/random_order.h"
#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace {

using namespace presort;

constexpr uint64_t kBytes = uint64_t{256} << 20;
constexpr uint64_t kLine = 64;
constexpr uint64_t kLines = kBytes / kLine;
// Number of loads in a round, so few that the list of their line numbers fits in the L2
constexpr uint32_t kAccesses = 1 << 15;
constexpr int kRounds = 9;

template <class T>
void touch(const T& place) {
  static_cast<void>(*static_cast<const volatile T*>(&place));
}

class Lines {
 public:
  Lines() : arena_(kBytes, probe::Pages::huge), order_(bench::random_order(kLines)) {
    for (uint64_t i = 0; i < kLines; ++i) {
      *link(order_[i]) = reinterpret_cast<char*>(link(order_[(i + 1) % kLines]));
    }
  }

  char* data() const { return arena_.data(); }
  char* first() const { return data() + order_[0] * kLine; }

  // Numbers of the lines that a round loads. No round has used these lines for long; the list of
  // numbers itself is in the caches.
  const uint32_t* fresh() {
    at_ = at_ + 2 * kAccesses <= kLines ? at_ : 0;
    const uint32_t* chosen = order_.data() + at_;
    at_ += kAccesses;
    for (uint32_t i = 0; i < kAccesses; ++i) {
      touch(chosen[i]);
    }
    return chosen;
  }

 private:
  char** link(uint64_t line) const { return reinterpret_cast<char**>(data() + line * kLine); }

  probe::Arena arena_;
  std::vector<uint32_t> order_;
  uint64_t at_ = 0;
};

// Times, ns, of kAccesses single loads, one after the other, less the time of reading the clock.
std::vector<double> single_loads(const Lines& lines, char*& at) {
  const auto timed = [](auto&& load) {
    const auto start = probe::SteadyClock::now();
    load();
    return probe::ns_since(start);
  };
  std::vector<double> clock;
  std::vector<double> loads;
  for (uint32_t i = 0; i < kAccesses; ++i) {
    clock.push_back(timed([&] { touch(*lines.data()); }));
    loads.push_back(timed([&] {
      at = *reinterpret_cast<char* volatile*>(at);
      probe::keep(at);
    }));
  }
  const double overhead = quantile(std::move(clock), 0.5);
  for (double& ns : loads) {
    ns -= overhead;
  }
  // Leaves out loads that took ten times the usual time: the program was interrupted.
  std::erase_if(loads, [most = 10 * quantile(loads, 0.5)](double ns) { return ns > most; });
  return loads;
}

struct Way {
  std::string name;
  std::function<void(const uint32_t*)> run;  // a round: makes kAccesses accesses
};

// Number of the line that access i loads, computed instead of read from memory.
uint64_t computed(uint64_t i) {
  uint64_t word = i * 0x9e3779b97f4a7c15ULL;
  word ^= word >> 32;
  return (word * 0xbf58476d1ce4e5b9ULL >> 32) & (kLines - 1);
}

template <int kLoads, bool kSum>
void read_in_order(const char* from) {
  uint64_t sum = 0;
  for (uint64_t line = 0; line < kAccesses; ++line) {
    for (int k = 0; k < kLoads; ++k) {
      uint64_t word =
          *reinterpret_cast<const volatile uint64_t*>(from + line * kLine + k * (kLine / kLoads));
      sum += kSum ? word : 0;
    }
  }
  probe::keep(sum);
}

std::vector<Way> ways_of(Lines& lines, uint64_t& turn) {
  char* const data = lines.data();
  const auto indexed = [data](auto&& access) {
    return [data, access](const uint32_t* chosen) {
      for (uint32_t i = 0; i < kAccesses; ++i) {
        access(data + chosen[i] * kLine);
      }
    };
  };
  const auto by_computing = [data, &turn](auto&& access) {
    return [data, access, &turn](const uint32_t*) {
      const uint64_t first = turn += kAccesses;
      for (uint64_t i = first; i < first + kAccesses; ++i) {
        access(data + computed(i) * kLine);
      }
    };
  };
  const auto in_order = [data, &turn](auto read) {
    return [data, read, &turn](const uint32_t*) {
      turn += kAccesses;
      read(data + turn % (kLines - kAccesses) * kLine);
    };
  };
  const auto prefetch = [](char* place) { __builtin_prefetch(place); };
  const auto load = [](char* place) { touch(*reinterpret_cast<uint64_t*>(place)); };
  const auto update = [](char* place) {
    auto& word = *reinterpret_cast<volatile uint64_t*>(place + sizeof(char*));
    word = word + 1;
  };
  return {{"prefetches, lines read from a list", indexed(prefetch)},
          {"prefetches, lines computed", by_computing(prefetch)},
          {"loads, lines read from a list", indexed(load)},
          {"updates, lines read from a list", indexed(update)},
          {"loads, lines computed", by_computing(load)},
          {"updates, lines computed", by_computing(update)},
          {"lines in order, one load each", in_order(read_in_order<1, true>)},
          {"lines in order, two loads", in_order(read_in_order<2, true>)},
          {"lines in order, eight loads", in_order(read_in_order<8, true>)}};
}

}  // namespace

int main() {
  Lines lines;
  probe::QuietCore core(probe::this_topology().cpus);
  core.settle();
  char* at = lines.first();
  std::vector<double> loads;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<double> some = single_loads(lines, at);
    loads.insert(loads.end(), some.begin(), some.end());
  }
  const double mean =
      std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size());
  fmt::print("single loads: mean {:.0f} ns\n", mean);
  for (const double part : {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999}) {
    fmt::print("  {:4.1f} % below {:.0f} ns\n", 100 * part, quantile(loads, part));
  }
  uint64_t turn = 0;
  for (const Way& way : ways_of(lines, turn)) {
    core.settle();
    std::vector<double> rounds;
    for (int round = 0; round < kRounds; ++round) {
      const uint32_t* const chosen = lines.fresh();
      const auto start = probe::SteadyClock::now();
      way.run(chosen);
      rounds.push_back(probe::ns_since(start) / kAccesses);
    }
    const double ns = quantile(std::move(rounds), 0.5);
    fmt::print("{:36} {:6.2f} ns, {:4.1f} at a time\n", way.name, ns, mean / ns);
  }
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
