#include "probe/samples.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/measurement.h"
#include "probe/spread.h"

namespace presort::probe {
namespace {

constexpr double kQuietTolerance = 1.1;
constexpr double kQuietQuantile = 0.05;
constexpr double kBestQuantile = 0.1;

double crowding(const Slice& slice) {
  return slice.preemptions > 0 ? INFINITY : std::max(slice.crowding_before, slice.crowding_after);
}

// The slices that count, quietest first; `quiet` is how many of them are quiet.
std::vector<Slice> choose(std::vector<Slice> slices, double quiet_crowding, size_t& quiet) {
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return crowding(a) < crowding(b); });
  const auto first_loud = std::find_if(
      slices.begin(), slices.end(),
      [quiet_crowding](const Slice& slice) { return !is_quiet(slice, quiet_crowding); });
  quiet = static_cast<size_t>(first_loud - slices.begin());
  slices.resize(std::min(slices.size(), std::max<size_t>(quiet, kEnoughQuiet)));
  return slices;
}

double cycle_of(const Slice& slice) {
  return slice.cycle_ns;
}

double cycles_per_add(const Slice& slice) {
  return (slice.crowding_before + slice.crowding_after) / 2;
}

// Every slice, as if it had measured what was seen of the core around it.
std::vector<Slice> seen_around(const Samples& samples, double (*seen)(const Slice&)) {
  std::vector<Slice> all;
  for (const auto& [key, slices] : samples) {
    for (const Slice& slice : slices) {
      all.push_back(slice);
      all.back().value_ns = seen(slice);
    }
  }
  return all;
}

std::vector<Slice> quiet_slices_of_pass(const std::vector<Slice>& slices, int pass,
                                        double quiet_crowding) {
  std::vector<Slice> quiet;
  std::copy_if(slices.begin(), slices.end(), std::back_inserter(quiet), [&](const Slice& slice) {
    return slice.pass == pass && is_quiet(slice, quiet_crowding);
  });
  return quiet;
}

}  // namespace

double quiet_crowding(const Samples& samples) {
  std::vector<double> values;
  for (const auto& [key, slices] : samples) {
    for (const Slice& slice : slices) {
      values.push_back(slice.crowding_before);
      values.push_back(slice.crowding_after);
    }
  }
  return values.empty() ? 0 : quantile(std::move(values), kQuietQuantile);
}

bool is_quiet(const Slice& slice, double quiet_crowding) {
  return crowding(slice) <= kQuietTolerance * quiet_crowding;
}

Estimate estimate(const std::vector<Slice>& slices, double quiet_crowding, double cycle_ns) {
  size_t quiet = 0;
  std::vector<double> values;
  std::vector<double> core_values;
  ValuesByPass by_pass;
  ValuesByPass core_by_pass;
  for (const Slice& slice : choose(slices, quiet_crowding, quiet)) {
    values.push_back(slice.value_ns);
    core_values.push_back(slice.value_ns / slice.cycle_ns * cycle_ns);
    by_pass[slice.pass].push_back(values.back());
    core_by_pass[slice.pass].push_back(core_values.back());
  }
  return {.value_ns = quantile(values, 0.5),
          .uncertainty = relative_uncertainty(by_pass),
          .core_ns = quantile(core_values, 0.5),
          .core_uncertainty = relative_uncertainty(core_by_pass),
          .best_ns = quantile(values, kBestQuantile),
          .slices = static_cast<int>(values.size()),
          .quiet = static_cast<int>(quiet),
          .passes = static_cast<int>(by_pass.size())};
}

Estimates estimate_all(const Samples& samples) {
  const double crowding_when_quiet = quiet_crowding(samples);
  const std::vector<Slice> cycles = seen_around(samples, cycle_of);
  Estimates estimates;
  if (cycles.empty()) {
    return estimates;
  }
  const Estimate cycle = estimate(cycles, crowding_when_quiet, 1);
  estimates[{Quantity::addLatency, 0}] = cycle;
  estimates[{Quantity::independentAdds, 0}] =
      estimate(seen_around(samples, cycles_per_add), crowding_when_quiet, 1);
  for (const auto& [key, slices] : samples) {
    if (!slices.empty()) {
      estimates[key] = estimate(slices, crowding_when_quiet, cycle.value_ns);
    }
  }
  return estimates;
}

int pass_count(const Samples& samples) {
  int count = 0;
  for (const auto& [key, slices] : samples) {
    for (const Slice& slice : slices) {
      count = std::max(count, slice.pass + 1);
    }
  }
  return count;
}

Estimates estimate_pass(const Samples& samples, const Estimates& whole, int pass) {
  const double crowding_when_quiet = quiet_crowding(samples);
  Estimates estimates = whole;
  const auto quiet_of = [&](double (*seen)(const Slice&)) {
    return quiet_slices_of_pass(seen_around(samples, seen), pass, crowding_when_quiet);
  };
  const std::vector<Slice> cycles = quiet_of(cycle_of);
  if (cycles.empty()) {
    return estimates;
  }
  const Estimate cycle = estimate(cycles, crowding_when_quiet, 1);
  estimates[{Quantity::addLatency, 0}] = cycle;
  estimates[{Quantity::independentAdds, 0}] =
      estimate(quiet_of(cycles_per_add), crowding_when_quiet, 1);
  for (const auto& [key, slices] : samples) {
    const auto quiet = quiet_slices_of_pass(slices, pass, crowding_when_quiet);
    if (!quiet.empty()) {
      estimates[key] = estimate(quiet, crowding_when_quiet, cycle.value_ns);
    }
  }
  return estimates;
}

}  // namespace presort::probe
