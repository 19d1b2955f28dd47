// Where a partition pass stands at any input, from a sample of the labels: the positions array that
// replaying all earlier inputs would give, up to sampling error.
#pragma once

#include <cstdint>
#include <vector>

#include "core/labels.h"
#include "cpu/phases/digit.h"

namespace presort::predict {

class DigitState {
 public:
  // Requires: every digit is below `digits`
  DigitState(const LabelSource& labels, const cpu::Digit& digit, uint64_t digits);

  // positions[d] at input `first`: the aligned start of d's part of the output, plus the inputs of
  // digit d before `first`, plus a random part below `alignment` (write buffers are not in step).
  // Starts are multiples of `alignment` elements.
  std::vector<size_t> positions_at(uint64_t first, uint64_t alignment, uint64_t seed) const;

 private:
  uint64_t n_;
  std::vector<uint32_t> sample_;  // digits of labels at equal distances
  std::vector<uint64_t> totals_;  // of the sample, per digit
};

}  // namespace presort::predict
