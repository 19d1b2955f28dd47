#include "presort/predict/sampling/excerpt_of_file.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace presort::inline v0::predict {

namespace {

constexpr uint64_t kLookedAt = uint64_t{1} << 20;
constexpr size_t kKept = 1024;
constexpr uint64_t kLookedAtOnce = 4096;

class PartOfFile final : public LabelSource {
 public:
  PartOfFile(std::shared_ptr<const LabelSource> file, uint64_t low, uint64_t high, uint64_t from)
      : file_(std::move(file)), low_(low), high_(high), from_(from) {
    const uint64_t n = file_->size();
    const uint64_t most = std::min(n, kLookedAt);
    uint64_t looked_at = 0;
    std::vector<uint64_t> block(std::min(kLookedAtOnce, n));
    kept_.resize(kKept + block.size());
    size_t kept = 0;
    while (looked_at < most && kept < kKept) {
      const uint64_t at = (from + looked_at) % n;
      const uint64_t count = std::min({block.size(), most - looked_at, n - at});
      file_->generate(at, std::span(block).first(count));
      // Stores each label, but advances the count only if the label is in the part
      for (uint64_t i = 0; i < count; ++i) {
        kept_[kept] = block[i];
        kept += block[i] - low_ < high_ - low_ ? 1 : 0;
      }
      looked_at += count;
    }
    kept_.resize(kept);
    const double part = static_cast<double>(kept_.size()) / static_cast<double>(looked_at);
    size_ = static_cast<uint64_t>(std::ceil(part * static_cast<double>(n)));
  }

  uint64_t size() const override { return size_; }
  uint64_t buckets() const override { return file_->buckets(); }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = kept_[(first + i) % kept_.size()];
    }
  }

  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override {
    return std::make_shared<PartOfFile>(file_, std::max(low, low_), std::min(high, high_), from_);
  }

 private:
  std::shared_ptr<const LabelSource> file_;
  uint64_t low_;
  uint64_t high_;
  uint64_t from_;
  uint64_t size_;
  std::vector<uint64_t> kept_;  // labels of the part, at least one
};

class ExcerptOfFile final : public LabelSource {
 public:
  explicit ExcerptOfFile(std::shared_ptr<const LabelSource> file) : file_(std::move(file)) {}

  uint64_t size() const override { return file_->size(); }
  uint64_t buckets() const override { return file_->buckets(); }
  void generate(uint64_t first, std::span<uint64_t> out) const override {
    file_->generate(first, out);
  }
  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override {
    return make_part_of_file(file_, low, high, size() / 2);
  }

 private:
  std::shared_ptr<const LabelSource> file_;
};

}  // namespace

std::shared_ptr<const LabelSource> make_excerpt_of_file(std::shared_ptr<const LabelSource> file) {
  return std::make_shared<ExcerptOfFile>(std::move(file));
}

std::shared_ptr<const LabelSource> make_part_of_file(std::shared_ptr<const LabelSource> file,
                                                     uint64_t low, uint64_t high, uint64_t from) {
  return std::make_shared<PartOfFile>(std::move(file), low, high, from);
}

}  // namespace presort::predict
