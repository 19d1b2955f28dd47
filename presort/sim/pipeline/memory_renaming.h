// Memory renaming: a load that always takes the data of the last store to its address learns to
// take them without going through the store buffer, as in cores that rename memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace presort::inline v0::sim {

// A direct-mapped table with the address and the streak of forwarded loads of each load
// instruction.
class MemoryRenaming {
 public:
  // `learnt`: forwarded loads in a row of one address after which a load instruction is renamed.
  // Measured, cycles of an update of buckets that are updated k times each in a row:
  // k = 64, 128, 256, 512, 1024, 2048: 4.7, 6.1, 4.1, 3.0, 2.3, 2.1, and 7.2 where the address is
  // no single register (Golden Cove, 2026-11-21: 128); k = 16, 24, 64, 256: 2.6, 3.6, 2.1, 1.4, and
  // 7.3 of buckets in turn (Zen 5, 2026-11-26: 8 to 10).
  // `after_strays`: as many where the load met another address before it was renamed. One bucket,
  // with an update of another one after each k: k = 16, 64, 128, 256, 512: 7.4, 5.9, 4.5, 2.8, 2.0;
  // at random with that share 7.3, 5.2, 3.5, 2.6, 2.1 (Zen 5: 64 to 70).
  // `beside_prefetch`: a software prefetch of the load's line since its last execution does not
  // matter. On a Golden Cove and on an Emerald Rapids host the direct loop shows that it does, the
  // reason is not known; on a Zen 5 it does not. Prefetches of other lines never matter: the way back
  // of a pre-sort takes 2.9 cycles an input of one digit, with a prefetch of a result for each
  // (Golden Cove, 2026-11-27).
  MemoryRenaming(uint32_t learnt, uint32_t after_strays, bool beside_prefetch)
      : learnt_(learnt), after_strays_(after_strays), beside_prefetch_(beside_prefetch) {}

  // Notes a software prefetch.
  void prefetch(uint64_t address) {
    if (!beside_prefetch_) {
      fetched_[slot(address >> kLineShift)] = {address >> kLineShift, ++prefetches_};
    }
  }

  // Notes a load, and says whether it is renamed. `forwarded` says whether its data are in the
  // store buffer; if not, nothing is learnt and nothing forgotten.
  bool load(uint64_t instruction, uint64_t address, bool forwarded) {
    Entry& entry = entries_[slot(instruction)];
    const uint64_t before = std::exchange(entry.prefetches, prefetches_);
    if (entry.instruction != instruction) {
      entry = {instruction, address, prefetches_, 0, learnt_};
    } else if (entry.address != address) {
      const bool was_renamed = entry.streak == entry.needed;
      entry = {instruction, address, prefetches_, 0, was_renamed ? learnt_ : after_strays_};
    } else if (before != prefetches_ && is_fetched_since(before, address >> kLineShift)) {
      return false;
    } else if (forwarded && entry.streak < entry.needed) {
      ++entry.streak;
      return false;
    }
    return entry.streak == entry.needed;
  }

 private:
  static constexpr int kLineShift = 6;

  // A software prefetch of a line: its number, counted from one.
  struct Fetched {
    uint64_t line = 0;
    uint64_t number = 0;
  };
  static size_t slot(uint64_t key) { return (key * 0x9e3779b97f4a7c15ULL) >> 56; }
  bool is_fetched_since(uint64_t number, uint64_t line) const {
    const Fetched& last = fetched_[slot(line)];
    return last.line == line && last.number > number;
  }

  struct Entry {
    uint64_t instruction = 0;
    uint64_t address = 0;
    // Number of software prefetches before the instruction's latest execution
    uint64_t prefetches = 0;
    uint32_t streak = 0;
    uint32_t needed = 1;  // streak from which on the load is renamed
  };
  uint32_t learnt_;
  uint32_t after_strays_;
  bool beside_prefetch_;
  uint64_t prefetches_ = 0;
  std::array<Entry, 256> entries_{};
  // Latest software prefetches, direct-mapped by line
  std::array<Fetched, 256> fetched_{};
};

}  // namespace presort::sim
