#include "presort/core/choice/label_traits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace presort::inline v0 {
namespace {

// Counts how often each label of a sample occurs, with a hash table of positions in the sample. The
// table is at most a quarter full, so a slot seldom holds another label than the one looked for;
// that comparison is the only branch.
class Occurrences {
 public:
  explicit Occurrences(std::span<const uint64_t> labels) : labels_(labels) {
    for (size_t i = 0; i < labels.size(); ++i) {
      add(i);
    }
  }

  void count_into(LabelTraits& traits) const {
    uint64_t ordered_pairs = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < kSampledLabels; ++i) {
      const uint32_t count = uint32_t{counts_[0][i]} + counts_[1][i];
      ordered_pairs += count * count - count;
      most = std::max(most, count);
    }
    const uint64_t of_most = uint64_t{most} * most - most;
    traits.equal_pairs = ordered_pairs / 2;
    traits.most_frequent = most;
    traits.rest_equal_pairs = (ordered_pairs - of_most) / 2;
  }

 private:
  static constexpr int kSlotBits = 14;
  static constexpr size_t kSlots = size_t{1} << kSlotBits;
  static_assert(4 * kSampledLabels <= kSlots);

  void add(size_t place) {
    const uint64_t label = labels_[place];
    // The slot of a label by multiplicative hashing: the top bits of a product with 2^64 / φ
    // (Knuth, TAOCP 3, 6.4).
    size_t slot = (label * 0x9e3779b97f4a7c15ULL) >> (64 - kSlotBits);
    size_t first = first_of(slot, place);
    while (labels_[first] != label) {
      slot = (slot + 1) % kSlots;
      first = first_of(slot, place);
    }
    // A label that the table has already is written to a spare slot behind the table; if it were
    // written to its own slot, the next read of a frequent label would wait for the store. Two
    // counters for each label take turns for the same reason.
    slots_[first == place ? slot : kSlots] = static_cast<uint16_t>(place + 1);
    ++counts_[place % 2][first];
  }

  // Position in the sample that a slot holds, or `place` if the slot is empty.
  size_t first_of(size_t slot, size_t place) const {
    return slots_[slot] == 0 ? place : slots_[slot] - size_t{1};
  }

  std::span<const uint64_t> labels_;
  // hash slots: 1 + the position in the sample where the slot's label was seen first; 0: empty
  std::array<uint16_t, kSlots + 1> slots_{};
  // counts_[parity][p]: how often the label that was first seen at position p of the sample occurs
  // at even and at odd positions; 0 for other p.
  std::array<std::array<uint16_t, kSampledLabels>, 2> counts_{};
};

void count_step(Steps& steps, uint64_t from, uint64_t to) {
  steps.up += from < to ? 1 : 0;
  steps.down += to < from ? 1 : 0;
}

// The number of pairs (a[i], b[i]) for which the predicate holds, for every kStep-th i below
// `count`. Each predicate has a loop of its own: from several in one loop g++ 12 makes jumps, which
// are mispredicted.
template <size_t kStep, class Label, class Predicate>
uint32_t count_pairs(const Label* a, const Label* b, size_t count, const Predicate& predicate) {
  uint32_t counted = 0;
  for (size_t i = 0; i < count; i += kStep) {
    counted += predicate(a[i], b[i]) ? 1U : 0U;
  }
  return counted;
}

// Counts over the labels of a sample, each compared with the next one of its run; the last label of
// a run and the first of the next run are no neighbours.
template <class Label>
void look_inside_runs(std::span<const Label> labels, LabelTraits& traits) {
  if (labels.size() < 2) {
    return;
  }
  const size_t steps = labels.size() - 1;
  // Index of the first step between two labels that leads from one run to the next
  const size_t inner = std::min(steps, kRunLength - 1);
  const Label* from = labels.data();
  const auto inside = [&](const auto& predicate) {
    return count_pairs<1>(from, from + 1, steps, predicate) -
           count_pairs<kRunLength>(from + inner, from + inner + 1, steps - inner, predicate);
  };
  const auto in_one_window = [](Label a, Label b) {
    return (a ^ b) < static_cast<Label>(kNeighbourWindow);
  };
  traits.inside.up = inside([](Label a, Label b) { return a < b; });
  traits.inside.down = inside([](Label a, Label b) { return b < a; });
  traits.neighbours = {steps - steps / kRunLength, inside(in_one_window)};
  const size_t half = labels.size() / 2;
  traits.strangers = {half, count_pairs<1>(from, from + half, half, in_one_window)};
}

// Counts steps and shared windows inside runs of a sample. Labels below 2^31 are compared four at a
// time, by the instructions that every x86-64 has: in less than half the time.
void look_inside_runs(const LabelSample& sample, LabelTraits& traits) {
  std::array<int32_t, kSampledLabels> narrow;
  uint64_t all_bits = 0;
  for (size_t i = 0; i < sample.count; ++i) {
    all_bits |= sample.labels[i];
    narrow[i] = static_cast<int32_t>(sample.labels[i]);
  }
  if (all_bits <= std::numeric_limits<int32_t>::max()) {
    look_inside_runs(std::span<const int32_t>(narrow.data(), sample.count), traits);
  } else {
    look_inside_runs(sample.drawn(), traits);
  }
}

void look_between_runs(const LabelSample& sample, LabelTraits& traits) {
  const auto m = static_cast<double>(sample.m);
  const double labels_per_input = m / static_cast<double>(sample.n);
  const double rounding = m * 0x1p-50;
  double off_due = 0;
  for (size_t run = 0; run < sample.runs(); ++run) {
    const uint64_t label = sample.labels[run * kRunLength];
    const double due = static_cast<double>(sample.starts[run]) * labels_per_input;
    const double off = std::abs(static_cast<double>(label) - due);
    traits.in_proportion &= off <= 1 + rounding;
    off_due += std::min(off, std::abs(m - off));
    if (run > 0) {
      count_step(traits.between, sample.labels[(run - 1) * kRunLength], label);
    }
  }
  traits.off_due = off_due / (m * static_cast<double>(sample.runs()));
}

}  // namespace

LabelTraits traits_of(const LabelSample& sample) {
  LabelTraits traits;
  traits.n = sample.n;
  traits.m = sample.m;
  traits.count = sample.count;
  Occurrences(sample.drawn()).count_into(traits);
  look_inside_runs(sample, traits);
  look_between_runs(sample, traits);
  return traits;
}

}  // namespace presort
