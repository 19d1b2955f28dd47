#include "presort/probe/analysis/samples.h"

#include <algorithm>
#include <cmath>

#include "presort/core/measurement.h"
#include "presort/probe/analysis/spread.h"

namespace presort::inline v0::probe {
namespace {

constexpr double kQuietQuantile = 0.05;
constexpr double kBestQuantile = 0.1;

double crowding(const Slice& slice) {
  return slice.preemptions > 0 ? INFINITY : std::max(slice.crowding_before, slice.crowding_after);
}

// Chooses the slices that an estimate uses, quietest first. The first `quiet` of them are quiet.
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

double relative_half_range(const std::vector<double>& values) {
  const double median = quantile(values, 0.5);
  return median > 0 ? (quantile(values, 0.95) - quantile(values, 0.05)) / (2 * median) : 0;
}

double cycle_of(const Slice& slice) {
  return slice.cycle_ns;
}

double cycles_per_add(const Slice& slice) {
  return (slice.crowding_before + slice.crowding_after) / 2;
}

// One slice for each sample, with a property of the core around it (its cycle, or cycles per add)
// as the value.
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

// Separates the quiet slices by the pass that they were taken in.
std::vector<Samples> split_by_pass(const Samples& samples, double quiet_crowding) {
  std::vector<Samples> passes(static_cast<size_t>(pass_count(samples)));
  for (const auto& [key, slices] : samples) {
    for (const Slice& slice : slices) {
      if (is_quiet(slice, quiet_crowding)) {
        passes[static_cast<size_t>(slice.pass)][key].push_back(slice);
      }
    }
  }
  return passes;
}

// Estimates all series of slices; the result is empty without samples.
Estimates estimate_with(const Samples& samples, double quiet_crowding) {
  Estimates estimates;
  const std::vector<Slice> cycles = seen_around(samples, cycle_of);
  if (cycles.empty()) {
    return estimates;
  }
  const Estimate cycle = estimate(cycles, quiet_crowding, 1);
  estimates[{Quantity::addLatency, 0}] = cycle;
  estimates[{Quantity::independentAdds, 0}] =
      estimate(seen_around(samples, cycles_per_add), quiet_crowding, 1);
  for (const auto& [key, slices] : samples) {
    if (!slices.empty()) {
      estimates[key] = estimate(slices, quiet_crowding, cycle.value_ns);
    }
  }
  return estimates;
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
          .half_range = relative_half_range(values),
          .slices = static_cast<int>(values.size()),
          .quiet = static_cast<int>(quiet),
          .passes = static_cast<int>(by_pass.size())};
}

Estimates estimate_all(const Samples& samples) {
  return estimate_with(samples, quiet_crowding(samples));
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

std::vector<Estimates> estimate_passes(const Samples& samples, const Estimates& whole) {
  const double crowding_when_quiet = quiet_crowding(samples);
  std::vector<Estimates> passes;
  for (const Samples& pass : split_by_pass(samples, crowding_when_quiet)) {
    passes.push_back(estimate_with(pass, crowding_when_quiet));
    passes.back().insert(whole.begin(), whole.end());
  }
  return passes;
}

}  // namespace presort::probe
