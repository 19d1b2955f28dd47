// Labels ⌊i · m / n⌋ in ascending order, with strays: each input is a stray with probability P, and
// then has any label, equally likely.
#include <algorithm>

#include "presort/core/base/random.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

class StrayLabels : public RangedLabels {
 public:
  StrayLabels(const LabelSequence& sequence, double share)
      : RangedLabels(sequence, {0, sequence.m}, sequence.n),
        share_(share),
        stray_seed_(random_u64(sequence.seed, 0)),
        label_seed_(random_u64(sequence.seed, 1)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    generate_in_proportion(sequence(), first, out);
    for (size_t i = 0; i < out.size(); ++i) {
      if (unit_double(random_u64(stray_seed_, first + i)) < share_) {
        out[i] = bounded(random_u64(label_seed_, first + i), sequence().m);
      }
    }
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override;

  double share_;
  uint64_t stray_seed_;
  uint64_t label_seed_;
};

// The labels of a range, drawn anew: first strays, then the inputs whose labels in order lie in the
// range (own inputs) mixed with strays, then strays again.
class StrayRange : public RangedLabels {
 public:
  StrayRange(const LabelSequence& sequence, LabelRange range, double share)
      : StrayRange(sequence, range, share, spans_of(sequence, range, share)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = label_of(first + i);
    }
  }

 private:
  struct Spans {
    // Index in the whole sequence of the first input whose label in order lies in the range
    uint64_t first;
    uint64_t own;  // number of own inputs: those whose labels in order lie in the range
    // Labels that are strays before the own inputs, labels between, strays after them
    uint64_t before;
    uint64_t among;
    uint64_t after;
    // Share of strays among the labels between the first and the last own input
    double stray_share;
  };

  static Spans spans_of(const LabelSequence& sequence, LabelRange range, double share) {
    const double hit = share * static_cast<double>(range.width()) / static_cast<double>(sequence.m);
    const auto part = [](uint64_t inputs, double of) {
      return static_cast<uint64_t>(static_cast<double>(inputs) * of + 0.5);
    };
    Spans spans{};
    spans.first = first_index(sequence, range.low);
    spans.own = first_index(sequence, range.high) - spans.first;
    spans.before = part(spans.first, hit);
    spans.among = part(spans.own, 1 - share + hit);
    spans.after = part(sequence.n - spans.first - spans.own, hit);
    spans.stray_share = hit / (1 - share + hit);
    return spans;
  }

  StrayRange(const LabelSequence& sequence, LabelRange range, double share, const Spans& spans)
      : RangedLabels(sequence, range, spans.before + spans.among + spans.after),
        share_(share),
        spans_(spans),
        stray_seed_(random_u64(seed_of_range(sequence, range), 0)),
        label_seed_(random_u64(seed_of_range(sequence, range), 1)) {}

  uint64_t label_of(uint64_t index) const {
    const bool own = index >= spans_.before && index - spans_.before < spans_.among;
    if (!own || unit_double(random_u64(stray_seed_, index)) < spans_.stray_share) {
      return range().low + bounded(random_u64(label_seed_, index), range().width());
    }
    const uint64_t at = spans_.first + scaled(spans_.own, index - spans_.before, spans_.among);
    uint64_t label = 0;
    generate_in_proportion(sequence(), std::min(at, sequence().n - 1), {&label, 1});
    return std::clamp(label, range().low, range().high - 1);
  }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return std::make_shared<StrayRange>(sequence(), range, share_);
  }

  double share_;
  Spans spans_;
  uint64_t stray_seed_;
  uint64_t label_seed_;
};

std::shared_ptr<const LabelSource> StrayLabels::narrowed(LabelRange range) const {
  return std::make_shared<StrayRange>(sequence(), range, share_);
}

}  // namespace

std::shared_ptr<const LabelSource> make_stray_labels(const LabelSequence& sequence,
                                                     const Distribution& distribution) {
  return std::make_shared<StrayLabels>(sequence, distribution.parameter);
}

}  // namespace presort
