// How many labels are not 0: the share of the values that a compact keeps.
#pragma once

#include <cstdint>

#include "presort/core/labels/distribution.h"

namespace presort::inline v0 {

// Expected share of labels that are not 0. Exact for labels that have each of m values equally
// often; an estimate for skewed ones, whose label 0 may be more or less frequent.
// Requires: m >= 1
inline double kept_share(const Distribution& distribution, uint64_t m) {
  if (distribution.kind == DistributionKind::degenerate) {
    return m > 1 ? 1 : 0;  // all labels are m / 2
  }
  return 1 - 1 / static_cast<double>(m);
}

}  // namespace presort
