// Independent labels, each equally likely; and the constant label.
// Measured: 0.8 ns per uniform label (machine and command: core/labels/kinds/kinds.h).
#include <algorithm>

#include "presort/core/base/random.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

class UniformLabels : public RangedLabels {
 public:
  UniformLabels(const LabelSequence& sequence, LabelRange range)
      : RangedLabels(sequence, range, scaled(sequence.n, range.width(), sequence.m)),
        seed_(seed_of_range(sequence, range)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const uint64_t low = range().low;
    const uint64_t width = range().width();
    const uint64_t seed = seed_;
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = low + bounded(random_u64(seed, first + i), width);
    }
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return std::make_shared<UniformLabels>(sequence(), range);
  }

  uint64_t seed_;
};

class DegenerateLabels : public RangedLabels {
 public:
  explicit DegenerateLabels(const LabelSequence& sequence, LabelRange range)
      : RangedLabels(sequence, range, sequence.n) {}

  void generate(uint64_t, std::span<uint64_t> out) const override {
    std::ranges::fill(out, sequence().m / 2);
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    const uint64_t label = sequence().m / 2;
    if (label < range.low || label >= range.high) {
      return make_empty_labels(sequence().m);
    }
    return std::make_shared<DegenerateLabels>(sequence(), range);
  }
};

}  // namespace

std::shared_ptr<const LabelSource> make_uniform_labels(const LabelSequence& sequence,
                                                       const Distribution&) {
  return std::make_shared<UniformLabels>(sequence, LabelRange{0, sequence.m});
}

std::shared_ptr<const LabelSource> make_degenerate_labels(const LabelSequence& sequence,
                                                          const Distribution&) {
  return std::make_shared<DegenerateLabels>(sequence, LabelRange{0, sequence.m});
}

}  // namespace presort
