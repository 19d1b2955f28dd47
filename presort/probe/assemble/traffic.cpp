// Reports how much longer stores take than loads, and streams beside random loads than alone: for
// readers and for fits. No key of the machine file takes these values.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "presort/probe/assemble/draft.h"

namespace presort::inline v0::probe {
namespace {

// Bytes of a cache level that this core can use; of the last level, what neighbours leave.
uint64_t effective_bytes(const Known& known, size_t level) {
  const bool is_last = level + 1 == known.findings.levels.size();
  const uint64_t announced = known.findings.levels[level].cache.size_bytes;
  const uint64_t found = known.findings.last_capacity.bytes;
  return is_last && found > 0 ? std::min(found, announced) : announced;
}

std::string name_of(const Draft& draft, size_t level) {
  return draft.machine().caches[level].name;
}

// The cache level that evicts dirty lines when `footprint` bytes are updated at random: the largest
// level that is smaller. Empty when none is.
std::optional<size_t> level_left(const Known& known, uint64_t footprint_bytes) {
  std::optional<size_t> level;
  for (size_t i = 0; i < known.findings.levels.size(); ++i) {
    if (effective_bytes(known, i) < footprint_bytes) {
      level = i;
    }
  }
  return level;
}

// Time of an update less that of a load. Both share neighbours and clock within a pass, so from
// three passes on the difference is as uncertain as it varies between passes (repeatability.h),
// which is less than if the two were independent; with fewer passes they are taken as independent.
Found paired_difference(const CurvePoint& update, const Estimate& load) {
  constexpr int kEnoughPasses = 3;
  const double cost_ns = update.ns - load.value_ns;
  const double width = std::hypot(update.ns * update.uncertainty, load.value_ns * load.uncertainty);
  return {cost_ns, load.passes >= kEnoughPasses ? 0 : width / std::max(1e-3, std::abs(cost_ns))};
}

// Reports the time of a dirty eviction for each cache level: random updates less random loads, ns
// per access, in the smallest footprint that the level is too small for; for the last level in
// kReferenceFootprint. Not cut off at 0 here (floor_evictions does so last): where stores are
// hidden, the result is 0 give or take the noise.
void report_dirty_evictions(Draft& draft, const Known& known) {
  std::map<size_t, Found> of_level;
  const Curve updates = curve_of(known.estimates, Quantity::randomUpdates);
  for (const CurvePoint& update : updates) {
    const auto load = known.estimates.find({Quantity::randomLoads, update.bytes});
    const auto level = level_left(known, update.bytes);
    if (load == known.estimates.end() || !level) {
      continue;
    }
    const bool is_last = *level + 1 == known.findings.levels.size();
    if (is_last && update.bytes != kReferenceFootprint) {
      continue;
    }
    of_level.emplace(*level, paired_difference(update, load->second));
  }
  for (const auto& [level, cost] : of_level) {
    draft.report_value("cpu.caches." + name_of(draft, level) + ".dirtyEviction", cost, "ns");
  }
}

// Name of the cache level that holds a footprint, or "memory".
std::string holder(const Draft& draft, const Known& known, uint64_t footprint_bytes) {
  for (size_t i = 0; i < known.findings.levels.size(); ++i) {
    if (footprint_bytes <= effective_bytes(known, i)) {
      return name_of(draft, i);
    }
  }
  return "memory";
}

void report_mixed_streams(Draft& draft, const Known& known) {
  const std::string prefix = "memory.streamUnderRandom.";
  const auto report = [&](const std::string& key, const Estimate& estimate) {
    draft.report_value(prefix + key, estimate.value_ns, "ns", estimate.uncertainty);
  };
  // Key: level that holds a footprint; value: the largest such footprint, bytes
  std::map<std::string, uint64_t> footprints;
  for (const CurvePoint& point : curve_of(known.estimates, Quantity::mixedStreams)) {
    footprints[holder(draft, known, point.bytes)] = point.bytes;
  }
  for (const auto& [name, bytes] : footprints) {
    report(name, known.estimates.at({Quantity::mixedStreams, bytes}));
    report(name + ".randomAlone", known.estimates.at({Quantity::randomAlone, bytes}));
  }
  if (const auto alone = known.estimates.find({Quantity::streamsAlone, 0});
      alone != known.estimates.end()) {
    report("streamsAlone", alone->second);
  }
}

}  // namespace

void report_traffic(Draft& draft, const Known& known) {
  report_dirty_evictions(draft, known);
  report_mixed_streams(draft, known);
}

}  // namespace presort::probe
