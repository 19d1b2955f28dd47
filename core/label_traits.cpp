#include "core/label_traits.h"

#include <cmath>

namespace presort {
namespace {

constexpr uint64_t pairs_of(uint64_t count) {
  return count == 0 ? 0 : count * (count - 1) / 2;
}

// How often each label of a sample occurs: a hash table of places in the sample, at most half full.
class Occurrences {
 public:
  explicit Occurrences(std::span<const uint64_t> labels) : labels_(labels) {
    for (size_t i = 0; i < labels.size(); ++i) {
      add(i);
    }
  }

  void count_into(LabelTraits& traits) const {
    for (size_t i = 0; i < labels_.size(); ++i) {
      traits.equal_pairs += pairs_of(counts_[i]);
      traits.most_frequent = std::max<size_t>(traits.most_frequent, counts_[i]);
    }
    traits.rest_equal_pairs = traits.equal_pairs - pairs_of(traits.most_frequent);
  }

 private:
  static constexpr int kSlotBits = 13;
  static_assert((size_t{1} << kSlotBits) >= 2 * kSampledLabels);

  void add(size_t place) {
    const uint64_t label = labels_[place];
    // Multiplicative hashing: the top bits of a product with 2^64 / φ (Knuth, TAOCP 3, 6.4).
    for (size_t slot = (label * 0x9e3779b97f4a7c15ULL) >> (64 - kSlotBits);;
         slot = (slot + 1) % slots_.size()) {
      if (slots_[slot] == 0) {
        slots_[slot] = static_cast<uint16_t>(place + 1);
        counts_[place] = 1;
        return;
      }
      const size_t first = slots_[slot] - size_t{1};
      if (labels_[first] == label) {
        ++counts_[first];
        return;
      }
    }
  }

  std::span<const uint64_t> labels_;
  std::array<uint16_t, size_t{1} << kSlotBits> slots_{};  // 1 + where the label was seen first
  std::array<uint16_t, kSampledLabels> counts_{};         // at that place; elsewhere 0
};

void count_step(Steps& steps, uint64_t from, uint64_t to) {
  steps.up += from < to ? 1 : 0;
  steps.down += to < from ? 1 : 0;
}

void count_pair(SameWindow& windows, uint64_t a, uint64_t b) {
  ++windows.pairs;
  windows.same += a / kNeighbourWindow == b / kNeighbourWindow ? 1 : 0;
}

void look_inside_runs(std::span<const uint64_t> labels, LabelTraits& traits) {
  for (size_t first = 0; first < labels.size(); first += kRunLength) {
    const size_t last = std::min(first + kRunLength, labels.size());
    for (size_t i = first + 1; i < last; ++i) {
      count_step(traits.inside, labels[i - 1], labels[i]);
      count_pair(traits.neighbours, labels[i - 1], labels[i]);
    }
  }
  const size_t half = labels.size() / 2;
  for (size_t i = 0; i < half; ++i) {
    count_pair(traits.strangers, labels[i], labels[i + half]);
  }
}

void look_between_runs(const LabelSample& sample, LabelTraits& traits) {
  const double labels_per_input = static_cast<double>(sample.m) / static_cast<double>(sample.n);
  const double rounding = static_cast<double>(sample.m) * 0x1p-50;
  for (size_t run = 0; run < sample.runs(); ++run) {
    const uint64_t label = sample.labels[run * kRunLength];
    const double due = static_cast<double>(sample.starts[run]) * labels_per_input;
    traits.in_proportion &= std::abs(static_cast<double>(label) - due) <= 1 + rounding;
    if (run > 0) {
      count_step(traits.between, sample.labels[(run - 1) * kRunLength], label);
    }
  }
}

}  // namespace

LabelTraits traits_of(const LabelSample& sample) {
  LabelTraits traits;
  traits.n = sample.n;
  traits.m = sample.m;
  traits.count = sample.count;
  Occurrences(sample.drawn()).count_into(traits);
  look_inside_runs(sample.drawn(), traits);
  look_between_runs(sample, traits);
  return traits;
}

}  // namespace presort
