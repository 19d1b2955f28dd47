// Zipf labels: ranks drawn by rejection-inversion, and sent to labels by a fixed permutation unless
// they are contiguous.
// Measured (machine and command: core/labels_kinds.h): 24 ns per label for S = 1, 32 for S = 0.5,
// 34 for S = 1.25, of which 9 for the permutation; up to 58, 80 and 90 ns in runs that other work
// on the machine disturbed more.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/alias_table.h"
#include "core/labels_kinds.h"
#include "core/permutation.h"
#include "core/random.h"
#include "core/zipf.h"

namespace presort {
namespace {

// A range of at most so many labels is drawn from a table (32 MiB); of a larger one, which holds a
// good part of all labels, those labels of the whole are kept that lie in it.
constexpr uint64_t kMaxTable = uint64_t{1} << 22;

// The popularity of a label does not depend on the seed.
constexpr uint64_t kScatterKey = 0x7a69706673636174;

uint64_t expected_count(uint64_t n, double mass, double whole_mass) {
  const double count = std::round(static_cast<double>(n) * std::min(1.0, mass / whole_mass));
  return count >= 0x1p64 ? n : std::min(n, static_cast<uint64_t>(count));
}

class ZipfContiguousLabels : public RangedLabels {
 public:
  ZipfContiguousLabels(const LabelSequence& sequence, LabelRange range, double exponent)
      : RangedLabels(sequence, range,
                     expected_count(sequence.n, zipf_mass(exponent, range.low, range.high),
                                    zipf_mass(exponent, 0, sequence.m))),
        exponent_(exponent),
        seed_(seed_of_range(sequence, range)),
        ranks_(exponent, range.low, range.high) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = ranks_(seed_, first + i);
    }
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return std::make_shared<ZipfContiguousLabels>(sequence(), range, exponent_);
  }

  double exponent_;
  uint64_t seed_;
  ZipfRanks ranks_;
};

// What all restrictions of one scattered sequence share.
struct Scattered {
  Scattered(const LabelSequence& sequence, double s)
      : exponent(s),
        mass(zipf_mass(s, 0, sequence.m)),
        ranks(s, 0, sequence.m),
        label_of_rank(sequence.m, kScatterKey) {}

  double weight(uint64_t label) const {
    return std::pow(static_cast<double>(label_of_rank.inverse(label)) + 1, -exponent);
  }

  double exponent;
  double mass;
  ZipfRanks ranks;
  Permutation label_of_rank;
};
using SharedScattered = std::shared_ptr<const Scattered>;

// The mass of a large range: the most popular ranks one by one, the others as evenly scattered.
double mass_of_range(const Scattered& zipf, uint64_t m, LabelRange range) {
  if (range.width() == m) {
    return zipf.mass;
  }
  const uint64_t popular = std::min(m, uint64_t{1} << 16);
  double mass = 0;
  uint64_t found = 0;
  for (uint64_t rank = 0; rank < popular; ++rank) {
    const uint64_t label = zipf.label_of_rank(rank);
    if (label >= range.low && label < range.high) {
      mass += std::pow(static_cast<double>(rank) + 1, -zipf.exponent);
      ++found;
    }
  }
  const double part = static_cast<double>(range.width() - found) / static_cast<double>(m - popular);
  return mass + zipf_mass(zipf.exponent, popular, m) * part;
}

std::shared_ptr<const LabelSource> make_scattered(const LabelSequence& sequence, LabelRange range,
                                                  const SharedScattered& zipf);

// Draws from the whole until a label lies in the range.
class ZipfLabels : public RangedLabels {
 public:
  ZipfLabels(const LabelSequence& sequence, LabelRange range, SharedScattered zipf)
      : RangedLabels(
            sequence, range,
            expected_count(sequence.n, mass_of_range(*zipf, sequence.m, range), zipf->mass)),
        seed_(seed_of_range(sequence, range)),
        zipf_(std::move(zipf)) {}

  // In three loops, so that the processor overlaps the steps of neighbouring labels.
  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = zipf_->ranks(seed_, first + i);
    }
    for (uint64_t& slot : out) {
      slot = zipf_->label_of_rank(slot);
    }
    for (size_t i = 0; i < out.size(); ++i) {
      for (uint64_t attempt = 1; !in_range(out[i]); ++attempt) {
        const uint64_t seed = random_u64(seed_, attempt);
        out[i] = zipf_->label_of_rank(zipf_->ranks(seed, first + i));
      }
    }
  }

 private:
  bool in_range(uint64_t label) const { return label >= range().low && label < range().high; }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return make_scattered(sequence(), range, zipf_);
  }

  uint64_t seed_;
  SharedScattered zipf_;
};

// Draws from a table of the range's labels.
class ZipfTableLabels : public RangedLabels {
 public:
  ZipfTableLabels(const LabelSequence& sequence, LabelRange range, uint64_t size,
                  std::vector<double> weights, SharedScattered zipf)
      : RangedLabels(sequence, range, size),
        seed_(seed_of_range(sequence, range)),
        zipf_(std::move(zipf)),
        table_(std::move(weights)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const uint64_t low = range().low;
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = low + table_(random_u64(seed_, first + i));
    }
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return make_scattered(sequence(), range, zipf_);
  }

  uint64_t seed_;
  SharedScattered zipf_;
  AliasTable table_;
};

std::shared_ptr<const LabelSource> make_scattered(const LabelSequence& sequence, LabelRange range,
                                                  const SharedScattered& zipf) {
  if (range.width() > kMaxTable) {
    return std::make_shared<ZipfLabels>(sequence, range, zipf);
  }
  std::vector<double> weights(static_cast<size_t>(range.width()));
  double mass = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = zipf->weight(range.low + i);
    mass += weights[i];
  }
  const uint64_t size = expected_count(sequence.n, mass, zipf->mass);
  return std::make_shared<ZipfTableLabels>(sequence, range, size, std::move(weights), zipf);
}

}  // namespace

std::shared_ptr<const LabelSource> make_zipf_labels(const LabelSequence& sequence,
                                                    double exponent) {
  return std::make_shared<ZipfLabels>(sequence, LabelRange{0, sequence.m},
                                      std::make_shared<const Scattered>(sequence, exponent));
}

std::shared_ptr<const LabelSource> make_zipf_contiguous_labels(const LabelSequence& sequence,
                                                               double exponent) {
  return std::make_shared<ZipfContiguousLabels>(sequence, LabelRange{0, sequence.m}, exponent);
}

}  // namespace presort
