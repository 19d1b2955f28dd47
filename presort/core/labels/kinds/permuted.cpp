// A random permutation of 0 … m-1, a new one (an epoch) for every m inputs.
#include <algorithm>

#include "presort/core/base/checked.h"
#include "presort/core/base/random.h"
#include "presort/core/labels/kinds/kinds.h"
#include "presort/core/labels/permutation.h"

namespace presort::inline v0 {
namespace {

// Limits that decide how the labels of a range are found in a permutation. Up to kMaxStored labels
// are kept in memory (32 MiB), if at most kMaxLooked positions must be looked at to find them. A
// larger range is a good part of the whole sequence and is filtered from it; where the whole
// sequence has more than kMaxFiltered labels, the range is drawn anew.
constexpr uint64_t kMaxStored = uint64_t{1} << 22;
constexpr uint64_t kMaxLooked = uint64_t{1} << 24;
constexpr uint64_t kMaxFiltered = uint64_t{1} << 26;

// The labels of a range, drawn anew: a permutation of all labels, seen in a range alone, is a
// permutation of the range's labels.
class DrawnRange : public RangedLabels {
 public:
  DrawnRange(const LabelSequence& sequence, LabelRange range)
      : RangedLabels(sequence, range, scaled(sequence.n, range.width(), sequence.m)),
        seed_(seed_of_range(sequence, range)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const uint64_t width = range().width();
    for (size_t done = 0; done < out.size();) {
      const Permutation permutation(width, random_u64(seed_, (first + done) / width));
      const uint64_t from = (first + done) % width;
      const size_t count = static_cast<size_t>(std::min<uint64_t>(out.size() - done, width - from));
      for (size_t i = 0; i < count; ++i) {
        out[done + i] = range().low + permutation(from + i);
      }
      done += count;
    }
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override;

  uint64_t seed_;
};

class PermutationLabels : public RangedLabels {
 public:
  explicit PermutationLabels(const LabelSequence& sequence)
      : RangedLabels(sequence, {0, sequence.m}, sequence.n) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    const uint64_t m = sequence().m;
    for (size_t done = 0; done < out.size();) {
      const Permutation permutation = permutation_of((first + done) / m);
      const uint64_t from = (first + done) % m;
      const size_t count = static_cast<size_t>(std::min<uint64_t>(out.size() - done, m - from));
      for (size_t i = 0; i < count; ++i) {
        out[done + i] = permutation(from + i);
      }
      done += count;
    }
  }

 private:
  Permutation permutation_of(uint64_t epoch) const {
    return Permutation(sequence().m, random_u64(sequence().seed, epoch));
  }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    const bool few = scaled(sequence().n, range.width(), sequence().m) <= kMaxStored &&
                     looked_at(range) <= kMaxLooked;
    if (!few && sequence().n > kMaxFiltered) {
      return std::make_shared<DrawnRange>(sequence(), range);
    }
    if (!few) {
      return make_filtered_labels(shared_from_this(), range, sequence().stop);
    }
    std::vector<uint64_t> labels;
    for (uint64_t first = 0; first < sequence().n;) {
      sequence().stop.check();
      const uint64_t count = std::min(sequence().n - first, sequence().m);
      append_epoch(first / sequence().m, count, range, labels);
      first += count;
    }
    const uint64_t size = labels.size();
    return make_stored_labels(std::move(labels), size, sequence().m);
  }

  // Number of positions, or labels, that must be looked at to find all labels of `range`.
  uint64_t looked_at(LabelRange range) const {
    const uint64_t last = sequence().n % sequence().m;
    return saturating_add(saturating_multiply(sequence().n / sequence().m, range.width()),
                          std::min(last, range.width()));
  }

  // Appends the labels of `range` among the first `count` labels of an epoch, in order of position.
  // Looks through the positions or through the range's labels, whichever are fewer.
  void append_epoch(uint64_t epoch, uint64_t count, LabelRange range,
                    std::vector<uint64_t>& labels) const {
    const Permutation permutation = permutation_of(epoch);
    if (count <= range.width()) {
      for (uint64_t position = 0; position < count; ++position) {
        const uint64_t label = permutation(position);
        if (label >= range.low && label < range.high) {
          labels.push_back(label);
        }
      }
      return;
    }
    const auto begin = static_cast<std::ptrdiff_t>(labels.size());
    for (uint64_t label = range.low; label < range.high; ++label) {
      const uint64_t position = permutation.inverse(label);
      if (position < count) {
        labels.push_back(position);
      }
    }
    std::sort(labels.begin() + begin, labels.end());
    std::for_each(labels.begin() + begin, labels.end(),
                  [&](uint64_t& slot) { slot = permutation(slot); });
  }
};

std::shared_ptr<const LabelSource> DrawnRange::narrowed(LabelRange range) const {
  return make_permutation_labels(sequence(), {})->restricted(range.low, range.high);
}

}  // namespace

std::shared_ptr<const LabelSource> make_permutation_labels(const LabelSequence& sequence,
                                                           const Distribution&) {
  return std::make_shared<PermutationLabels>(sequence);
}

}  // namespace presort
