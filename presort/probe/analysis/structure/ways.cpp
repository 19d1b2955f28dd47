#include "presort/probe/analysis/structure/ways.h"

namespace presort::inline v0::probe {

std::optional<uint64_t> find_ways(const Curve& set_chase, double hit_ns, double miss_ns) {
  constexpr double kLeaves = 0.2;
  constexpr double kReaches = 0.5;
  if (set_chase.empty() || miss_ns <= hit_ns) {
    return std::nullopt;
  }
  const Curve smooth = without_spikes(set_chase);
  const auto missing = [&](const CurvePoint& point) {
    return (point.ns - hit_ns) / (miss_ns - hit_ns);
  };
  if (missing(smooth.front()) >= kLeaves || missing(smooth.back()) < kReaches) {
    return std::nullopt;
  }
  uint64_t held = smooth.front().bytes;
  for (const CurvePoint& point : smooth) {
    if (missing(point) >= kLeaves) {
      break;
    }
    held = point.bytes;
  }
  return held;
}

}  // namespace presort::probe
