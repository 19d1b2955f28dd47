#include "predict/excerpt_labels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/permutation.h"
#include "core/random.h"
#include "core/zipf.h"

namespace presort::predict {

namespace {

constexpr uint64_t kStored = 8192;
constexpr uint64_t kBefore = kStored / 2;  // of those, that come before a multiple of kStored

// What all ranges of one excerpt share.
struct Whole {
  std::vector<uint64_t> stored;
  Distribution distribution;
  uint64_t buckets;
};
using SharedWhole = std::shared_ptr<const Whole>;

// The whole, or a part of it, labels [low, high).
class ExcerptLabels : public LabelSource {
 public:
  ExcerptLabels(SharedWhole whole, uint64_t size, uint64_t low, uint64_t high)
      : whole_(std::move(whole)), size_(size), low_(low), high_(high) {}

  uint64_t size() const override { return size_; }
  uint64_t buckets() const override { return whole_->buckets; }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const std::vector<uint64_t>& stored = whole_->stored;
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

// A part of scattered zipf labels: its rank k stands for the ranks [kP, (k + 1) P) of the whole.
class ZipfPartLabels final : public ExcerptLabels {
 public:
  ZipfPartLabels(SharedWhole whole, uint64_t size, uint64_t low, uint64_t high)
      : ExcerptLabels(std::move(whole), size, low, high),
        parts_((whole_->buckets - 1) / (high - low) + 1),
        ranks_(whole_->distribution.parameter, 0, whole_->buckets),
        place_of_rank_(high - low, kPlaceKey) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = low_ + place_of_rank_(ranks_(kSeed, first + i) / parts_);
    }
  }

 private:
  static constexpr uint64_t kSeed = 1;
  static constexpr uint64_t kPlaceKey = 0x70617274;  // "part"

  uint64_t parts_;
  ZipfRanks ranks_;
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

std::shared_ptr<const LabelSource> make_excerpt_labels(const LabelSource& labels,
                                                       const Distribution& distribution) {
  const uint64_t n = labels.size();
  std::vector<uint64_t> stored(std::min(n, kStored));
  labels.generate((n - stored.size()) / 2, stored);
  return std::make_shared<ExcerptLabels>(
      std::make_shared<const Whole>(Whole{std::move(stored), distribution, labels.buckets()}), n, 0,
      labels.buckets());
}

}  // namespace presort::predict
