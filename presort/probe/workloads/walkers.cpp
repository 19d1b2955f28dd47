#include "presort/probe/workloads/walkers.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0::probe {

namespace {

const CurvePoint& fastest(const Curve& chains) {
  return *std::min_element(chains.begin(), chains.end(),
                           [](const CurvePoint& a, const CurvePoint& b) { return a.ns < b.ns; });
}

}  // namespace

std::optional<Found> walk_alone(const Curve& chains, double hit_ns) {
  if (!find_walkers(chains, hit_ns) || chains.front().ns <= hit_ns) {
    return std::nullopt;
  }
  const CurvePoint& one = chains.front();
  const double walk_ns = one.ns - hit_ns;
  return Found{walk_ns, one.uncertainty * one.ns / walk_ns};
}

std::optional<Found> find_walkers(const Curve& chains, double hit_ns) {
  constexpr double kStillGains = 0.9;
  // Time that a page walk must take at least, as a share of the time of a hit, for walkers to be
  // counted
  constexpr double kLeastWalk = 0.5;
  if (chains.size() < 3 || chains.front().bytes != 1) {
    return std::nullopt;
  }
  const CurvePoint& one = chains.front();
  const CurvePoint& most = chains.back();
  const double walk_ns = one.ns - hit_ns;
  const double of_half = value_at(chains, most.bytes / 2);
  const bool is_flat = most.ns >= kStillGains * of_half;
  const bool is_limited = most.ns >= 2 * one.ns / static_cast<double>(most.bytes);
  if (walk_ns < kLeastWalk * hit_ns || !is_flat || !is_limited) {
    return std::nullopt;
  }
  const double saturated_ns = fastest(chains).ns;
  const double walk_width = one.ns * one.uncertainty / walk_ns;
  const double flatness = (most.ns - saturated_ns) / most.ns / 2;
  return Found{walk_ns / saturated_ns,
               std::hypot(std::hypot(walk_width, most.uncertainty), flatness)};
}

}  // namespace presort::probe
