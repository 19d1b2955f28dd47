// The time of each line's last use: a hash table from lines to times, from which no line is
// removed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/base/prefetch.h"

namespace presort::inline v0::sim {

class LineTimes {
 public:
  LineTimes() : slots_(kFirstSlots) {}

  // The last-use time of `line`, valid until the next call; a line not met before gets kNever.
  // Requires: line < 2^63
  uint64_t& operator[](uint64_t line) {
    Slot* slot = find(line);
    if (slot->line == line) {
      return slot->time;
    }
    if (size_ >= slots_.size() / 8 * 5) {
      grow();
      slot = find(line);
    }
    ++size_;
    slot->line = line;
    return slot->time;
  }
  static constexpr uint64_t kNever = ~uint64_t{0};

  uint64_t size() const { return size_; }  // number of lines in the table

  // Replaces every time by change(time), kNever excepted.
  template <class Change>
  void change_times(Change change) {
    for (Slot& slot : slots_) {
      if (slot.time != kNever) {
        slot.time = change(slot.time);
      }
    }
  }

  // Prefetches, on the host, the memory that looking `line` up will read.
  void prefetch(uint64_t line) const { prefetch_to_write(slots_.data() + home(line)); }

 private:
  static constexpr size_t kFirstSlots = 1024;
  static constexpr uint64_t kNoLine = ~uint64_t{0};

  struct Slot {
    uint64_t line = kNoLine;
    uint64_t time = kNever;
  };

  // The slot at which the search for `line` begins. Four lines in a row stand side by side, in one
  // line of the host, so that sequential accesses miss a quarter as often.
  size_t home(uint64_t line) const {
    constexpr int kRowBits = 2;
    const uint64_t spread = (line >> kRowBits) * 0x9e3779b97f4a7c15ULL;
    const uint64_t row = spread >> (kRowBits + std::countl_zero(slots_.size() - 1));
    return row << kRowBits | (line & ((1U << kRowBits) - 1));
  }

  // The slot of a line in the hash table, or the empty slot where the line belongs.
  Slot* find(uint64_t line) {
    const size_t mask = slots_.size() - 1;
    size_t at = home(line);
    while (slots_[at].line != line && slots_[at].line != kNoLine) {
      at = (at + 1) & mask;
    }
    return &slots_[at];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.line != kNoLine) {
        *find(slot.line) = slot;
      }
    }
  }

  std::vector<Slot> slots_;  // slots of the table, a power of two in number
  uint64_t size_ = 0;
};

}  // namespace presort::sim
