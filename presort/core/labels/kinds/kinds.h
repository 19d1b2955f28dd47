// The kinds of label sources behind make_labels; only core/labels*.cpp include this. The times noted in the
// sources of the kinds are the best of 6 runs of a loop of LabelSource::generate on a two-core virtual
// machine, Golden-Cove-class core, 2026-11-21, g++ 12 -O3, while other work was running.
#pragma once

#include <cstdint>
#include <memory>

#include "presort/core/labels/labels.h"

namespace presort::inline v0 {

// A whole sequence of labels, before any restriction to a range.
struct LabelSequence {
  uint64_t n;
  uint64_t m;
  uint64_t seed;
  StopToken stop = {};  // asks long work on many labels to stop
};

// A range of labels, [low, high), never empty.
struct LabelRange {
  uint64_t low;
  uint64_t high;
  uint64_t width() const { return high - low; }
};

// A source that knows which range its labels are restricted to. A restriction of a restriction is
// the restriction of the whole sequence to what both ranges have in common.
class RangedLabels : public LabelSource, public std::enable_shared_from_this<RangedLabels> {
 public:
  uint64_t size() const final { return size_; }
  uint64_t buckets() const final { return sequence_.m; }
  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const final;

 protected:
  RangedLabels(const LabelSequence& sequence, LabelRange range, uint64_t size)
      : sequence_(sequence), range_(range), size_(size) {}

  const LabelSequence& sequence() const { return sequence_; }
  LabelRange range() const { return range_; }

 private:
  // The labels of the whole sequence that lie in `range`.
  virtual std::shared_ptr<const LabelSource> narrowed(LabelRange range) const = 0;

  LabelSequence sequence_;
  LabelRange range_;
  uint64_t size_;
};

// A source without any labels, of a sequence with m buckets.
std::shared_ptr<const LabelSource> make_empty_labels(uint64_t m);

// The labels of `base` that lie in `range`: all labels are generated once to count them, and later
// block by block.
// Errors: Stopped once `stop` asks for it
std::shared_ptr<const LabelSource> make_filtered_labels(std::shared_ptr<const LabelSource> base,
                                                        LabelRange range, StopToken stop);

// The index of the first input of a sequence of labels ⌊i · m / n⌋ whose label is at least `label`.
// Requires: label <= m
uint64_t first_index(const LabelSequence& sequence, uint64_t label);

// Labels ⌊i · m / n⌋ of inputs i from `first` on. Requires: they lie in the sequence
void generate_in_proportion(const LabelSequence& sequence, uint64_t first, std::span<uint64_t> out);

// Makes the source of one kind, with the parameters of its distribution.
using LabelFactory = std::shared_ptr<const LabelSource> (*)(const LabelSequence&,
                                                            const Distribution&);
std::shared_ptr<const LabelSource> make_uniform_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_zipf_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_zipf_contiguous_labels(const LabelSequence&,
                                                               const Distribution&);
std::shared_ptr<const LabelSource> make_clustered_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_sequential_labels(const LabelSequence&,
                                                          const Distribution&);
std::shared_ptr<const LabelSource> make_sorted_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_permutation_labels(const LabelSequence&,
                                                           const Distribution&);
std::shared_ptr<const LabelSource> make_degenerate_labels(const LabelSequence&,
                                                          const Distribution&);
std::shared_ptr<const LabelSource> make_rmat_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_word_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_cell_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_session_labels(const LabelSequence&, const Distribution&);
std::shared_ptr<const LabelSource> make_stray_labels(const LabelSequence&, const Distribution&);

// n · part / whole, rounded to the nearest integer. Requires: part <= whole, whole > 0
uint64_t scaled(uint64_t n, uint64_t part, uint64_t whole);

// The seed for labels that are drawn for `range` alone; the sequence's own seed where the range is
// all labels.
uint64_t seed_of_range(const LabelSequence& sequence, LabelRange range);

}  // namespace presort
