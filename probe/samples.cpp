#include "probe/samples.h"

#include <algorithm>
#include <cmath>

#include "core/measurement.h"

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

double relative_half_width(const std::vector<double>& values) {
  const double median = quantile(values, 0.5);
  return median > 0 ? (quantile(values, 0.75) - quantile(values, 0.25)) / (2 * median) : 0;
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
  for (const Slice& slice : choose(slices, quiet_crowding, quiet)) {
    values.push_back(slice.value_ns);
    core_values.push_back(slice.value_ns / slice.cycle_ns * cycle_ns);
  }
  return {.value_ns = quantile(values, 0.5),
          .uncertainty = relative_half_width(values),
          .core_ns = quantile(core_values, 0.5),
          .core_uncertainty = relative_half_width(core_values),
          .best_ns = quantile(values, kBestQuantile),
          .slices = static_cast<int>(values.size()),
          .quiet = static_cast<int>(quiet)};
}

Estimates estimate_all(const Samples& samples) {
  const double crowding_when_quiet = quiet_crowding(samples);
  std::vector<Slice> cycles;
  for (const auto& [key, slices] : samples) {
    for (const Slice& slice : slices) {
      cycles.push_back(slice);
      cycles.back().value_ns = slice.cycle_ns;
    }
  }
  Estimates estimates;
  if (cycles.empty()) {
    return estimates;
  }
  const Estimate cycle = estimate(cycles, crowding_when_quiet, 1);
  estimates[{Quantity::addLatency, 0}] = cycle;
  for (const auto& [key, slices] : samples) {
    if (!slices.empty()) {
      estimates[key] = estimate(slices, crowding_when_quiet, cycle.value_ns);
    }
  }
  return estimates;
}

}  // namespace presort::probe
