// Counts how often labels occur, by their leading bits, over time. A cell is a range of labels; all
// cells are equally long. Labels of each cell are counted in each of up to 64 equal slices of the
// sequence. The counts give the frequencies of units (digits of a partition, parts) and how they
// drift. Bounded: 64 slices of 2^12 cells, 1 MiB, and as much again once it is finished.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "presort/predict/closed_form/hit_ratios/reuse.h"
#include "presort/predict/closed_form/hit_ratios/strata.h"

namespace presort::inline v0::predict {

class CellCounts {
 public:
  // Makes counts for `n` labels of `bits` bits, which are then added in their order.
  CellCounts(uint64_t n, int bits);

  void add(std::span<const uint64_t> labels);
  // Ends the counting. Requires: all n labels were added
  void finish();

  // A part is a range of 2^shift labels. Parts narrower than a cell get even shares of the cell's
  // count.

  // The number of labels at positions [from, to) of the sequence in the part of `label`, taken as
  // evenly spread within slices.
  double between(int shift, uint64_t label, double from, double to) const;
  // Number of labels in the part of `label`, over the whole sequence.
  double all(int shift, uint64_t label) const;
  // The sizes, in inputs, of the parts that have inputs. There are at most as many as cells, since
  // all parts in one cell count as one size.
  std::vector<PartSizes> sizes(int shift) const;
  // Units are ranges of 2^unit_shift labels. Returns the units in a typical part of 2^part_shift
  // labels, as groups of equal popularity. Rates are per input of the part. They are taken in
  // slices that are long enough for 64 inputs a unit on average, so that chance does not make even
  // popularities look uneven.
  // Requires: unit_shift <= part_shift
  std::vector<Group> popularity(int unit_shift, int part_shift) const;

 private:
  static constexpr int kCellBits = 12;
  static constexpr uint64_t kSlices = 64;

  // Number of labels from the start of the sequence to the end of slice `slice` that lie in range
  // `range`, of 2^level cells.
  uint64_t until(int level, uint64_t slice, uint64_t range) const;
  uint64_t ranges(int level) const { return uint64_t{1} << (top_level_ - level); }
  int level_of(int shift) const;
  double share_of_cell(int shift) const;
  double until_input(int level, uint64_t range, double input) const;

  uint64_t n_;
  int bits_;
  int cell_shift_;
  int top_level_;
  uint64_t slice_inputs_;
  uint64_t added_ = 0;
  // counts_[level][slice · ranges + range]: number of labels
  std::vector<std::vector<uint32_t>> counts_;
};

}  // namespace presort::predict
