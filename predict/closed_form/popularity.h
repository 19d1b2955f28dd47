// How often units of the buckets (lines, pages, digits of a partition) are asked for.
#pragma once

#include <vector>

#include "core/distribution.h"
#include "predict/closed_form/reuse.h"

namespace presort::predict {

// The units of m buckets, `per_unit` of them in each, as groups of about equal popularity; the
// rates of all units add up to 1. Of distributions in which neighbouring inputs have neighbouring
// labels the popularity over the whole: sequential, sorted and permutation are uniform then.
// Requires: m >= 1, per_unit >= 1
std::vector<Group> popularity(const Distribution& distribution, double m, double per_unit);

}  // namespace presort::predict
