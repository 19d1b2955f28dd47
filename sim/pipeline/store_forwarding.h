// The latest stores by address, so that a load can take its data from the store buffer.
// A direct-mapped table of 4-byte granules: an entry that another store overwrites is taken as
// drained.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace presort::sim {

class StoreForwarding {
 public:
  struct Entry {
    uint64_t granule = ~uint64_t{0};
    uint64_t store = 0;
    double data_ready = 0;
    double drained = 0;  // when the store leaves the store buffer; infinite until it is known
  };

  // `store`: a number of its own
  void record(uint64_t address, uint8_t size, double data_ready, uint64_t store) {
    for (uint64_t granule = address >> 2; granule <= (address + size - 1) >> 2; ++granule) {
      entries_[index(granule)] = {granule, store, data_ready,
                                  std::numeric_limits<double>::infinity()};
    }
  }

  // The store leaves the store buffer at `t`.
  void drained(uint64_t address, uint8_t size, uint64_t store, double t) {
    for (uint64_t granule = address >> 2; granule <= (address + size - 1) >> 2; ++granule) {
      Entry& entry = entries_[index(granule)];
      if (entry.granule == granule && entry.store == store) {
        entry.drained = t;
      }
    }
  }

  // The latest store to the first granule of a load that starts at `t`, if it has not drained by
  // then.
  const Entry* find(uint64_t address, double t) const {
    const Entry& entry = entries_[index(address >> 2)];
    return entry.granule == address >> 2 && entry.drained > t ? &entry : nullptr;
  }

 private:
  static size_t index(uint64_t granule) { return (granule * 0x9e3779b97f4a7c15ULL) >> 55; }
  std::array<Entry, 512> entries_;
};

}  // namespace presort::sim
