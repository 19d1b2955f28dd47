// Lines that are in the tags of a level but whose data are still on the way.
// A small direct-mapped table: an entry that another line overwrites is taken as arrived.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace presort::sim {

class InFlight {
 public:
  struct Entry {
    uint64_t line = ~uint64_t{0};
    double ready = 0;
    uint8_t source = 0;  // level that it comes from
  };

  void set(uint64_t line, double ready, uint8_t source) {
    entries_[index(line)] = {line, ready, source};
  }

  // The entry of `line` if its data arrive after `t`, else null.
  const Entry* find(uint64_t line, double t) const {
    const Entry& entry = entries_[index(line)];
    return entry.line == line && entry.ready > t ? &entry : nullptr;
  }

 private:
  static size_t index(uint64_t line) { return (line * 0x9e3779b97f4a7c15ULL) >> 55; }
  std::array<Entry, 512> entries_;
};

}  // namespace presort::sim
