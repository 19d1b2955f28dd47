// A random permutation of 0 … m-1, a new one (an epoch) for every m inputs.
#include <algorithm>

#include "core/labels_kinds.h"
#include "core/permutation.h"
#include "core/random.h"

namespace presort {
namespace {

// A restriction of at most so many labels is kept in memory (32 MiB); a larger one is filtered from
// the whole, of which it is then a good part.
constexpr uint64_t kMaxStored = uint64_t{1} << 22;

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
    if (scaled(sequence().n, range.width(), sequence().m) > kMaxStored) {
      return make_filtered_labels(shared_from_this(), range);
    }
    std::vector<uint64_t> labels;
    for (uint64_t first = 0; first < sequence().n;) {
      const uint64_t count = std::min(sequence().n - first, sequence().m);
      append_epoch(first / sequence().m, count, range, labels);
      first += count;
    }
    const uint64_t size = labels.size();
    return make_stored_labels(std::move(labels), size, sequence().m);
  }

  // Appends the labels of `range` among the first `count` of an epoch, in order of position. Looks
  // through the positions or through the labels, whichever are fewer.
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

}  // namespace

std::shared_ptr<const LabelSource> make_permutation_labels(const LabelSequence& sequence, double) {
  return std::make_shared<PermutationLabels>(sequence);
}

}  // namespace presort
