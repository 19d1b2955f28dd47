#include "presort/probe/host/counter_check.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "presort/core/measurement.h"

namespace presort::inline v0::probe {
namespace {

// Footprint of the smallest pointer chase, bytes: inside L1d
constexpr uint64_t kSmallest = uint64_t{16} << 10;
constexpr double kWholeHuge = 0.99;

// Counted cycles / cycles that the slice should have by the clock from timed register adds.
double counted_over_told_cycles(const Slice& slice) {
  return slice.counts[static_cast<size_t>(Event::cycles)] / (slice.value_ns / slice.cycle_ns);
}

template <Event kEvent>
double count_of(const Slice& slice) {
  return slice.counts[static_cast<size_t>(kEvent)];
}

struct Expectation {
  SeriesKey series;
  double (*counted)(const Slice&);
  double least;
  double most;
  const char* what;
  const char* doubtful;
  bool needs_huge_pages = false;
};

constexpr double kAny = INFINITY;
const Expectation kExpectations[] = {
    {{Quantity::chaseHuge, kSmallest},
     counted_over_told_cycles,
     0.95,
     1.05,
     "counted cycles over those by register adds",
     "cpu.clock"},
    {{Quantity::chaseHuge, kSmallest},
     count_of<Event::firstMisses>,
     -kAny,
     0.05,
     "firstLevelMisses a step of a chase through 16 KiB",
     "cpu.caches.L1d.latency"},
    {{Quantity::uncachedChase, 0},
     count_of<Event::lastMisses>,
     0.9,
     kAny,
     "lastLevelMisses a step of a chase over flushed lines",
     "memory.latency"},
    {{Quantity::chaseSmall, kReferenceFootprint},
     count_of<Event::addressWalks>,
     0.8,
     kAny,
     "addressWalks a step of a chase through 256 MiB of 4 KiB pages",
     "cpu.walk"},
    {{Quantity::chaseHuge, uint64_t{64} << 20},
     count_of<Event::addressWalks>,
     -kAny,
     0.1,
     "addressWalks a step of a chase through 64 MiB of 2 MiB pages",
     "cpu.tlb",
     true},
};

std::string two_places(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 2).ptr;
  return {text, end};
}

std::vector<double> counted_in(const Samples& samples, const Expectation& expectation) {
  std::vector<double> values;
  const auto series = samples.find(expectation.series);
  if (series != samples.end()) {
    for (const Slice& slice : series->second) {
      const double counted = expectation.counted(slice);
      if (counted >= 0) {
        values.push_back(counted);
      }
    }
  }
  return values;
}

}  // namespace

std::vector<CounterCheck> check_counters(const Samples& samples, double huge_fraction) {
  std::vector<CounterCheck> checks;
  for (const Expectation& expectation : kExpectations) {
    std::vector<double> values = counted_in(samples, expectation);
    if (values.empty() || (expectation.needs_huge_pages && huge_fraction < kWholeHuge)) {
      continue;
    }
    checks.push_back({.what = expectation.what,
                      .counted = quantile(std::move(values), 0.5),
                      .least = expectation.least,
                      .most = expectation.most,
                      .doubtful = expectation.doubtful});
  }
  return checks;
}

std::vector<std::string> warnings_of(const std::vector<CounterCheck>& checks) {
  std::vector<std::string> warnings;
  for (const CounterCheck& check : checks) {
    if (!check.holds()) {
      const bool too_few = check.counted < check.least;
      warnings.push_back("hardware counters disagree: " + two_places(check.counted) + " " +
                         check.what + ", expected at " + (too_few ? "least " : "most ") +
                         two_places(too_few ? check.least : check.most) + "; " + check.doubtful +
                         " is in doubt");
    }
  }
  return warnings;
}

std::string summary_of(const std::vector<CounterCheck>& checks) {
  if (checks.empty()) {
    return "none";
  }
  const auto agree = std::count_if(checks.begin(), checks.end(),
                                   [](const CounterCheck& check) { return check.holds(); });
  return std::to_string(agree) + " of " + std::to_string(checks.size()) + " agree";
}

}  // namespace presort::probe
