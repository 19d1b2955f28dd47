// How often units of buckets (lines, pages, digits of a partition) are touched.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "presort/core/labels/distribution.h"
#include "presort/predict/closed_form/hit_ratios/reuse.h"

namespace presort::inline v0::predict {

// Groups of about equally popular units of `per_unit` buckets each, out of m buckets; the rates of
// all units add up to 1. For distributions in which neighbouring inputs have neighbouring labels,
// popularity is taken over the whole input: sequential, sorted and permutation count as uniform.
// Requires: m >= 1, per_unit >= 1
std::vector<Group> popularity(const Distribution& distribution, double m, double per_unit);

// Popularities of the units of one distribution. Each is computed once and kept, since the phases
// of all plans ask for the same few. Not thread-safe.
class KnownPopularities {
 public:
  explicit KnownPopularities(const Distribution& distribution) : distribution_(distribution) {}

  // The groups of units of `per_unit` of m buckets; the reference stays valid as long as this
  // object lives.
  const std::vector<Group>& of(double m, double per_unit);

 private:
  Distribution distribution_;
  // (m, per_unit) -> the groups of units computed for them
  std::map<std::pair<double, double>, std::vector<Group>> known_;
};

}  // namespace presort::predict
