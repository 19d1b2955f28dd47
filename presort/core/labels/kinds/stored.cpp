// Labels that are stored in memory; and the labels of any source that lie in a range, found by
// going through them.
#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>
#include <optional>

#include "presort/core/error.h"
#include "presort/core/labels/found_reach.h"
#include "presort/core/labels/kinds/kinds.h"
#include "presort/core/labels/label_index.h"

namespace presort::inline v0 {
namespace {

std::shared_ptr<const std::vector<uint64_t>> shared(std::vector<uint64_t> labels) {
  return std::make_shared<const std::vector<uint64_t>>(std::move(labels));
}

class StoredLabels : public LabelSource {
 public:
  StoredLabels(std::shared_ptr<const std::vector<uint64_t>> labels, uint64_t n, uint64_t m)
      : held_(std::move(labels)), labels_(*held_), n_(n), m_(m) {}

  uint64_t size() const override { return n_; }
  uint64_t buckets() const override { return m_; }

  uint64_t reach() const override {
    std::call_once(looked_, [this] { reach_ = found_reach(labels_, m_); });
    return reach_;
  }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t done = 0; done < out.size();) {
      const size_t from = static_cast<size_t>((first + done) % labels_.size());
      const size_t count = std::min(out.size() - done, labels_.size() - from);
      std::copy_n(labels_.begin() + static_cast<std::ptrdiff_t>(from), count,
                  out.begin() + static_cast<std::ptrdiff_t>(done));
      done += count;
    }
  }

  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override {
    std::vector<uint64_t> kept;
    // Labels in the range among those of the last, incomplete repetition
    uint64_t kept_of_last = 0;
    const auto keep = [&](size_t position) {
      kept.push_back(labels_[position]);
      kept_of_last += position < n_ % labels_.size() ? 1 : 0;
    };
    if (is_narrow(low, high)) {
      std::ranges::for_each(index().positions_in(low, high), keep);
    } else {
      for (size_t i = 0; i < labels_.size(); ++i) {
        if (labels_[i] >= low && labels_[i] < high) {
          keep(i);
        }
      }
    }
    const uint64_t size = n_ / labels_.size() * kept.size() + kept_of_last;
    return size == 0 ? make_empty_labels(m_)
                     : make_shared_labels(shared(std::move(kept)), size, m_);
  }

 private:
  // True if the range [low, high) is so narrow that callers may ask for many such ranges: then
  // going through all labels for each would take too long.
  bool is_narrow(uint64_t low, uint64_t high) const {
    constexpr size_t kFewLabels = 4096;
    constexpr uint64_t kFewRanges = 16;
    return labels_.size() > kFewLabels && labels_.size() <= std::numeric_limits<uint32_t>::max() &&
           high - low < m_ / kFewRanges;
  }

  const LabelIndex& index() const {
    std::call_once(indexed_,
                   [this] { index_.emplace(labels_, static_cast<int>(std::bit_width(m_ - 1))); });
    return *index_;
  }

  std::shared_ptr<const std::vector<uint64_t>> held_;
  std::span<const uint64_t> labels_;  // the stored labels, at least one
  uint64_t n_;
  uint64_t m_;
  mutable std::once_flag looked_;
  mutable uint64_t reach_ = 0;  // reach() of the stored labels; found when first asked for
  mutable std::once_flag indexed_;
  // Index of the stored labels by value; made when first needed
  mutable std::optional<LabelIndex> index_;
};

// The labels of another source (the base) that lie in a range. Remembers how many labels each block
// of the base keeps, so that a slice costs a few blocks.
class FilteredLabels : public LabelSource {
 public:
  FilteredLabels(std::shared_ptr<const LabelSource> base, LabelRange range, StopToken stop)
      : base_(std::move(base)), range_(range) {
    std::vector<uint64_t> block;
    for (uint64_t first = 0; first < base_->size(); first += kBlock) {
      stop.check();
      read_block(first / kBlock, block);
      kept_before_.push_back(kept_before_.back() + block.size());
    }
  }

  uint64_t size() const override { return kept_before_.back(); }
  uint64_t buckets() const override { return base_->buckets(); }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    std::vector<uint64_t> block;
    const auto after = std::ranges::upper_bound(kept_before_, first);
    uint64_t number = static_cast<uint64_t>(after - kept_before_.begin()) - 1;
    for (size_t done = 0; done < out.size(); ++number) {
      read_block(number, block);
      const size_t skip = static_cast<size_t>(first + done - kept_before_[number]);
      const size_t count = std::min(out.size() - done, block.size() - skip);
      std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(skip), count,
                  out.begin() + static_cast<std::ptrdiff_t>(done));
      done += count;
    }
  }

  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override {
    return base_->restricted(std::max(low, range_.low), std::min(high, range_.high));
  }

 private:
  static constexpr uint64_t kBlock = 4096;

  void read_block(uint64_t number, std::vector<uint64_t>& block) const {
    const uint64_t first = number * kBlock;
    block.resize(static_cast<size_t>(std::min(kBlock, base_->size() - first)));
    base_->generate(first, block);
    std::erase_if(block,
                  [this](uint64_t label) { return label < range_.low || label >= range_.high; });
  }

  std::shared_ptr<const LabelSource> base_;
  LabelRange range_;
  // Labels of the range before each block of the base, and before its end
  std::vector<uint64_t> kept_before_ = {0};
};

}  // namespace

std::shared_ptr<const LabelSource> make_stored_labels(std::vector<uint64_t> labels, uint64_t n,
                                                      uint64_t m) {
  if (labels.empty() && n > 0) {
    throw InputError("labels: found '0' labels, accepted: at least 1");
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= m) {
      throw LabelError(i, labels[i], m);
    }
  }
  if (n == 0) {
    return make_empty_labels(m);
  }
  return make_shared_labels(shared(std::move(labels)), n, m);
}

std::shared_ptr<const LabelSource> make_shared_labels(
    std::shared_ptr<const std::vector<uint64_t>> labels, uint64_t n, uint64_t m) {
  return std::make_shared<StoredLabels>(std::move(labels), n, m);
}

std::shared_ptr<const LabelSource> make_filtered_labels(std::shared_ptr<const LabelSource> base,
                                                        LabelRange range, StopToken stop) {
  return std::make_shared<FilteredLabels>(std::move(base), range, stop);
}

}  // namespace presort
