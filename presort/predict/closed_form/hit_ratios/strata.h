// Inputs of parts of a partition, by their places in their parts: cold misses are dense at the
// start of a part, so each stratum has its own.
#pragma once

#include <vector>

namespace presort::inline v0::predict {

struct Stratum {
  double middle;  // place in the part
  double weight;  // part of all inputs of all parts
};

// Parts of one size: how many, and the inputs of each.
struct PartSizes {
  double inputs;
  double parts;
};

// Parts of these sizes, cut at 256 inputs and powers of four times that. A part of less than one
// input counts as one.
// Requires: sizes is not empty
std::vector<Stratum> strata_of(const std::vector<PartSizes>& sizes);

}  // namespace presort::predict
