#include "predict/closed_form/waiting_labels.h"

#include <algorithm>

namespace presort::predict {

namespace {
constexpr int kCellBits = 12;  // levels_ stays in the first-level cache
}  // namespace

WaitingLabels::WaitingLabels(int bits)
    : cell_bits_(std::max(0, bits - kCellBits)),
      levels_(size_t{1} << (bits - cell_bits_), 0),
      counts_(levels_.size() * static_cast<size_t>(cell_bits_ + 1), 0),
      wide_counts_(static_cast<size_t>(bits) + 1, 0),
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
  const uint64_t bit = uint64_t{1} << entry.level;
  const auto level = static_cast<size_t>(entry.level);
  const auto set = [&](auto& counter, uint64_t& levels) {
    counter = static_cast<std::decay_t<decltype(counter)>>(counter + change);
    levels = counter > 0 ? levels | bit : levels & ~bit;
  };
  if (entry.level > cell_bits_) {
    set(wide_counts_[level], wide_levels_);
  } else {
    const uint64_t cell = entry.label >> cell_bits_;
    set(counts_[cell * static_cast<size_t>(cell_bits_ + 1) + level], levels_[cell]);
  }
}

}  // namespace presort::predict
