// Tells the caches' sizes and latencies from a latency curve (latency of a random chase over its
// footprint). Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/probe/analysis/samples.h"

namespace presort::inline v0::probe {

struct CurvePoint {
  uint64_t bytes = 0;  // footprint of the pointer chase, bytes
  double ns = 0;
  double uncertainty = 0;  // relative half-width of the latency's 95 % interval
};
using Curve = std::vector<CurvePoint>;  // points of a latency curve, `bytes` ascending

// The clock of a curve's times. wallTime: times as measured. core: cycles converted at the probe's
// median clock, for levels inside the core.
enum class Clocking { wallTime, core };
Curve curve_of(const Estimates& estimates, Quantity quantity,
               Clocking clocking = Clocking::wallTime);

// The latency at a footprint, interpolated between the two nearest footprints, linear in
// log(bytes); the end points beyond the ends. Requires: a curve that is not empty
double value_at(const Curve& curve, uint64_t bytes);

// The uncertainty of a curve's point whose footprint is nearest. Requires: a curve that is not empty
double uncertainty_near(const Curve& curve, uint64_t bytes);

// Median latency of a curve's points in [first_bytes, last_bytes]. If no point lies there, the
// interpolated latency in the middle.
double plateau(const Curve& curve, uint64_t first_bytes, uint64_t last_bytes);

// The curve with each point replaced by the median of itself and its two neighbours (end points
// stay): a single disturbed point goes, an edge stays where it is.
Curve without_spikes(const Curve& curve);

// Time that address translation adds at each footprint: a chase that takes one line of each 4 KiB
// page, less a dense chase of as many lines. Only where these lines take at most half of the
// private caches, so that the difference is translation and nothing else. Ascending; may be empty.
Curve translation_cost(const Curve& page_chase, const Curve& dense_chase, uint64_t private_bytes);

// The curve less the translation cost: nothing is taken off below the cost curve's first footprint,
// and its last value beyond its last one.
Curve without_translation(const Curve& curve, const Curve& cost);

// A cache level's capacity, from the share of a chase's steps that miss the level: miss(s) =
// (latency(s) - hit) / (memory - hit) at footprint s, made to rise.
// A chase visits its lines in turn. With least-recently-used replacement every step misses once the
// footprint exceeds the capacity C. With random replacement a line survives until its next visit
// with probability h = exp(-(1 - h) s / C), so that half of the steps miss at s = 1.386 C, a
// quarter at 1.15 C, three quarters at 1.85 C: the width of the transition tells the policy.
struct Capacity {
  uint64_t bytes = 0;  // effective capacity; 0: misses never reach a half
  double half_miss_bytes = 0;
  // Relative half-width of the 95 % interval of half_miss_bytes, from the latencies' uncertainty
  double uncertainty = 0;
  Replacement policy = Replacement::random;
};
Capacity estimate_capacity(const Curve& curve, double hit_ns, double memory_ns,
                           uint64_t first_bytes);

// Cache levels where the system announces none: a level ends where the latency leaves its plateau
// by half, and the next plateau begins where it stops rising by 20 % per step. The last plateau is
// memory and not returned.
struct MeasuredLevel {
  uint64_t size_bytes = 0;
  double latency_ns = 0;
};
std::vector<MeasuredLevel> find_levels(const Curve& curve);

}  // namespace presort::probe
