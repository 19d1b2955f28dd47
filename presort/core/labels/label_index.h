// An index of a sequence of labels: tells where the labels of a range stand, without going through
// all of them each time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace presort::inline v0 {

// The positions of all labels in a sequence, sorted by label. Immutable. 4 bytes a label, and 4
// more while it is made; 10 ns a label for every 11 bits.
class LabelIndex {
 public:
  // Builds the index.
  // Requires: fewer than 2^32 labels, all below 2^bits, 0 <= bits <= 64; the array of labels
  // outlives the index
  LabelIndex(std::span<const uint64_t> labels, int bits);

  // Positions of the labels in [low, high), ascending. Requires: low <= high
  std::vector<uint32_t> positions_in(uint64_t low, uint64_t high) const;

 private:
  std::span<const uint64_t> labels_;
  // Positions in the sequence, sorted by label; those of equal labels ascending
  std::vector<uint32_t> by_label_;
};

}  // namespace presort
