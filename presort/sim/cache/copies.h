// Which cores may have a copy of a line: a table of counts, so that a core that writes or fetches a
// line looks only into the caches of others that may hold it. Simulated results are the same with
// and without the table.
//
// Lines share the places of the table by a hash. A place has a count for each holder (the caches
// that one core uses first): how many lines of the place its caches hold, a line in two caches
// twice. A count of 0 is certain; any other says only that a copy may be there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace presort::inline v0::sim {

class Copies {
 public:
  // Makes an empty table for `holders` holders whose caches hold up to `lines` lines each.
  // Requires: holders >= 1
  Copies(size_t holders, uint64_t lines)
      : words_((holders + kPerWord - 1) / kPerWord),
        shift_(64 -
               static_cast<int>(std::bit_width(std::bit_ceil(kPlacesPerLine * lines + 2) - 1))),
        counts_((size_t{1} << (64 - shift_)) * words_ * kPerWord) {}

  // A cache of `holder` has taken the line in, or given it up.
  void add(size_t holder, uint64_t line) {
    uint8_t& count = counts_[place(line) + holder];
    count = count == kMany ? kMany : static_cast<uint8_t>(count + 1);
  }
  // Requires: an add() of the holder and line that no other remove() was for
  void remove(size_t holder, uint64_t line) {
    uint8_t& count = counts_[place(line) + holder];
    count = count == kMany ? kMany : static_cast<uint8_t>(count - 1);
  }

  // False: no cache of the holder has the line.
  bool may_have(size_t holder, uint64_t line) const { return counts_[place(line) + holder] != 0; }
  // False: no cache of holders other than `holder` has the line.
  bool others_may_have(size_t holder, uint64_t line) const {
    const uint8_t* const counts = &counts_[place(line)];
    uint64_t any = 0;
    for (size_t word = 0; word < words_; ++word) {
      uint64_t eight = 0;
      std::memcpy(&eight, counts + word * kPerWord, kPerWord);
      any |= word == holder / kPerWord ? without(eight, holder % kPerWord) : eight;
    }
    return any != 0;
  }

 private:
  static constexpr size_t kPerWord = 8;
  // A place of a line that a holder does not have is taken by another line in at most 2 of 9 looks.
  static constexpr uint64_t kPlacesPerLine = 4;
  // A count that is not known any more, as it was too large once
  static constexpr uint8_t kMany = 255;

  static uint64_t without(uint64_t eight, size_t byte) {
    const size_t at = std::endian::native == std::endian::little ? byte : kPerWord - 1 - byte;
    return eight & ~(uint64_t{0xff} << (8 * at));
  }
  // Index of the first count of a line's place
  size_t place(uint64_t line) const {
    return static_cast<size_t>((line * 0x9e3779b97f4a7c15ULL) >> shift_) * words_ * kPerWord;
  }

  size_t words_;
  int shift_;
  std::vector<uint8_t> counts_;
};

}  // namespace presort::sim
