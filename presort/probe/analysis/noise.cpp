#include "presort/probe/analysis/noise.h"

#include <algorithm>
#include <utility>

#include "presort/core/measurement.h"
#include "presort/probe/analysis/percent.h"
#include "presort/probe/analysis/repeatability.h"

namespace presort::inline v0::probe {
namespace {

constexpr double kMovingClock = 0.03;
constexpr double kNoisyNeighbour = 0.15;

// Spread of the core's cycle over slices that were not preempted (in the others the clock is that
// of a thread that waited).
double spread_of_cycles(const Samples& samples) {
  std::vector<double> cycles;
  for (const auto& [key, slices] : samples) {
    for (const Slice& slice : slices) {
      if (slice.preemptions == 0) {
        cycles.push_back(slice.cycle_ns);
      }
    }
  }
  return cycles.empty() ? 0 : quantile(cycles, 0.95) / quantile(cycles, 0.05) - 1;
}

}  // namespace

Noise noise_of(const Samples& samples, const std::vector<std::vector<ProbeValue>>& passes) {
  Noise noise;
  const double crowding = quiet_crowding(samples);
  for (const auto& [key, slices] : samples) {
    for (const Slice& slice : slices) {
      ++noise.slices;
      noise.quiet += is_quiet(slice, crowding) ? 1 : 0;
      noise.preempted += slice.preemptions > 0 ? 1 : 0;
    }
  }
  noise.clock_spread = spread_of_cycles(samples);
  noise.shared_spread = shared_spread(passes);
  return noise;
}

std::vector<std::string> warnings_of(const Noise& noise) {
  std::vector<std::string> warnings;
  if (2 * noise.quiet < noise.slices) {
    warnings.push_back("the core was busy with something else for most of the time (" +
                       std::to_string(noise.quiet) + " of " + std::to_string(noise.slices) +
                       " slices were quiet): values are less certain");
  }
  if (noise.clock_spread > kMovingClock) {
    warnings.push_back("the core's clock moved by " + percent(noise.clock_spread) +
                       " between slices (turbo, throttling, or a busy sibling)");
  }
  if (noise.shared_spread > kNoisyNeighbour) {
    warnings.push_back(
        "latency or bandwidth of the last cache level or of memory is uncertain by " +
        percent(noise.shared_spread) + " between passes: others seem to use them");
  }
  return warnings;
}

std::vector<std::pair<std::string, std::string>> provenance_of(const Noise& noise, int passes) {
  return {{"passes", std::to_string(passes)},
          {"slices", std::to_string(noise.slices)},
          {"slices.quiet", std::to_string(noise.quiet)},
          {"slices.preempted", std::to_string(noise.preempted)},
          {"clockSpread", percent(noise.clock_spread)}};
}

}  // namespace presort::probe
