// Divides the inputs of parts of a partition into strata by their places in their parts: cold
// misses are denser at the start of a part.
#pragma once

#include <vector>

namespace presort::inline v0::predict {

struct Stratum {
  double middle;  // place of the stratum's middle in its part, 0 to 1
  double weight;  // the stratum's share of all inputs
};

// The size and the number of parts with equally many inputs.
struct PartSizes {
  double inputs;
  double parts;
};

// The strata of parts of given sizes, cut at 256 inputs and at 256 times powers of four. A part of
// less than one input counts as one input.
// Requires: sizes is not empty
std::vector<Stratum> strata_of(const std::vector<PartSizes>& sizes);

}  // namespace presort::predict
