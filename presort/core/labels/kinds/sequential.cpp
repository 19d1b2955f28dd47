// The sequential distribution: label i of n is ⌊i · m / n⌋.
#include "presort/core/labels/kinds/kinds.h"

#include "presort/core/base/wide.h"

namespace presort::inline v0 {

uint64_t first_index(const LabelSequence& sequence, uint64_t label) {
  const Wide numerator = static_cast<Wide>(label) * sequence.n + (sequence.m - 1);
  return static_cast<uint64_t>(numerator / sequence.m);
}

// Steps from label to label by adding m / n with its remainder, instead of a 128-bit division for
// each.
void generate_in_proportion(const LabelSequence& sequence, uint64_t first,
                            std::span<uint64_t> out) {
  const uint64_t n = sequence.n;
  const Wide position = static_cast<Wide>(first) * sequence.m;
  const uint64_t step = sequence.m / n;
  const uint64_t step_remainder = sequence.m % n;
  uint64_t label = static_cast<uint64_t>(position / n);
  uint64_t remainder = static_cast<uint64_t>(position % n);
  for (uint64_t& slot : out) {
    slot = label;
    const bool carry = remainder >= n - step_remainder;
    label += step + (carry ? 1 : 0);
    remainder = carry ? remainder - (n - step_remainder) : remainder + step_remainder;
  }
}

namespace {

class SequentialLabels : public RangedLabels {
 public:
  SequentialLabels(const LabelSequence& sequence, LabelRange range)
      : RangedLabels(sequence, range,
                     first_index(sequence, range.high) - first_index(sequence, range.low)),
        offset_(first_index(sequence, range.low)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    generate_in_proportion(sequence(), offset_ + first, out);
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return std::make_shared<SequentialLabels>(sequence(), range);
  }

  uint64_t offset_;
};

}  // namespace

std::shared_ptr<const LabelSource> make_sequential_labels(const LabelSequence& sequence,
                                                          const Distribution&) {
  return std::make_shared<SequentialLabels>(sequence, LabelRange{0, sequence.m});
}

}  // namespace presort
