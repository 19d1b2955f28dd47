// How often units of buckets (lines, pages, digits of a partition) are touched.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "presort/core/labels/distribution.h"
#include "presort/predict/closed_form/hit_ratios/reuse.h"

namespace presort::inline v0::predict {

// Groups of about equally popular units, of `per_unit` of the m buckets each; the rates of all
// units add up to 1. For distributions in which neighbouring inputs have neighbouring labels, this
// is the popularity over the whole: sequential, sorted and permutation count as uniform.
// Requires: m >= 1, per_unit >= 1
std::vector<Group> popularity(const Distribution& distribution, double m, double per_unit);

// Popularities of one distribution. Each is computed once and kept, since the phases of all plans
// ask for the same few. Not thread-safe.
class KnownPopularities {
 public:
  explicit KnownPopularities(const Distribution& distribution) : distribution_(distribution) {}

  // The groups of units for m buckets, valid as long as this object.
  const std::vector<Group>& of(double m, double per_unit);

 private:
  Distribution distribution_;
  // (m, per_unit) -> groups that were computed for them
  std::map<std::pair<double, double>, std::vector<Group>> known_;
};

}  // namespace presort::predict
