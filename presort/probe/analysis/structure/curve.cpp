#include "presort/probe/analysis/structure/curve.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "presort/core/measurement.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kLine = 64;
// Footprint / capacity at which half of a chase's steps miss under random replacement: 2 ln 2; see
// the header
constexpr double kRandomHalfMiss = 1.386;
// Relative uncertainty of a footprint that is interpolated between footprints 1.41 apart
constexpr double kGridWidth = 0.05;
// A transition narrower than this is least-recently-used replacement. Width: footprint with 75 %
// misses / with 25 %; with random replacement 1.6, one step of footprints 1.41
constexpr double kWidestLruTransition = 1.45;

// The footprint at which the share of misses first reaches `fraction`; 0 if it never does.
double footprint_at(const Curve& misses, double fraction) {
  for (size_t i = 0; i < misses.size(); ++i) {
    if (misses[i].ns < fraction) {
      continue;
    }
    const auto here = static_cast<double>(misses[i].bytes);
    if (i == 0) {
      return here;
    }
    const auto before = static_cast<double>(misses[i - 1].bytes);
    const double part = (fraction - misses[i - 1].ns) / (misses[i].ns - misses[i - 1].ns);
    return before * std::pow(here / before, part);
  }
  return 0;
}

}  // namespace

Curve curve_of(const Estimates& estimates, Quantity quantity, Clocking clocking) {
  Curve curve;
  for (const auto& [key, estimate] : estimates) {
    if (key.quantity == quantity && clocking == Clocking::core) {
      curve.push_back({key.at, estimate.core_ns, estimate.core_uncertainty});
    } else if (key.quantity == quantity) {
      curve.push_back({key.at, estimate.value_ns, estimate.uncertainty});
    }
  }
  return curve;
}

double value_at(const Curve& curve, uint64_t bytes) {
  const auto above =
      std::lower_bound(curve.begin(), curve.end(), bytes,
                       [](const CurvePoint& point, uint64_t b) { return point.bytes < b; });
  if (above == curve.end()) {
    return curve.back().ns;
  }
  if (above == curve.begin() || above->bytes == bytes) {
    return above->ns;
  }
  const auto below = above - 1;
  const double part =
      std::log(static_cast<double>(bytes) / static_cast<double>(below->bytes)) /
      std::log(static_cast<double>(above->bytes) / static_cast<double>(below->bytes));
  return below->ns + part * (above->ns - below->ns);
}

double uncertainty_near(const Curve& curve, uint64_t bytes) {
  const auto distance = [bytes](const CurvePoint& point) {
    return std::abs(std::log(static_cast<double>(point.bytes) / static_cast<double>(bytes)));
  };
  return std::min_element(
             curve.begin(), curve.end(),
             [&](const CurvePoint& a, const CurvePoint& b) { return distance(a) < distance(b); })
      ->uncertainty;
}

double plateau(const Curve& curve, uint64_t first_bytes, uint64_t last_bytes) {
  std::vector<double> values;
  for (const CurvePoint& point : curve) {
    if (point.bytes >= first_bytes && point.bytes <= last_bytes) {
      values.push_back(point.ns);
    }
  }
  if (values.empty()) {
    return value_at(curve, first_bytes / 2 + last_bytes / 2);
  }
  return quantile(std::move(values), 0.5);
}

Curve without_spikes(const Curve& curve) {
  Curve result = curve;
  for (size_t i = 1; i + 1 < curve.size(); ++i) {
    result[i].ns = median({curve[i - 1].ns, curve[i].ns, curve[i + 1].ns});
  }
  return result;
}

Curve translation_cost(const Curve& page_chase, const Curve& dense_chase, uint64_t private_bytes) {
  Curve cost;
  for (const CurvePoint& point : page_chase) {
    const uint64_t line_bytes = point.bytes / kPageBytes * kLine;
    if (line_bytes <= private_bytes / 2 && !dense_chase.empty()) {
      const double dense_ns = value_at(dense_chase, line_bytes);
      const double ns = std::max(0.0, point.ns - dense_ns);
      const double width = std::hypot(point.ns * point.uncertainty,
                                      dense_ns * uncertainty_near(dense_chase, line_bytes));
      cost.push_back({point.bytes, ns, ns > 0 ? width / ns : 0});
    }
  }
  return cost;
}

Curve without_translation(const Curve& curve, const Curve& cost) {
  Curve result = curve;
  for (CurvePoint& point : result) {
    if (!cost.empty() && point.bytes >= cost.front().bytes) {
      point.ns -= value_at(cost, point.bytes);
    }
  }
  return result;
}

Capacity estimate_capacity(const Curve& curve, double hit_ns, double memory_ns,
                           uint64_t first_bytes) {
  Curve misses;
  double highest = 0;
  double miss_width = 0;  // largest uncertainty of the share of misses where that is about a half
  for (const CurvePoint& point : curve) {
    if (point.bytes >= first_bytes && memory_ns > hit_ns) {
      highest = std::max(highest, std::min(1.0, (point.ns - hit_ns) / (memory_ns - hit_ns)));
      misses.push_back({point.bytes, highest});
      if (highest > 0.25 && highest < 0.75) {
        miss_width = std::max(miss_width, point.uncertainty * point.ns / (memory_ns - hit_ns));
      }
    }
  }
  const double quarter = footprint_at(misses, 0.25);
  const double half = footprint_at(misses, 0.5);
  const double three_quarters = footprint_at(misses, 0.75);
  if (half == 0) {
    return {};
  }
  const bool sharp = three_quarters > 0 && three_quarters / quarter < kWidestLruTransition;
  const double lower = footprint_at(misses, 0.5 - std::min(0.25, miss_width));
  const double upper = footprint_at(misses, 0.5 + std::min(0.25, miss_width));
  return {.bytes = static_cast<uint64_t>(sharp ? half : half / kRandomHalfMiss),
          .half_miss_bytes = half,
          .uncertainty = std::max(kGridWidth, (std::max(upper, half) - lower) / (2 * half)),
          .policy = sharp ? Replacement::lru : Replacement::random};
}

std::vector<MeasuredLevel> find_levels(const Curve& curve) {
  constexpr double kLeaves = 1.5;
  constexpr double kStillRising = 1.2;
  std::vector<MeasuredLevel> levels;
  for (size_t i = 0; i + 1 < curve.size();) {
    const double level_ns = curve[i].ns;
    size_t end = i;
    while (end + 1 < curve.size() && curve[end + 1].ns < kLeaves * level_ns) {
      ++end;
    }
    if (end + 1 == curve.size()) {
      break;
    }
    levels.push_back({.size_bytes = std::bit_floor(curve[end].bytes), .latency_ns = level_ns});
    i = end + 1;
    while (i + 1 < curve.size() && curve[i + 1].ns > kStillRising * curve[i].ns) {
      ++i;
    }
  }
  return levels;
}

}  // namespace presort::probe
