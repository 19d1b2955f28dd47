// A set of times that tells how many of its members are later than a given one; the LRU stack keeps
// each line's last use in it. Times are given out in ascending order; when none is left the members
// are renumbered.
// Source: Bennett & Kruskal, "LRU stack processing", IBM J. Res. Dev. 19(4), 1975; sums as in
// Fenwick, "A new data structure for cumulative frequency tables", Software: Practice and
// Experience 24(3), 1994, over blocks of a bit map.
#pragma once

#include <cstdint>
#include <vector>

namespace presort::inline v0::sim {

class LiveTimes {
 public:
  // Makes an empty set with `capacity` times to give out.
  // Requires: capacity is a positive multiple of kBlockTimes
  explicit LiveTimes(uint64_t capacity);

  static constexpr uint64_t kBlockTimes = 512;

  uint64_t size() const { return size_; }
  // True: all times of the capacity have been given out, so the members must be renumbered
  bool full() const { return next_ == capacity_; }

  // Adds a member that is later than all others.
  // Requires: not full()
  uint64_t append() {
    if (next_ % kBlockTimes == 0 && next_ > 0) {
      close_block(next_ / kBlockTimes - 1);
    }
    bits_[next_ / 64] |= uint64_t{1} << next_ % 64;
    ++size_;
    return next_++;
  }

  // Removes a time and returns how many members are later. O(log n).
  // Requires: time is a member
  uint64_t remove(uint64_t time) {
    const uint64_t later = size_ - 1 - count_before(time);
    bits_[time / 64] &= ~(uint64_t{1} << time % 64);
    --size_;
    change_count(time / kBlockTimes, -1);
    return later;
  }

  // Renumbers the members 0, 1, …, size() - 1 in their order, so that at least three quarters of
  // the capacity, which grows when it has to, are left. `old_to_new(renumber)` is called in
  // between, while renumber(time) gives the new number of a member; for other times below the
  // capacity it gives some number.
  template <class OldToNew>
  void compact(OldToNew old_to_new) {
    find_starts();
    old_to_new([this](uint64_t time) { return starts_[time / kBlockTimes] + in_block(time); });
    renumber();
  }

 private:
  static constexpr uint64_t kBlockWords = kBlockTimes / 64;

  // The number of members before `time` in its block. The bits of all words are counted together,
  // because counting word by word is a function call each on processors without a population count.
  uint64_t in_block(uint64_t time) const;
  static uint64_t bytes_of_counts(uint64_t word);

  uint64_t count_before(uint64_t time) const {
    uint64_t sum = in_block(time);
    for (uint64_t block = time / kBlockTimes; block > 0; block &= block - 1) {
      sum += sums_[block - 1];
    }
    return sum;
  }

  // Changes the number of members in a block. The block that is being filled is not in the sums.
  void change_count(uint64_t block, int by) {
    if (block < closed_) {
      for (; block < sums_.size(); block |= block + 1) {
        sums_[block] += static_cast<uint32_t>(by);
      }
    }
  }

  uint64_t block_size(uint64_t block) const;
  void close_block(uint64_t block);
  void find_starts();
  void renumber();

  uint64_t capacity_;
  uint64_t next_ = 0;
  uint64_t size_ = 0;
  uint64_t closed_ = 0;         // number of blocks whose times have all been given out
  std::vector<uint64_t> bits_;  // one bit for each time, set if the time is a member
  // Fenwick sums: sums_[i] is the number of members in the blocks from (i & i + 1) to i.
  std::vector<uint32_t> sums_;
  // Number of members before each block of times; used while renumbering
  std::vector<uint64_t> starts_;
};

// Counts bits bytewise: each byte of the result is the number of ones in that byte.
inline uint64_t LiveTimes::bytes_of_counts(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555ULL;
  word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
  return (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
}

inline uint64_t LiveTimes::in_block(uint64_t time) const {
  const uint64_t* word = bits_.data() + time / kBlockTimes * kBlockWords;
  const uint64_t* last = bits_.data() + time / 64;
  uint64_t counts = 0;  // eight counts of one bits, a byte each, at most 64
  for (; word != last; ++word) {
    counts += bytes_of_counts(*word);
  }
  counts += bytes_of_counts(*last & ((uint64_t{1} << time % 64) - 1));
  constexpr uint64_t kEvenBytes = 0x00ff00ff00ff00ffULL;
  counts = (counts & kEvenBytes) + (counts >> 8 & kEvenBytes);
  return counts * 0x0001000100010001ULL >> 48;
}

}  // namespace presort::sim
