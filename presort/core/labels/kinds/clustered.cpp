// Runs of labels that share an aligned window of 64 labels. A run starts at input i with
// probability 1/K, whatever came before, so run lengths are geometric with mean K. The window is
// that of a label drawn uniformly at the run's start, so that every label is equally likely, also
// where the last window is short.
// Measured: 4 ns per label for K = 16 (machine and command: core/labels/kinds/kinds.h).
#include <algorithm>

#include "presort/core/base/random.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

constexpr uint64_t kWindow = 64;

uint64_t window_start(uint64_t label) {
  return label / kWindow * kWindow;
}

// The mean length of a run of clustered labels, counting only labels in `range`. If the range holds
// the part f of the run's window, a run of mean length K leaves one of mean length 1 + (K - 1) f,
// if it leaves any label. f is 1 for ranges of whole windows, and the range's part of the window
// for a range inside one; for a range that cuts windows at its ends it is the mean over the
// windows.
double mean_run_in(double mean_run, const LabelSequence& sequence, LabelRange range) {
  const uint64_t first = window_start(range.low);
  const uint64_t last = window_start(range.high - 1);
  const uint64_t end = sequence.m - last < kWindow ? sequence.m : last + kWindow;
  const double part = static_cast<double>(range.width()) / static_cast<double>(end - first);
  return 1 + (mean_run - 1) * part;
}

class ClusteredLabels : public RangedLabels {
 public:
  ClusteredLabels(const LabelSequence& sequence, LabelRange range, double mean_run)
      : RangedLabels(sequence, range, scaled(sequence.n, range.width(), sequence.m)),
        mean_run_(mean_run),
        start_seed_(random_u64(seed_of_range(sequence, range), 0)),
        window_seed_(random_u64(seed_of_range(sequence, range), 1)),
        label_seed_(random_u64(seed_of_range(sequence, range), 2)),
        start_bound_(bound_of(mean_run_in(mean_run, sequence, range))) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    LabelRange window = window_of_run(run_of(first));
    for (size_t i = 0; i < out.size(); ++i) {
      const uint64_t index = first + i;
      if (starts_run(index)) {
        window = window_of_run(index);
      }
      out[i] = window.low + bounded(random_u64(label_seed_, index), window.width());
    }
  }

 private:
  // The largest random word that starts a new run, so that one input in `mean_run` does.
  static uint64_t bound_of(double mean_run) {
    return mean_run <= 1 ? ~uint64_t{0} : static_cast<uint64_t>(0x1p64 / mean_run);
  }

  bool starts_run(uint64_t index) const {
    return index == 0 || random_u64(start_seed_, index) <= start_bound_;
  }

  // Index of the first label of the run that the label at `index` belongs to.
  uint64_t run_of(uint64_t index) const {
    while (!starts_run(index)) {
      --index;
    }
    return index;
  }

  LabelRange window_of_run(uint64_t start) const {
    const LabelRange all = range();
    const uint64_t label = all.low + bounded(random_u64(window_seed_, start), all.width());
    const uint64_t low = window_start(label);
    return {std::max(all.low, low), all.high - low < kWindow ? all.high : low + kWindow};
  }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return std::make_shared<ClusteredLabels>(sequence(), range, mean_run_);
  }

  double mean_run_;  // mean run length of the whole sequence
  uint64_t start_seed_;
  uint64_t window_seed_;
  uint64_t label_seed_;
  uint64_t start_bound_;
};

}  // namespace

std::shared_ptr<const LabelSource> make_clustered_labels(const LabelSequence& sequence,
                                                         const Distribution& distribution) {
  return std::make_shared<ClusteredLabels>(sequence, LabelRange{0, sequence.m},
                                           distribution.parameter);
}

}  // namespace presort
