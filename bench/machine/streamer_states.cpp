// Measures how often the hardware goes on fetching a stream from one 4 KiB page to the next: one
// load a line over 240 MiB in 2 MiB pages, timed page by page. Loads form a chain, with k
// multiplications between a load and the next address, or are independent, with k empty
// instructions behind each. Quick pages and slow ones come in runs: prints the share of quick
// pages, the time of a line in either, and the lengths of the runs.
// usage: streamer_states
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace {

using namespace presort;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLine = 64;
constexpr uint64_t kPages = 60000;
constexpr uint64_t kBytes =
    kPages * kPage / probe::kHugePageBytes * probe::kHugePageBytes + probe::kHugePageBytes;
constexpr size_t kShownLengths = 3;

enum class Loads { chained, free };

// Loads a line of zeros each time: in a chain, the loaded zero is added to the next line's address.
template <Loads kLoads, int kBetween>
void read_page(const char* page) {
  uint64_t value = 0;
  for (uint64_t byte = 0; byte < kPage; byte += kLine) {
    const uint64_t offset = kLoads == Loads::chained ? byte + value : byte;
    value = *reinterpret_cast<const volatile uint64_t*>(page + offset);
    for (int i = 0; i < (kLoads == Loads::chained ? kBetween : 0); ++i) {
      value *= 3;
      probe::keep(value);
    }
    if constexpr (kLoads == Loads::free) {
#pragma GCC unroll 16
      for (int i = 0; i < kBetween / 16; ++i) {
        asm volatile("nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop");
      }
    }
  }
  probe::keep(value);
}

template <Loads kLoads, int kBetween>
double ns_per_line(const char* page) {
  const auto start = probe::SteadyClock::now();
  read_page<kLoads, kBetween>(page);
  return probe::ns_since(start) / static_cast<double>(kPage / kLine);
}

// Runs of pages that are all quick or all slow; a single other page does not end a run.
std::vector<std::pair<bool, uint64_t>> runs_of(const std::vector<bool>& quick) {
  std::vector<std::pair<bool, uint64_t>> runs;
  for (size_t i = 0; i < quick.size();) {
    size_t end = i + 1;
    while (end < quick.size() &&
           (quick[end] == quick[i] || (end + 1 < quick.size() && quick[end + 1] == quick[i]))) {
      ++end;
    }
    runs.emplace_back(quick[i], end - i);
    i = end;
  }
  return runs;
}

std::string most_frequent(const std::vector<std::pair<bool, uint64_t>>& runs, bool quick) {
  std::map<uint64_t, uint64_t> counts;
  uint64_t all = 0;
  for (const auto& [answer, length] : runs) {
    if (answer == quick) {
      ++counts[length];
      ++all;
    }
  }
  std::vector<std::pair<uint64_t, uint64_t>> order;
  for (const auto& [length, count] : counts) {
    order.emplace_back(count, length);
  }
  std::sort(order.rbegin(), order.rend());
  std::string text;
  for (size_t i = 0; i < std::min(kShownLengths, order.size()); ++i) {
    text += fmt::format("{}{} ({} of {})", i == 0 ? "" : ", ", order[i].second, order[i].first,
                        i == 0 ? all : order[i].first);
  }
  return text.empty() ? "none" : text;
}

// Times every page, prints which pages are quick, and the times of quick and of slow pages. A page
// is quick when its ns per line are less than a quarter of the way from the quickest pages' to the
// slowest pages'.
template <Loads kLoads, int kBetween>
void print(const char* data) {
  std::vector<double> core;
  std::vector<double> times;
  for (int i = 0; i < 101; ++i) {
    core.push_back(ns_per_line<kLoads, kBetween>(data));
  }
  for (uint64_t page = 0; page < kPages; ++page) {
    times.push_back(ns_per_line<kLoads, kBetween>(data + page * kPage));
  }
  const double least = quantile(times, 0.01);
  const double limit = least + (quantile(times, 0.97) - least) / 4;
  std::vector<bool> quick;
  double sums[2] = {0, 0};
  uint64_t counts[2] = {0, 0};
  for (const double ns : times) {
    quick.push_back(ns < limit);
    sums[quick.back()] += ns;
    ++counts[quick.back()];
  }
  const auto mean = [&](int which) {
    return counts[which] == 0 ? 0 : sums[which] / static_cast<double>(counts[which]);
  };
  const auto runs = runs_of(quick);
  fmt::print(
      "{} {:>3}: {:4.1f} ns in the L1d, {:4.1f} in the mean; {:4.1f} % of pages quick, {:.1f} "
      "ns, the others {:.1f}; runs of quick pages {}; of slow ones {}\n",
      kLoads == Loads::chained ? "chained" : "   free", kBetween, quantile(core, 0.5),
      (sums[0] + sums[1]) / kPages, 100.0 * static_cast<double>(counts[1]) / kPages, mean(1),
      mean(0), most_frequent(runs, true), most_frequent(runs, false));
}

}  // namespace

int main() {
  const probe::Arena arena(kBytes, probe::Pages::huge);
  probe::QuietCore cores(probe::this_topology().cpus);
  cores.settle();
  const char* const data = arena.data();
  for (uint64_t page = 0; page < kPages; ++page) {
    // All words must be zero, also the word that the arena has written
    arena.data()[page * kPage] = 0;
  }
  print<Loads::chained, 0>(data);
  print<Loads::chained, 1>(data);
  print<Loads::chained, 2>(data);
  print<Loads::chained, 4>(data);
  print<Loads::chained, 8>(data);
  print<Loads::chained, 16>(data);
  print<Loads::chained, 32>(data);
  print<Loads::free, 0>(data);
  print<Loads::free, 16>(data);
  print<Loads::free, 32>(data);
  print<Loads::free, 48>(data);
  print<Loads::free, 64>(data);
  print<Loads::free, 80>(data);
  print<Loads::free, 128>(data);
  print<Loads::free, 256>(data);
}
