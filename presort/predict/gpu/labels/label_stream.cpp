#include "presort/predict/gpu/labels/label_stream.h"

#include <algorithm>
#include <span>

#include "presort/core/problem.h"

namespace presort::inline v0::predict {

namespace {
constexpr uint64_t kFirstLabels = 64;  // labels that are asked for at first: many streams give few
constexpr uint64_t kMostLabels = 1024;
}

LabelStream::LabelStream(std::shared_ptr<const LabelSource> labels, uint64_t first)
    : labels_(std::move(labels)), at_(first % labels_->size()) {}

uint64_t LabelStream::next() {
  if (taken_ == buffer_.size()) {
    at_ = at_ == labels_->size() ? 0 : at_;
    const uint64_t more =
        buffer_.empty() ? kFirstLabels : std::min(2 * buffer_.size(), kMostLabels);
    buffer_.resize(std::min<uint64_t>(more, labels_->size() - at_));
    labels_->generate(at_, buffer_);
    at_ += buffer_.size();
    taken_ = 0;
  }
  return buffer_[taken_++];
}

std::function<uint64_t()> in_order(const std::shared_ptr<const LabelSource>& labels,
                                   uint64_t first) {
  return [stream = std::make_shared<LabelStream>(labels, first)] { return stream->next(); };
}

LabelParts::LabelParts(std::shared_ptr<const LabelSource> labels, int sort_bits)
    : labels_(std::move(labels)), shift_(label_bits(labels_->buckets()) - sort_bits) {}

uint64_t LabelParts::count() const {
  return ((labels_->buckets() - 1) >> shift_) + 1;
}

uint64_t LabelParts::first_label(uint64_t part) const {
  return part << shift_;
}

std::shared_ptr<const LabelSource> LabelParts::labels_of(uint64_t part) const {
  if (empty_.contains(part)) {
    return nullptr;
  }
  std::weak_ptr<const LabelSource>& made = made_[part];
  std::shared_ptr<const LabelSource> labels = made.lock();
  if (labels == nullptr) {
    const uint64_t low = first_label(part);
    labels = labels_->restricted(low, std::min(low + buckets_of_part(), labels_->buckets()));
    if (labels == nullptr || labels->size() == 0) {
      empty_.insert(part);
      return nullptr;
    }
    made = labels;
  }
  return labels;
}

uint64_t LabelParts::part_of_input(uint64_t position) const {
  uint64_t label = 0;
  labels_->generate(position, std::span<uint64_t>(&label, 1));
  return label >> shift_;
}

OrderedStream::OrderedStream(const LabelParts& parts, uint64_t part, double share) : parts_(parts) {
  enter(part, share);
}

void OrderedStream::enter(uint64_t part, double share) {
  std::shared_ptr<const LabelSource> labels;
  // Parts without inputs are passed over; one that has inputs exists, as there is an input.
  for (;; part = (part + 1) % parts_.count()) {
    labels = parts_.labels_of(part);
    if (labels != nullptr && labels->size() > 0) {
      break;
    }
  }
  const auto first = static_cast<uint64_t>(share * static_cast<double>(labels->size()));
  part_ = part;
  left_ = labels->size() - first;
  stream_ = std::make_unique<LabelStream>(std::move(labels), first);
}

uint64_t OrderedStream::next() {
  if (left_ == 0) {
    enter((part_ + 1) % parts_.count(), 0);
  }
  --left_;
  return stream_->next();
}

}  // namespace presort::predict
