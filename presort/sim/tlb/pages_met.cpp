#include "presort/sim/tlb/pages_met.h"

#include <bit>
#include <utility>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim {

namespace {

constexpr int kSmallShift = 12;  // pages are asked about by their number in units of 4 KiB

}  // namespace

size_t PagesMet::place_of(uint64_t frame, int shift) const {
  const size_t mask = entries_.size() - 1;
  size_t place = mix64(frame) & mask;
  while (entries_[place].table != nullptr &&
         (entries_[place].frame != frame || entries_[place].shift != shift)) {
    place = (place + 1) & mask;
  }
  return place;
}

void PagesMet::grow() {
  std::vector<Entry> old(entries_.empty() ? 1024 : 2 * entries_.size());
  std::swap(old, entries_);
  for (const Entry& entry : old) {
    if (entry.table != nullptr) {
      entries_[place_of(entry.frame, entry.shift)] = entry;
    }
  }
}

void PagesMet::note(uint64_t number, int shift, const PageTable& table) {
  if (2 * (used_ + 1) > entries_.size()) {
    grow();
  }
  const uint64_t frame = table.data_address(number << shift, shift) >> shift;
  Entry& entry = entries_[place_of(frame, shift)];
  used_ += entry.table == nullptr;
  entry = {frame, number, &table, shift};
  shifts_ |= uint64_t{1} << shift;
}

bool PagesMet::knows(uint64_t number, int shift, const PageTable& table) const {
  if (entries_.empty()) {
    return false;
  }
  const Entry& entry =
      entries_[place_of(table.data_address(number << shift, shift) >> shift, shift)];
  return entry.table == &table && entry.number == number;
}

std::optional<uint64_t> PagesMet::beside(uint64_t page, int direction) const {
  for (uint64_t left = shifts_; left != 0; left &= left - 1) {
    const int shift = std::countr_zero(left);
    const int within = shift - kSmallShift;  // log2 of the 4 KiB pages of a frame
    const Entry& entry = entries_[place_of(page >> within, shift)];
    if (entry.table == nullptr) {
      continue;
    }
    const uint64_t first = entry.number << within;  // 4 KiB page number of the virtual page's begin
    const uint64_t wanted =
        first + (page - (page >> within << within)) + static_cast<uint64_t>(direction);
    return entry.table->data_address(wanted << kSmallShift, shift) >> kSmallShift;
  }
  return std::nullopt;
}

}  // namespace presort::sim
