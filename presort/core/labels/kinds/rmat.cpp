// Destinations of the edges of an R-MAT graph whose edges come in random order. Each bit of an edge's
// source and destination is drawn with the quadrant probabilities A, B, C and D = 1 - A - B - C
// (source and destination bit 00, 01, 10, 11). So the bits of a destination are independent, and
// each is 1 with probability B + D, whatever the source is. Destinations of m and more, where m is no
// power of two, are drawn again. Vertices keep their numbers: popular ones stand near 0.
// Source: Chakrabarti, Zhan & Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004.
#include <algorithm>
#include <bit>
#include <cmath>

#include "presort/core/base/random.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

// The distribution of labels whose `bits` bits are independent and 0 with probability `zero`;
// labels correspond to points of [0, 1) in ascending order.
class BitDistribution {
 public:
  BitDistribution(int bits, double zero) : bits_(bits), zero_(zero) {}

  int bits() const { return bits_; }

  // Probability of a label below `label`. Requires: label <= 2^bits
  double below(uint64_t label) const {
    double sum = 0;
    double block = 1;  // probability of the labels that share the bits looked at so far
    for (int bit = bits_; bit-- > 0;) {
      const bool one = label >> bit & 1;
      sum += one ? block * zero_ : 0;
      block *= one ? 1 - zero_ : zero_;
    }
    return label >> bits_ ? 1 : sum;
  }

  // The label at a point of [0, 1). The 53 random bits of a draw suffice: a label uses its entropy,
  // at most one for each of its bits.
  uint64_t at(double point) const {
    uint64_t label = 0;
    for (int bit = 0; bit < bits_; ++bit) {
      const bool one = point >= zero_;
      point = one ? (point - zero_) * of_one_ : point * of_zero_;
      label = 2 * label + (one ? 1 : 0);
    }
    return label;
  }

 private:
  int bits_;
  double zero_;
  double of_zero_ = 1 / zero_;
  double of_one_ = 1 / (1 - zero_);
};

// Number of low bits that labels of a range may differ in: the range lies in an aligned block of
// 2^bits labels.
int free_bits(LabelRange range) {
  return static_cast<int>(std::bit_width(range.low ^ (range.high - 1)));
}

uint64_t block_start(LabelRange range) {
  const int bits = free_bits(range);
  return bits == 64 ? 0 : range.low >> bits << bits;
}

// Probability of the labels of a range among all labels below 2^bits.
double mass_of(LabelRange range, int bits, double zero) {
  const BitDistribution block(free_bits(range), zero);
  const uint64_t start = block_start(range);
  const int ones = std::popcount(start >> block.bits());
  const int others = bits - block.bits() - ones;
  return std::pow(1 - zero, ones) * std::pow(zero, others) *
         (block.below(range.high - start) - block.below(range.low - start));
}

class RmatLabels : public RangedLabels {
 public:
  RmatLabels(const LabelSequence& sequence, LabelRange range, double zero)
      : RangedLabels(sequence, range, size_of(sequence, range, zero)),
        zero_(zero),
        seed_(seed_of_range(sequence, range)),
        start_(block_start(range)),
        block_(free_bits(range), zero),
        low_(block_.below(range.low - start_)),
        width_(block_.below(range.high - start_) - low_) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      const double point = low_ + unit_double(random_u64(seed_, first + i)) * width_;
      out[i] = std::clamp(start_ + block_.at(point), range().low, range().high - 1);
    }
  }

 private:
  static uint64_t size_of(const LabelSequence& sequence, LabelRange range, double zero) {
    const LabelRange all{0, sequence.m};
    if (range.width() == sequence.m) {
      return sequence.n;
    }
    const int bits = free_bits(all);
    const double share = mass_of(range, bits, zero) / mass_of(all, bits, zero);
    const double size = std::round(share * static_cast<double>(sequence.n));
    return size >= 0x1p64 ? sequence.n : std::min(sequence.n, static_cast<uint64_t>(size));
  }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return size_of(sequence(), range, zero_) == 0
               ? make_empty_labels(sequence().m)
               : std::make_shared<RmatLabels>(sequence(), range, zero_);
  }

  double zero_;
  uint64_t seed_;
  uint64_t start_;         // first label of the aligned block of labels that holds the range
  BitDistribution block_;  // labels of the block, counted from `start_`
  double low_;             // point of [0, 1) where the range begins in the block
  double width_;
};

}  // namespace

std::shared_ptr<const LabelSource> make_rmat_labels(const LabelSequence& sequence,
                                                    const Distribution& distribution) {
  // Probability that a bit of the destination is 0: A + C
  const double zero = distribution.parameter + distribution.more[1];
  return std::make_shared<RmatLabels>(sequence, LabelRange{0, sequence.m}, zero);
}

}  // namespace presort
