// Lines that are in the tags of a level but whose data are still on the way.
// A small direct-mapped table: an entry that another line overwrites is taken as arrived.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace presort::inline v0::sim {

class InFlight {
 public:
  struct Entry {
    // Line << 8 | term of the time stack for the level that the line comes from
    uint64_t line_and_source = ~uint64_t{0};
    double ready = 0;

    uint8_t source() const { return static_cast<uint8_t>(line_and_source); }
  };

  void set(uint64_t line, double ready, uint8_t source) {
    entries_[index(line)] = {line << 8 | source, ready};
  }

  // The entry of `line` if the line's data arrive after time `t`, else null.
  const Entry* find(uint64_t line, double t) const {
    const Entry& entry = entries_[index(line)];
    return entry.ready > t && entry.line_and_source >> 8 == line ? &entry : nullptr;
  }

 private:
  // log2 of the table's entries: several times the misses that can be outstanding, yet small for
  // the host's first-level cache.
  static constexpr int kIndexBits = 8;
  static size_t index(uint64_t line) { return (line * 0x9e3779b97f4a7c15ULL) >> (64 - kIndexBits); }
  std::array<Entry, size_t{1} << kIndexBits> entries_;
};

}  // namespace presort::sim
