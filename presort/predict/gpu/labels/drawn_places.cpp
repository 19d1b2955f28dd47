#include "presort/predict/gpu/labels/drawn_places.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "presort/core/problem.h"

namespace presort::inline v0::predict {
namespace {

constexpr uint64_t kFirstDraws = uint64_t{1} << 18;
constexpr uint64_t kMostDraws = uint64_t{1} << 22;
constexpr size_t kDrawsAtOnce = 1024;
// Labels of a part that are enough for a sample of it: so many for each of its buckets, and at
// least kFewestOfPart
constexpr uint64_t kDrawsOfBucket = 4;
constexpr uint64_t kFewestOfPart = 1024;

}  // namespace

class DrawnPlaces::Deal {
 public:
  Deal(std::shared_ptr<const LabelSource> labels, int sort_bits)
      : labels_(std::move(labels)),
        shift_(label_bits(labels_->buckets()) - sort_bits),
        enough_(std::max(kFewestOfPart, kDrawsOfBucket << shift_)),
        parts_(static_cast<size_t>(((labels_->buckets() - 1) >> shift_) + 1)) {
    const uint64_t first = std::min(labels_->size(), kFirstDraws);
    while (drawn_ < first) {
      draw(static_cast<size_t>(std::min<uint64_t>(first - drawn_, kDrawsAtOnce)));
    }
    begins_.push_back(0);
    for (const Part& part : parts_) {
      begins_.push_back(begins_.back() + part.labels.size());
    }
  }

  size_t parts() const { return parts_.size(); }
  // Inputs of a part, and of all parts before it, among the first draws.
  uint64_t size(size_t part) const { return begins_[part + 1] - begins_[part]; }
  uint64_t begin(size_t part) const { return begins_[part]; }
  uint64_t first_draws() const { return begins_.back(); }
  // Inputs of the sequence for each of the first draws.
  double scale() const {
    return static_cast<double>(labels_->size()) / static_cast<double>(first_draws());
  }
  // The part that the first draw number `at` in order lies in.
  size_t part_at(uint64_t at) const {
    return static_cast<size_t>(std::upper_bound(begins_.begin(), begins_.end(), at) -
                               begins_.begin() - 1);
  }

  // The next label of a part. Requires: size(part) > 0
  uint64_t next(size_t number) {
    Part& part = parts_[number];
    while (part.next == part.labels.size()) {
      if (drawn_ >= std::min(kMostDraws, labels_->size()) || part.labels.size() >= enough_) {
        part.next = 0;
      } else {
        draw(kDrawsAtOnce);
      }
    }
    return part.labels[part.next++];
  }

 private:
  struct Part {
    std::vector<uint64_t> labels;
    size_t next = 0;
  };

  void draw(size_t count) {
    uint64_t block[kDrawsAtOnce];
    count = static_cast<size_t>(std::min<uint64_t>(count, labels_->size() - drawn_));
    labels_->generate(drawn_, std::span<uint64_t>(block, count));
    for (size_t i = 0; i < count; ++i) {
      parts_[static_cast<size_t>(block[i] >> shift_)].labels.push_back(block[i]);
    }
    drawn_ += count;
  }

  std::shared_ptr<const LabelSource> labels_;
  int shift_;
  uint64_t enough_;  // labels of a part after which they come again
  std::vector<Part> parts_;
  std::vector<uint64_t> begins_;
  uint64_t drawn_ = 0;
};

DrawnPlaces::DrawnPlaces(const std::shared_ptr<const LabelSource>& labels, int sort_bits,
                         const std::shared_ptr<const LabelSource>& quick)
    : deal_(std::make_shared<Deal>(labels->size() > kFirstDraws ? quick : labels, sort_bits)) {}

std::function<uint64_t()> DrawnPlaces::from(double place) const {
  const double all = static_cast<double>(deal_->first_draws());
  const double at = std::clamp(place, 0.0, 0.999999) * all;
  size_t part = deal_->part_at(static_cast<uint64_t>(at));
  const double behind = static_cast<double>(deal_->begin(part) + deal_->size(part)) - at;
  auto left = static_cast<uint64_t>(std::ceil(behind * deal_->scale()));
  return [deal = deal_, part, left]() mutable {
    while (left == 0) {
      part = (part + 1) % deal->parts();
      left = static_cast<uint64_t>(static_cast<double>(deal->size(part)) * deal->scale());
    }
    --left;
    return deal->next(part);
  };
}

}  // namespace presort::predict
