// Labels as the warps of a kernel read them: in the order of the inputs, or ordered by their top
// bits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict {

// Labels in the order of the inputs, from one position on, and from the start again at the end.
class LabelStream {
 public:
  LabelStream(std::shared_ptr<const LabelSource> labels, uint64_t first);
  uint64_t next();

 private:
  std::shared_ptr<const LabelSource> labels_;
  uint64_t at_;  // position of the label behind the buffered ones
  std::vector<uint64_t> buffer_;
  size_t taken_ = 0;
};

// The next label of a LabelStream at each call.
std::function<uint64_t()> in_order(const std::shared_ptr<const LabelSource>& labels,
                                   uint64_t first);

// Labels from one position on that several kernels of a plan read: each label is made once.
class SharedLabels {
 public:
  SharedLabels(std::shared_ptr<const LabelSource> labels, uint64_t first)
      : stream_(std::make_shared<LabelStream>(std::move(labels), first)),
        made_(std::make_shared<std::vector<uint64_t>>()) {}

  // The labels from the first on, for one kernel. The streams share what is made; none is
  // thread-safe.
  std::function<uint64_t()> from_first() const {
    return [stream = stream_, made = made_, at = size_t{0}]() mutable {
      if (at == made->size()) {
        made->push_back(stream->next());
      }
      return (*made)[at++];
    };
  }

 private:
  std::shared_ptr<LabelStream> stream_;
  std::shared_ptr<std::vector<uint64_t>> made_;
};

// The parts of a pre-sort: labels with equal top `sort_bits` bits of label_bits(m).
class LabelParts {
 public:
  // Requires: 1 <= sort_bits <= label_bits(labels->buckets())
  LabelParts(std::shared_ptr<const LabelSource> labels, int sort_bits);

  uint64_t count() const;                     // parts that have buckets
  uint64_t first_label(uint64_t part) const;  // first label of a part
  uint64_t buckets_of_part() const { return uint64_t{1} << shift_; }
  // Labels of a part; null for a part without inputs. Shared with those who have them still. Not
  // thread-safe.
  std::shared_ptr<const LabelSource> labels_of(uint64_t part) const;
  // The part of the input at a position: parts are met as often as they have inputs.
  uint64_t part_of_input(uint64_t position) const;

 private:
  std::shared_ptr<const LabelSource> labels_;
  int shift_;
  mutable std::unordered_map<uint64_t, std::weak_ptr<const LabelSource>> made_;
  mutable std::unordered_set<uint64_t> empty_;
};

// Labels ordered by their top bits, from the middle of one part on, part after part.
class OrderedStream {
 public:
  // Starts in a part, at a share of its inputs. Requires: 0 <= share < 1
  OrderedStream(const LabelParts& parts, uint64_t part, double share);
  uint64_t next();

 private:
  void enter(uint64_t part, double share);

  const LabelParts& parts_;
  uint64_t part_ = 0;
  uint64_t left_ = 0;  // inputs of the part that are still to come
  std::unique_ptr<LabelStream> stream_;
};

}  // namespace presort::predict
