// Where the inputs of each part lie after a pre-sort: labels of ordered inputs from any place on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "presort/predict/gpu/labels/label_stream.h"

namespace presort::inline v0::predict {

// Places of ordered inputs by a sample of the labels, evenly spread over the inputs: a part has as
// many inputs as its share of the sample.
class OrderedPlaces {
 public:
  // Requires: `parts` outlives this object and the streams that it gives
  OrderedPlaces(const LabelParts& parts, uint64_t n);

  // Labels from a share of all ordered inputs on. Requires: 0 <= place < 1
  std::function<uint64_t()> from(double place) const;

 private:
  const LabelParts& parts_;
  std::vector<uint64_t> sample_;  // parts of the sampled inputs in ascending order
};

}  // namespace presort::predict
