#include "predict/excerpt_labels.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace presort::predict {

namespace {

constexpr uint64_t kStored = 8192;
constexpr uint64_t kBefore = kStored / 2;  // of those, that come before a multiple of kStored

class ExcerptLabels final : public LabelSource {
 public:
  using Stored = std::shared_ptr<const std::vector<uint64_t>>;

  ExcerptLabels(Stored stored, uint64_t size, uint64_t buckets, uint64_t low, uint64_t high)
      : stored_(std::move(stored)), size_(size), buckets_(buckets), low_(low), high_(high) {}

  uint64_t size() const override { return size_; }
  uint64_t buckets() const override { return buckets_; }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const uint64_t width = high_ - low_;
    uint64_t at = (first + kBefore) % stored_->size();
    for (uint64_t& label : out) {
      const uint64_t stored = (*stored_)[at];
      at = at + 1 == stored_->size() ? 0 : at + 1;
      label = width == buckets_ ? stored : low_ + stored % width;
    }
  }

  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override {
    const double part = static_cast<double>(high - low) / static_cast<double>(high_ - low_);
    const auto size = static_cast<uint64_t>(std::llround(static_cast<double>(size_) * part));
    return std::make_shared<ExcerptLabels>(stored_, std::max<uint64_t>(1, size), buckets_, low,
                                           high);
  }

 private:
  Stored stored_;
  uint64_t size_;
  uint64_t buckets_;
  uint64_t low_;
  uint64_t high_;
};

}  // namespace

std::shared_ptr<const LabelSource> make_excerpt_labels(const LabelSource& labels) {
  const uint64_t n = labels.size();
  std::vector<uint64_t> stored(std::min(n, kStored));
  labels.generate((n - stored.size()) / 2, stored);
  return std::make_shared<ExcerptLabels>(
      std::make_shared<const std::vector<uint64_t>>(std::move(stored)), n, labels.buckets(), 0,
      labels.buckets());
}

}  // namespace presort::predict
