// Reuse times of units (a line, a page, a digit of a partition: 2^k labels in order): how many
// inputs pass until a unit is touched again. Found for all sizes of units at once, in the whole
// sequence and in the parts of a partition by any number of leading bits, from a sample of the
// inputs; each sampled input is watched until its label comes again.
//
// An input touches the unit of 2^k labels that a watched label is in if the two labels differ in
// their last k bits alone. So a watched input waits for the largest unit that was not touched yet,
// and then for smaller ones. The 256 inputs after a watched input are compared one by one; after
// that, the labels that it waits for are rare, and are found by their leading bits. Bounded: at
// most 1024 inputs are watched, one from each of as many equal ranges of the sequence.
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
  // Prepares to watch a sample of labels [first, first + n) of the source, whose labels have `bits`
  // bits.
  ReuseTimes(const LabelSource& labels, uint64_t first, uint64_t n, int bits);

  // Adds the labels of the source, in their order: the second pass over the labels that the
  // constructor read.
  void add(std::span<const uint64_t> labels);
  // Ends the watch.
  // Requires: all labels were added; `counts` are finished and count the same labels
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

  // Number of inputs in the part of a label, for parts by each number of leading bits; the finest
  // parts first.
  using InParts = std::array<uint64_t, kPartBits + 1>;
  struct Watched {
    uint64_t at;
    uint64_t label;
    uint64_t near;   // number of inputs after the watched one that were compared one by one
    InParts inputs;  // how many of the `near` inputs are in the parts of the watched label
    int waits;       // log2 of the labels in the unit that the watched input waits for; -1: none
  };
  // An input that touches units of 2^from to 2^to labels that also hold a watched label.
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
  int finest_part_;  // log2 of the number of labels in a finest part
  std::vector<Watched> watched_;
  WaitingLabels waiting_;
  size_t next_ = 0;  // index of the next watched input to begin its waiting
  uint64_t added_ = 0;
  std::vector<Event> events_;
  std::vector<LifeTable> tables_;
};

}  // namespace presort::predict
