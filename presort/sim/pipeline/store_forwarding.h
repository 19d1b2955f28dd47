// The latest stores by address, so that a load can take its data from the store buffer: from one
// store that has all of them. Where the youngest store to any of its bytes has not all of them, a
// load waits until that store has entered the first level.
// A direct-mapped table of 4-byte granules: a store whose entry another one takes is as good as
// drained.
// Source:   Intel 64 and IA-32 Architectures Optimization Reference Manual, "Store Forwarding": the
//           load's data must be contained in those of the store.
// Measured: docs/results/loops.md, "Loads of several stores"
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace presort::inline v0::sim {

class StoreForwarding {
 public:
  // The result of a load's search in the store buffer.
  struct Found {
    bool forwards = false;  // true: one store in the buffer has all the load's data
    double data_ready = 0;  // time when the forwarded data are ready, cycles
    // Store that must leave the buffer before the other data are there
    std::optional<uint64_t> waits_for;
  };

  // `entries`: number of entries of the store buffer, among which a load looks for stores.
  // Requires: entries >= 1
  explicit StoreForwarding(size_t entries)
      : stores_(std::bit_ceil(entries + 1)), mask_(stores_.size() - 1) {}

  // Notes a store. Requires: stores are numbered in their order, without gaps but for those that
  // forward nothing
  void record(uint64_t address, uint8_t size, double data_ready, uint64_t store) {
    stores_[place(store)] = {store, address, size, data_ready,
                             std::numeric_limits<double>::infinity()};
    for (uint64_t granule = address >> 2; granule <= (address + size - 1) >> 2; ++granule) {
      latest_[index(granule)] = {granule, store};
    }
  }

  // Notes that a store leaves the store buffer at `t`.
  void drained(uint64_t store, double t) {
    Store& drained = stores_[place(store)];
    if (drained.number == store) {
      drained.drained = t;
    }
  }

  // Looks for the data of a load that starts at `t` (cycles) in the stores that are still in the
  // store buffer then. A 64-byte load stands for several instructions that load a register each.
  Found find(uint64_t address, uint8_t size, double t) const {
    Found found;
    const uint64_t granule = address >> 2;
    const bool in_one_granule = (address + size - 1) >> 2 == granule;
    if (in_one_granule && latest_[index(granule)].granule != granule) {
      return found;  // the common case: no store to these bytes is known
    }
    const uint64_t piece = size < kLine ? size : kRegister;
    for (uint64_t at = address; at < address + size; at += piece) {
      add_piece(at, std::min(piece, address + size - at), t, found);
    }
    return found;
  }

 private:
  static constexpr uint64_t kLine = 64;      // bytes of a cache line
  static constexpr uint64_t kRegister = 16;  // bytes of a register of every x86-64 processor

  struct Latest {
    uint64_t granule = ~uint64_t{0};
    uint64_t store = 0;
  };
  struct Store {
    uint64_t number = ~uint64_t{0};
    uint64_t address = 0;
    uint64_t size = 0;
    double data_ready = 0;
    // Time when the store leaves the store buffer, cycles; infinite until known
    double drained = 0;
  };

  size_t place(uint64_t store) const { return store & mask_; }
  static size_t index(uint64_t granule) { return (granule * 0x9e3779b97f4a7c15ULL) >> 54; }

  void add_piece(uint64_t address, uint64_t size, double t, Found& found) const {
    const Store* youngest = nullptr;
    for (uint64_t granule = address >> 2; granule <= (address + size - 1) >> 2; ++granule) {
      const Latest& latest = latest_[index(granule)];
      const Store& store = stores_[place(latest.store)];
      if (latest.granule == granule && store.number == latest.store && store.drained > t &&
          (youngest == nullptr || store.number > youngest->number)) {
        youngest = &store;
      }
    }
    if (youngest == nullptr) {
      return;
    }
    if (youngest->address <= address && address + size <= youngest->address + youngest->size) {
      found.forwards = true;
      found.data_ready = std::max(found.data_ready, youngest->data_ready);
    } else {
      found.waits_for = std::max(found.waits_for.value_or(0), youngest->number);
    }
  }

  std::array<Latest, 1024> latest_;
  std::vector<Store> stores_;  // the latest stores, by store number modulo a power of two
  uint64_t mask_;
};

}  // namespace presort::sim
