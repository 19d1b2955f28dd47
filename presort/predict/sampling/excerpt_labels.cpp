#include "presort/predict/sampling/excerpt_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/labels/permutation.h"
#include "presort/core/labels/zipf.h"

namespace presort::inline v0::predict {

namespace {

constexpr uint64_t kStored = 4096;
constexpr uint64_t kBlock = 256;  // labels in a block, which are generated together
// Number of blocks; each is generated when it is first used
constexpr uint64_t kBlocks = kStored / kBlock;
constexpr uint64_t kBefore = kStored / 2;  // labels kept before a multiple of kStored

// Labels from the middle of the sequence, shared by all ranges of one excerpt. Thread-safe.
class Whole {
 public:
  Whole(std::shared_ptr<const LabelSource> labels, const Distribution& of)
      : distribution(of),
        buckets(labels->buckets()),
        labels_(std::move(labels)),
        stored_(std::min(labels_->size(), kStored)) {}

  const Distribution distribution;
  const uint64_t buckets;

  size_t size() const { return stored_.size(); }
  // Returns label i of the excerpt. Requires: i < size()
  uint64_t operator[](size_t i) const {
    const size_t block = i / kBlock;
    std::call_once(generated_[block], [&] {
      const size_t first = block * kBlock;
      const size_t count = std::min<size_t>(kBlock, stored_.size() - first);
      labels_->generate((labels_->size() - stored_.size()) / 2 + first,
                        std::span(stored_).subspan(first, count));
    });
    return stored_[i];
  }

 private:
  std::shared_ptr<const LabelSource> labels_;
  mutable std::vector<uint64_t> stored_;
  mutable std::array<std::once_flag, kBlocks> generated_;
};
using SharedWhole = std::shared_ptr<const Whole>;

// The labels of the whole sequence, or of its part with labels [low, high).
class ExcerptLabels : public LabelSource {
 public:
  ExcerptLabels(SharedWhole whole, uint64_t size, uint64_t low, uint64_t high)
      : whole_(std::move(whole)), size_(size), low_(low), high_(high) {}

  uint64_t size() const override { return size_; }
  uint64_t buckets() const override { return whole_->buckets; }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const Whole& stored = *whole_;
    const uint64_t width = high_ - low_;
    uint64_t at = (first + kBefore) % stored.size();
    for (uint64_t& label : out) {
      label = width == whole_->buckets ? stored[at] : low_ + stored[at] % width;
      at = at + 1 == stored.size() ? 0 : at + 1;
    }
  }

  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override;

 protected:
  SharedWhole whole_;
  uint64_t size_;
  uint64_t low_;
  uint64_t high_;
};

// Share of the most popular label in the inputs of its part. Each part has one of the `parts` most
// popular labels, and one of every `parts` that follow. The part is that of the median input, as
// parts differ: in some of them nearly all inputs have the most popular label.
double share_of_first(double exponent, uint64_t buckets, uint64_t parts) {
  const uint64_t firsts = std::min(parts, buckets);
  const double of_firsts = zipf_mass(exponent, 0, firsts);
  const double of_others = firsts < buckets ? zipf_mass(exponent, firsts, buckets) : 0;
  const double others_of_part = of_others / static_cast<double>(parts);
  // The parts whose most popular label is more popular than rank `low` have less than half of all
  // inputs together
  uint64_t low = 0;
  uint64_t high = firsts;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    const double inputs =
        zipf_mass(exponent, 0, middle) + static_cast<double>(middle) * others_of_part;
    (inputs < (of_firsts + of_others) / 2 ? low : high) = middle;
  }
  const double first = std::pow(static_cast<double>(low + 1), -exponent);
  return first / (first + others_of_part);
}

// Labels of one part of scattered zipf labels, with P parts: given its most popular label, ranks k
// of the part stand for ranks [kP, (k + 1) P) of the whole.
class ZipfPartLabels final : public ExcerptLabels {
 public:
  ZipfPartLabels(SharedWhole whole, uint64_t size, uint64_t low, uint64_t high)
      : ExcerptLabels(std::move(whole), size, low, high),
        parts_((whole_->buckets - 1) / (high - low) + 1),
        share_of_first_(share_of_first(whole_->distribution.parameter, whole_->buckets, parts_)),
        others_(whole_->distribution.parameter, std::min(parts_, whole_->buckets - 1),
                whole_->buckets),
        place_of_rank_(high - low, kPlaceKey) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      const bool is_first = unit_double(random_u64(kFirstSeed, first + i)) < share_of_first_;
      out[i] = low_ + place_of_rank_(is_first ? 0 : others_(kSeed, first + i) / parts_);
    }
  }

 private:
  static constexpr uint64_t kSeed = 1;
  static constexpr uint64_t kFirstSeed = 2;
  static constexpr uint64_t kPlaceKey = 0x70617274;  // random seed: "part" in ASCII

  uint64_t parts_;
  double share_of_first_;
  ZipfRanks others_;
  Permutation place_of_rank_;
};

std::shared_ptr<const LabelSource> ExcerptLabels::restricted(uint64_t low, uint64_t high) const {
  const double part = static_cast<double>(high - low) / static_cast<double>(high_ - low_);
  const auto size =
      std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(static_cast<double>(size_) * part)));
  if (whole_->distribution.kind == DistributionKind::zipf && high - low < whole_->buckets) {
    return std::make_shared<ZipfPartLabels>(whole_, size, low, high);
  }
  return std::make_shared<ExcerptLabels>(whole_, size, low, high);
}

}  // namespace

std::shared_ptr<const LabelSource> make_excerpt_labels(std::shared_ptr<const LabelSource> labels,
                                                       const Distribution& distribution) {
  const uint64_t n = labels->size();
  const uint64_t buckets = labels->buckets();
  return std::make_shared<ExcerptLabels>(
      std::make_shared<const Whole>(std::move(labels), distribution), n, 0, buckets);
}

}  // namespace presort::predict
