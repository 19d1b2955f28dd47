// Reuse times of units (a line, a page, a digit of a partition: 2^k labels in order): how many
// inputs pass until a unit is met again. For all sizes of units at once, in the whole sequence and
// in the parts of a partition by any number of leading bits. From a sample of the inputs, each
// watched until its label comes again.
//
// A label that comes after another touches its unit of 2^k labels if the two differ in their last k
// bits alone. So a watched input waits for the largest unit that was not touched yet, and then for
// smaller ones. The 256 inputs that follow it are looked at one by one; after that, the labels that
// it waits for seldom come, and are found by their leading bits. Bounded: at most 1024 inputs are
// watched, one from each of as many equal stretches.
// Source: sampled reuse times as in StatCache, Berg & Hagersten, "StatCache: a probabilistic
//         approach to efficient and accurate data locality analysis", ISPASS 2004
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/predict/closed_form/hit_ratios/cell_counts.h"
#include "presort/predict/closed_form/hit_ratios/survival.h"
#include "presort/predict/closed_form/hit_ratios/waiting_labels.h"

namespace presort::inline v0::predict {

class ReuseTimes {
 public:
  // Prepares to watch a sample of labels [first, first + n) of the source, whose labels have `bits` bits.
  ReuseTimes(const LabelSource& labels, uint64_t first, uint64_t n, int bits);

  // Adds the labels of the source, in their order: a second look at those the constructor saw.
  void add(std::span<const uint64_t> labels);
  // Ends the watch. Requires: all labels were added; `counts` are those of the same labels,
  // finished
  void finish(const CellCounts& counts);

  // Most leading bits by which partitions are distinguished.
  static constexpr int kPartBits = 16;

  // Reuse times of units of 2^unit_shift labels, counted in inputs of their part, which has
  // 2^part_shift labels.
  // Requires: unit_shift <= part_shift <= bits, part_shift >= bits - kPartBits
  const LifeTable& table(int unit_shift, int part_shift) const {
    return tables_[index(unit_shift, part_shift)];
  }

 private:
  static constexpr uint64_t kWatched = 1024;
  static constexpr uint64_t kNear = 256;

  // Number of inputs in the parts by each number of leading bits, finest parts first.
  using InParts = std::array<uint64_t, kPartBits + 1>;
  struct Watched {
    uint64_t at;
    uint64_t label;
    uint64_t near;   // following inputs that were looked at one by one
    InParts inputs;  // how many of `near` are in the parts of the watched label
    int waits;       // bits of the unit that it waits for; -1: none
  };
  // An input that touches the units of 2^from to 2^to labels that hold a watched label.
  struct Event {
    uint32_t watched;
    int from;
    int to;
    uint64_t inputs;
  };

  size_t index(int unit_shift, int part_shift) const {
    return static_cast<size_t>(unit_shift) * (kPartBits + 1) +
           static_cast<size_t>(part_shift - finest_part_);
  }
  void meet(uint64_t label);
  void look_near(std::span<const uint64_t> following, Watched& watched);
  template <class Add>
  void for_each_table(int from, int to, const InParts& inputs, Add add);
  InParts in_parts(const CellCounts& counts, const Watched& watched, uint64_t inputs) const;

  uint64_t n_;
  int bits_;
  int finest_part_;  // bits of the labels of a finest part
  std::vector<Watched> watched_;
  WaitingLabels waiting_;
  size_t next_ = 0;  // index of the watched input that waits next
  uint64_t added_ = 0;
  std::vector<Event> events_;
  std::vector<LifeTable> tables_;
};

}  // namespace presort::predict
