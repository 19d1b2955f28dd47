#include "presort/predict/closed_form/hit_ratios/popularity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "presort/core/base/random.h"
#include "presort/core/labels/zipf.h"

namespace presort::inline v0::predict {

namespace {

constexpr int kGroupsPerOctave = 3;
constexpr size_t kSampledUnits = 48;  // units that are sampled among those without a popular bucket
constexpr size_t kOfGroup = 4;        // number of sampled units in a group
constexpr double kSummedBuckets = 64;

double mass(double exponent, double low, double high) {
  return zipf_mass(exponent, static_cast<uint64_t>(low), static_cast<uint64_t>(high), 16);
}

// The end of the group of units that begins with unit `low`: groups are longer the farther they are
// from unit 0.
double group_end(double low, double limit) {
  const double next = std::floor(low * std::exp2(1.0 / kGroupsPerOctave)) + 1;
  return std::min(limit, low < 1 ? 1 : next);
}

// Groups of units (ranges of `per_unit` buckets) for distributions in which the order of labels is
// the order of popularity ranks.
std::vector<Group> contiguous_zipf(double exponent, double m, double per_unit) {
  const double total = mass(exponent, 0, m);
  const double units = std::ceil(m / per_unit);
  std::vector<Group> groups;
  for (double low = 0; low < units;) {
    const double high = group_end(low, units);
    const double share = mass(exponent, low * per_unit, std::min(m, high * per_unit)) / total;
    groups.push_back({high - low, share / (high - low)});
    low = high;
  }
  return groups;
}

// Adds units whose buckets all have popularity rank `first` or more: a unit's rate is the sum of
// the rates of per_unit such buckets, drawn at random.
void add_unpopular(std::vector<Group>& groups, double exponent, double m, double per_unit,
                   double first, double units, double share) {
  if (units <= 0 || first >= m) {
    return;
  }
  if (per_unit > kSummedBuckets) {
    groups.push_back({units, share / units});
    return;
  }
  std::array<double, kSampledUnits> weights;
  for (uint64_t i = 0; i < kSampledUnits; ++i) {
    weights[i] = 0;
    for (uint64_t j = 0; j < static_cast<uint64_t>(per_unit); ++j) {
      const double u = unit_double(random_u64(i + 1, j));
      weights[i] += std::pow(first + u * (m - first) + 1, -exponent);
    }
  }
  // Sampled units of similar popularity form a group.
  std::sort(weights.begin(), weights.end());
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (size_t i = 0; i < kSampledUnits; i += kOfGroup) {
    const double weight = std::accumulate(weights.begin() + i, weights.begin() + i + kOfGroup, 0.0);
    const double count = units * kOfGroup / kSampledUnits;
    groups.push_back({count, share * weight / all / count});
  }
}

// Groups of units for distributions in which a label's popularity rank is random. The most popular
// ranks, an eighth as many as there are units, are hardly ever two in a unit: each is counted with
// the mean of the other buckets in its unit.
std::vector<Group> scattered_zipf(double exponent, double m, double per_unit) {
  const double total = mass(exponent, 0, m);
  const double units = std::max(1.0, m / per_unit);
  const double popular = std::min(std::floor(units / 8), 65536.0);
  const double rest = mass(exponent, popular, m) / total;
  const double neighbours = popular < m ? rest / (m - popular) * (per_unit - 1) : 0;
  std::vector<Group> groups;
  for (double low = 0; low < popular;) {
    const double high = group_end(low, popular);
    const double share = mass(exponent, low, high) / total;
    groups.push_back({high - low, share / (high - low) + neighbours});
    low = high;
  }
  add_unpopular(groups, exponent, m, per_unit, popular, units - popular,
                rest - neighbours * popular);
  return groups;
}

}  // namespace

std::vector<Group> popularity(const Distribution& distribution, double m, double per_unit) {
  const double per = std::min(per_unit, m);
  switch (distribution.kind) {
    case DistributionKind::zipf:
      return scattered_zipf(distribution.parameter, m, per);
    case DistributionKind::zipfContiguous:
      return contiguous_zipf(distribution.parameter, m, per);
    case DistributionKind::degenerate:
      return {{1, 1}};
    default:
      return {{m / per, per / m}};
  }
}

const std::vector<Group>& KnownPopularities::of(double m, double per_unit) {
  const auto [place, fresh] = known_.try_emplace({m, per_unit});
  if (fresh) {
    place->second = popularity(distribution_, m, per_unit);
  }
  return place->second;
}

}  // namespace presort::predict
