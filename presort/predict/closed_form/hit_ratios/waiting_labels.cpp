#include "presort/predict/closed_form/hit_ratios/waiting_labels.h"

#include <algorithm>

namespace presort::inline v0::predict {

namespace {
// Leading bits of a label that give its cell: so few that levels_ fits the first-level cache
constexpr int kCellBits = 12;
}  // namespace

WaitingLabels::WaitingLabels(int bits)
    : cell_bits_(std::max(0, bits - kCellBits)),
      levels_(size_t{1} << (bits - cell_bits_), 0),
      levels_of_cell_(static_cast<size_t>(bits) + 1),
      counts_(levels_.size() * levels_of_cell_, 0),
      heads_(size_t{1} << kHashBits, kNone) {}

void WaitingLabels::add(uint32_t name, uint64_t label, int level) {
  if (name >= entries_.size()) {
    entries_.resize(name + 1);
  }
  uint32_t& head = heads_[hash(label, level)];
  entries_[name] = {label, level, head};
  head = name;
  count(entries_[name], 1);
}

void WaitingLabels::count(const Entry& entry, int change) {
  // Number of bits by which the awaited range of labels is wider than a cell
  const int wider = std::max(0, entry.level - cell_bits_);
  const uint64_t first = entry.label >> cell_bits_ >> wider << wider;
  uint16_t& waiting = counts_[first * levels_of_cell_ + static_cast<size_t>(entry.level)];
  const bool was = waiting > 0;
  waiting = static_cast<uint16_t>(waiting + change);
  if (was == (waiting > 0)) {
    return;
  }
  const uint64_t end = std::min<uint64_t>(levels_.size(), first + (uint64_t{1} << wider));
  for (uint64_t cell = first; cell < end; ++cell) {
    levels_[cell] ^= uint64_t{1} << entry.level;
  }
}

}  // namespace presort::predict
