// A buffer whose entries are taken in program order and freed in that order at retirement: the
// reorder buffer, the register file.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace presort::inline v0::sim {

class InOrderBuffer {
 public:
  // Makes a buffer with `entries` entries; 0: it never runs out of entries.
  explicit InOrderBuffer(uint64_t entries)
      : entries_(entries), ring_(std::bit_ceil(entries + 2)), mask_(ring_.size() - 1) {}

  // Time from which on the entries up to number `last` (counted from the first ever) fit: the time
  // at which all takers whose entries end at or before `last` less the size have retired.
  // Requires: `last` never decreases
  double free_from(uint64_t last) {
    while (tail_ != head_ && ring_[tail_].last + entries_ <= last) {
      free_ = ring_[tail_].retired;
      tail_ = next(tail_);
    }
    return free_;
  }

  // Notes that the entries up to number `last` are free from time `retired` on, if any of them were
  // not noted before.
  void push(double retired, uint64_t last) {
    if (entries_ == 0 || last == newest_) {
      return;
    }
    newest_ = last;
    ring_[head_] = {retired, last};
    head_ = next(head_);
  }

 private:
  struct Taken {
    double retired;
    uint64_t last;
  };

  size_t next(size_t i) const { return (i + 1) & mask_; }

  uint64_t entries_;
  // Entries taken and not yet known to be free; its length is a power of two
  std::vector<Taken> ring_;
  size_t mask_;
  size_t head_ = 0;
  size_t tail_ = 0;
  double free_ = 0;
  uint64_t newest_ = 0;
};

}  // namespace presort::sim
