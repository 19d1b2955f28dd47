// Where the inputs of each part lie after a pre-sort of independent labels whose parts are dear to
// draw from by themselves (zipf, words, rmat): labels are drawn from the whole sequence and dealt
// out to their parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict {

// Labels of ordered inputs from any place on. A part has as many inputs as its share of the first
// draws, which are all labels up to 2^18 inputs.
//   Each label is handed out once, in the order of the inputs, until 2^22 are drawn, or of its part
//   1024 and 4 for each bucket; then those of a part come again from its first on.
class DrawnPlaces {
 public:
  // quick: as many labels of the same distribution, which are drawn from where there are more than
  //        2^18 (quick_labels.h)
  // Requires: labels independent of each other; 1 <= sort_bits <= label_bits(labels->buckets())
  DrawnPlaces(const std::shared_ptr<const LabelSource>& labels, int sort_bits,
              const std::shared_ptr<const LabelSource>& quick);

  // Labels from a share of all ordered inputs on. The streams share what is drawn; none is
  // thread-safe. Requires: 0 <= place < 1
  std::function<uint64_t()> from(double place) const;

 private:
  class Deal;
  std::shared_ptr<Deal> deal_;
};

}  // namespace presort::predict
