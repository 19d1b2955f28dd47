// Shows which lines the hardware fetches ahead, by the times of single loads of memory: 512 MiB in
// 2 MiB pages, on the quietest core. Each load is timed by itself, so the next begins when it has
// its data.
//   reach       k lines of a page not touched for long are read in order, then a pause: which of
//               the next lines come at once
//   positions   pages are read whole, line after line: time of the line at each place of a page
//   chains      the same lines, each naming the next, not timed one by one
// usage: prefetch_reach
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
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

constexpr uint64_t kBytes = uint64_t{512} << 20;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kLine = 64;
constexpr uint64_t kLinesPerPage = kPage / kLine;
constexpr uint64_t kPages = kBytes / kPage;
constexpr uint64_t kFarthest = 32;
constexpr int kRepeats = 40;
constexpr double kPauseNs = 600;  // pause after which all prefetched lines have arrived

double timed_load(const char* place) {
  const auto start = probe::SteadyClock::now();
  static_cast<void>(*static_cast<const volatile char*>(place));
  return probe::ns_since(start);
}

void pause() {
  for (const auto start = probe::SteadyClock::now(); probe::ns_since(start) < kPauseNs;) {
  }
}

class Pages {
 public:
  Pages() : arena_(kBytes, probe::Pages::huge), order_(bench::random_order(kPages)) {}
  // Takes the next page in a random order of all pages, so that the page was not touched for long.
  char* next_at_random() { return page(order_[turn_++ % kPages]); }
  char* page(uint64_t number) const { return arena_.data() + number % kPages * kPage; }

 private:
  probe::Arena arena_;
  std::vector<uint32_t> order_;
  uint64_t turn_ = 0;
};

std::string ranges(const std::vector<bool>& quick) {
  std::string text;
  for (size_t d = 1; d < quick.size(); ++d) {
    if (quick[d] && !quick[d - 1]) {
      const auto end = std::find(quick.begin() + static_cast<long>(d), quick.end(), false);
      const auto last = static_cast<size_t>(end - quick.begin()) - 1;
      text += (text.empty() ? "" : ", ") +
              (last == d ? fmt::format("{}", d) : fmt::format("{} to {}", d, last));
    }
  }
  return text.empty() ? "none" : text;
}

// Distances from the lines read to the line timed come in mixed order: a prefetcher could learn a
// fixed distance and hide its true reach.
void print_reach(Pages& pages, double half_ns) {
  for (const uint64_t k : {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32}) {
    std::array<std::vector<double>, kFarthest + 1> times;
    for (uint64_t i = 0; i < kRepeats * kFarthest; ++i) {
      const uint64_t d = 1 + bounded(random_u64(k, i), kFarthest);
      char* const page = pages.next_at_random();
      for (uint64_t line = 0; line < k; ++line) {
        timed_load(page + line * kLine);
      }
      pause();
      times[d].push_back(timed_load(page + (k - 1 + d) * kLine));
    }
    std::vector<bool> quick(kFarthest + 2, false);
    for (uint64_t d = 1; d <= kFarthest && k - 1 + d < kLinesPerPage; ++d) {
      quick[d] = quantile(times[d], 0.5) < half_ns;
    }
    fmt::print("  after {:2} lines: {}\n", k, ranges(quick));
  }
}

void print_positions(Pages& pages, bool in_order, double overhead_ns) {
  constexpr uint64_t kVisits = 600;
  std::array<std::vector<double>, kLinesPerPage> times;
  for (uint64_t visit = 0; visit < kVisits; ++visit) {
    char* const page = in_order ? pages.page(visit) : pages.next_at_random();
    for (uint64_t line = 0; line < kLinesPerPage; ++line) {
      times[line].push_back(timed_load(page + line * kLine) - overhead_ns);
    }
  }
  fmt::print("pages read whole, {}: median ns of lines 1 to 12:",
             in_order ? "in order" : "at random");
  for (uint64_t line = 0; line < 12; ++line) {
    fmt::print(" {:.0f}", quantile(times[line], 0.5));
  }
  fmt::print("\n");
}

double chain_ns(Pages& pages, uint64_t step) {
  constexpr uint64_t kNodes = 1 << 15;
  std::vector<double> rounds;
  for (uint64_t round = 0; round < 7; ++round) {
    char* const first = pages.page(round * kNodes * step / kLinesPerPage);
    const uint64_t nodes =
        std::min(kNodes, (kBytes - static_cast<uint64_t>(first - pages.page(0))) / (step * kLine));
    for (uint64_t i = 0; i < nodes; ++i) {
      *reinterpret_cast<char**>(first + i * step * kLine) = first + (i + 1) * step * kLine;
    }
    *reinterpret_cast<char**>(first + (nodes - 1) * step * kLine) = nullptr;
    for (uint64_t i = 0; i < kPages / 4; ++i) {  // pages read in between: 128 MiB of other pages
      char* const other = pages.page(kPages / 2 + round * 977 + i);
      for (uint64_t line = 0; line < kLinesPerPage; ++line) {
        static_cast<void>(*static_cast<volatile char*>(other + line * kLine));
      }
    }
    const auto start = probe::SteadyClock::now();
    for (char* at = first; at != nullptr;) {
      at = *reinterpret_cast<char* volatile*>(at);
    }
    rounds.push_back(probe::ns_since(start) / static_cast<double>(nodes));
  }
  return quantile(std::move(rounds), 0.5);
}

}  // namespace

int main() {
  Pages pages;
  for (uint64_t i = 0; i < kPages; ++i) {
    *pages.page(i) = 1;
  }
  probe::QuietCore core(probe::this_topology().cpus);
  core.settle();
  std::vector<double> cached;
  std::vector<double> memory;
  for (int i = 0; i < 1001; ++i) {
    cached.push_back(timed_load(pages.page(0)));
    char* const page = pages.next_at_random();
    timed_load(page);  // touches the page first, so that its translation is in the TLB
    memory.push_back(timed_load(page + kPage / 2));
  }
  const double overhead = quantile(cached, 0.5);
  const double far = quantile(memory, 0.5) - overhead;
  fmt::print("a line at random: {:.0f} ns\nlines that come within half of that:\n", far);
  print_reach(pages, overhead + far / 2);
  print_positions(pages, true, overhead);
  print_positions(pages, false, overhead);
  for (const uint64_t step : {1, 2, 4}) {
    fmt::print("a chain of lines, {} apart: {:.1f} ns a node\n", step, chain_ns(pages, step));
  }
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
