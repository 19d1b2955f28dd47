// Zipf labels, and words: ranks drawn by rejection-inversion, and sent to labels by a fixed
// permutation unless they are contiguous. Words have the frequencies of Mandelbrot's law,
// P(rank r) ∝ (r + 1 + Q)^-S.
// Source of that law: Mandelbrot, "An informational theory of the statistical structure of
// languages", Communication Theory, 1953.
// Measured (machine and command: core/labels/kinds/kinds.h): 24 ns per label for S = 1, 32 for S =
// 0.5, 34 for S = 1.25, of which 9 for the permutation; up to 58, 80 and 90 ns in runs that other
// work on the machine disturbed more.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "presort/core/base/checked.h"
#include "presort/core/base/random.h"
#include "presort/core/base/wide.h"
#include "presort/core/labels/alias_table.h"
#include "presort/core/labels/kinds/kinds.h"
#include "presort/core/labels/permutation.h"
#include "presort/core/labels/zipf.h"
#include "presort/core/labels/zipf_scatter.h"

namespace presort::inline v0 {
namespace {

// Most labels of a problem for which ranges are drawn from tables (32 MiB over all ranges
// together): a table takes 50 ns a label to make.
constexpr uint64_t kMaxTable = uint64_t{1} << 22;
constexpr uint64_t kMaxTabled = uint64_t{1} << 28;
constexpr uint64_t kMaxTabledPerInput = 16;

// Labels of a range that is too large for a table are drawn from all labels until one lies in the
// range. That takes at most kMaxAttempts draws for a label on average, or kMaxAttemptsBeyondTables
// where no range has a table, because there each of the 2^18 labels before a slice is drawn in this
// way (with 64 attempts a prediction of 16 parts of m = 2^31, n = 2^32, zipf:1 took 30 s).
constexpr double kMaxAttempts = 64;
constexpr double kMaxAttemptsBeyondTables = 4;

double most_attempts(uint64_t m) {
  return m <= kMaxTabled ? kMaxAttempts : kMaxAttemptsBeyondTables;
}

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

// The permutation from ranks to labels, shared by all ranges of one sequence.
using SharedScatter = std::shared_ptr<const ZipfScatter>;

std::shared_ptr<const LabelSource> make_scattered(const LabelSequence& sequence, LabelRange range,
                                                  const SharedScatter& zipf);

double mass_of(const ZipfScatter& zipf, uint64_t m, LabelRange range) {
  return range.width() == m ? zipf.mass() : zipf.masses(range.low, range.high).sum();
}

// Labels of a range, each drawn from the whole sequence until one lies in the range.
class ZipfLabels : public RangedLabels {
 public:
  ZipfLabels(const LabelSequence& sequence, LabelRange range, SharedScatter zipf)
      : RangedLabels(sequence, range,
                     expected_count(sequence.n, mass_of(*zipf, sequence.m, range), zipf->mass())),
        seed_(seed_of_range(sequence, range)),
        zipf_(std::move(zipf)) {}

  // Draws in three loops, one for each step, so that the processor overlaps the steps of
  // neighbouring labels.
  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = zipf_->rank(seed_, first + i);
    }
    for (uint64_t& slot : out) {
      slot = zipf_->label_of(slot);
    }
    for (size_t i = 0; i < out.size(); ++i) {
      for (uint64_t attempt = 1; !in_range(out[i]); ++attempt) {
        out[i] = zipf_->draw(random_u64(seed_, attempt), first + i);
      }
    }
  }

 private:
  bool in_range(uint64_t label) const { return label >= range().low && label < range().high; }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return make_scattered(sequence(), range, zipf_);
  }

  uint64_t seed_;
  SharedScatter zipf_;
};

// Labels of a range, drawn from a table of all its labels.
class ZipfTableLabels : public RangedLabels {
 public:
  ZipfTableLabels(const LabelSequence& sequence, LabelRange range, uint64_t size,
                  std::vector<double> weights, SharedScatter zipf)
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
  SharedScatter zipf_;
  AliasTable table_;
};

// Labels of a range: popular ones drawn from a table, unpopular ones by rank. The unpopular ranks
// are dealt out evenly: of each group of as many neighbouring ranks as there are ranges, every
// range has one, at a place of its own. Which range has which rank makes no visible difference.
// Takes constant time to make, and to draw from, whatever the range is.
class ZipfPartLabels : public RangedLabels {
 public:
  ZipfPartLabels(const LabelSequence& sequence, LabelRange range, SharedScatter zipf)
      : RangedLabels(sequence, range,
                     expected_count(sequence.n, mass_of(*zipf, sequence.m, range), zipf->mass())),
        seed_(seed_of_range(sequence, range)),
        popular_(zipf->popular_in(range.low, range.high)),
        masses_(zipf->masses(range.low, range.high)),
        others_(zipf->exponent(), std::min(zipf->popular_ranks(), sequence.m - 1), sequence.m,
                zipf->shift()),
        place_(range.width(), seed_of_range({sequence.n, sequence.m, 1}, range)),
        zipf_(std::move(zipf)) {
    std::vector<double> weights;
    for (const ZipfScatter::Popular& popular : popular_) {
      weights.push_back(zipf_->weight_of_rank(popular.rank));
    }
    if (!weights.empty()) {
      table_.emplace(std::move(weights));
    }
  }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const double share = masses_.popular / masses_.sum();
    for (size_t i = 0; i < out.size(); ++i) {
      const uint64_t random = random_u64(seed_, first + i);
      const bool popular = table_ && unit_double(mix64(random)) < share;
      out[i] = popular ? popular_[(*table_)(random)].label : other(first + i);
    }
  }

 private:
  uint64_t other(uint64_t index) const {
    const uint64_t first = zipf_->popular_ranks();
    const uint64_t rank = others_(~seed_, index);
    const auto place = static_cast<uint64_t>(static_cast<Wide>(rank - std::min(rank, first)) *
                                             range().width() / (sequence().m - first));
    return range().low + place_(std::min(place, range().width() - 1));
  }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return make_scattered(sequence(), range, zipf_);
  }

  uint64_t seed_;
  std::span<const ZipfScatter::Popular> popular_;
  ZipfScatter::Masses masses_;
  ZipfRanks others_;
  Permutation place_;
  SharedScatter zipf_;
  std::optional<AliasTable> table_;  // draws popular labels; no value if there are none
};

std::shared_ptr<const LabelSource> make_scattered(const LabelSequence& sequence, LabelRange range,
                                                  const SharedScatter& zipf) {
  const uint64_t most = std::min(kMaxTabled, saturating_multiply(kMaxTabledPerInput, sequence.n));
  if (range.width() <= kMaxTable && sequence.m <= std::max(kMaxTable, most)) {
    std::vector<double> weights(static_cast<size_t>(range.width()));
    double mass = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      weights[i] = zipf->weight(range.low + i);
      mass += weights[i];
    }
    const uint64_t size = expected_count(sequence.n, mass, zipf->mass());
    return std::make_shared<ZipfTableLabels>(sequence, range, size, std::move(weights), zipf);
  }
  if (range.width() > kMaxTable &&
      mass_of(*zipf, sequence.m, range) * most_attempts(sequence.m) >= zipf->mass()) {
    return std::make_shared<ZipfLabels>(sequence, range, zipf);
  }
  return std::make_shared<ZipfPartLabels>(sequence, range, zipf);
}

}  // namespace

std::shared_ptr<const LabelSource> make_zipf_labels(const LabelSequence& sequence,
                                                    const Distribution& distribution) {
  return std::make_shared<ZipfLabels>(
      sequence, LabelRange{0, sequence.m},
      std::make_shared<const ZipfScatter>(distribution.parameter, sequence.m));
}

std::shared_ptr<const LabelSource> make_word_labels(const LabelSequence& sequence,
                                                    const Distribution& distribution) {
  return std::make_shared<ZipfLabels>(
      sequence, LabelRange{0, sequence.m},
      std::make_shared<const ZipfScatter>(distribution.parameter, sequence.m,
                                          distribution.more[0]));
}

std::shared_ptr<const LabelSource> make_zipf_contiguous_labels(const LabelSequence& sequence,
                                                               const Distribution& distribution) {
  return std::make_shared<ZipfContiguousLabels>(sequence, LabelRange{0, sequence.m},
                                                distribution.parameter);
}

}  // namespace presort
