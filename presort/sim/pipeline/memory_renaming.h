// Memory renaming: a load that always takes the data of the last store to its address learns to
// take them without going through the store buffer, as in cores that rename memory.
#pragma once

#include <array>
#include <cstdint>

namespace presort::inline v0::sim {

// A direct-mapped table with the address and the streak of forwarded loads of each load
// instruction.
class MemoryRenaming {
 public:
  // Forwarded loads in a row after which a load instruction is renamed.
  // Measured: buckets updated k times each in a row take 4.7, 6.1, 4.1, 3.0, 2.3, 2.1 cycles an
  // update for k = 64, 128, 256, 512, 1024, 2048, and 7.2 where the address is no single register
  // (Golden Cove, 2026-11-21).
  static constexpr uint32_t kLearnt = 128;

  // Notes a software prefetch. A load that comes after one is not renamed; this was measured in the
  // direct loop on a Golden Cove and on an Emerald Rapids host, and the reason is not known.
  void prefetch() { ++prefetches_; }

  // Notes a load, and says whether it is renamed. `forwarded` says whether its data are in the
  // store buffer; if not, nothing is learnt and nothing forgotten.
  bool load(uint64_t instruction, uint64_t address, bool forwarded) {
    Entry& entry = entries_[(instruction * 0x9e3779b97f4a7c15ULL) >> 56];
    if (entry.instruction != instruction || entry.address != address) {
      entry = {instruction, address, prefetches_, 0};
    } else if (entry.prefetches != prefetches_) {
      entry.prefetches = prefetches_;
      return false;
    } else if (forwarded && entry.streak < kLearnt) {
      ++entry.streak;
      return false;
    }
    return entry.streak == kLearnt;
  }

 private:
  struct Entry {
    uint64_t instruction = 0;
    uint64_t address = 0;
    // Number of software prefetches before the instruction's latest execution
    uint64_t prefetches = 0;
    uint32_t streak = 0;
  };
  uint64_t prefetches_ = 0;
  std::array<Entry, 256> entries_{};
};

}  // namespace presort::sim
