// A channel that moves a limited number of bytes per cycle. Requests may come out of order of time:
// the channel is a calendar of short slots, each with a capacity, and a request takes room in the
// first slots at or after its time that have any.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace presort::inline v0::sim {

class Bandwidth {
 public:
  // A channel without reservations. Requires: bytes_per_cycle > 0. A slot holds several lines, so
  // that rounding to slots stays small
  explicit Bandwidth(double bytes_per_cycle)
      : bytes_per_cycle_(bytes_per_cycle),
        cycles_per_byte_(1 / bytes_per_cycle),
        slot_cycles_(std::ceil(256.0 / bytes_per_cycle)),
        slots_per_cycle_(1 / slot_cycles_),
        used_(kSlots, 0.0F),
        epoch_(kSlots, 0) {}

  // Forgets all reservations. Takes constant time, as earlier reservations belong to slots with
  // other numbers.
  void restart() { first_slot_ += uint64_t{1} << 40; }

  // Reserves `bytes` at or after `t` (cycles); returns when their transfer starts.
  double reserve(double t, double bytes) {
    const double capacity = slot_cycles_ * bytes_per_cycle_;
    uint64_t slot = static_cast<uint64_t>(t * slots_per_cycle_);
    if (static_cast<double>(slot + 1) * slot_cycles_ <= t) {
      ++slot;  // corrects the slot when the product was rounded down
    }
    while (true) {
      float& used = used_in(slot);
      if (used + 1e-3 < capacity) {
        const double begin = static_cast<double>(slot) * slot_cycles_ + used * cycles_per_byte_;
        take(slot, bytes, capacity);
        return begin > t ? begin : t;
      }
      ++slot;
    }
  }

 private:
  static constexpr uint64_t kSlots = 4096;

  float& used_in(uint64_t slot) {
    const size_t i = slot % kSlots;
    if (epoch_[i] != first_slot_ + slot) {
      epoch_[i] = first_slot_ + slot;
      used_[i] = 0;
    }
    return used_[i];
  }

  // Takes bytes from the slots from `slot` on. Bytes beyond the whole calendar are forgotten.
  void take(uint64_t slot, double bytes, double capacity) {
    const uint64_t end = slot + kSlots;
    while (bytes > 0 && slot != end) {
      float& used = used_in(slot);
      const double room = capacity - used;
      const double part = bytes < room ? bytes : (room > 0 ? room : 0);
      used += static_cast<float>(part);
      bytes -= part;
      ++slot;
    }
  }

  double bytes_per_cycle_;
  double cycles_per_byte_;
  double slot_cycles_;
  double slots_per_cycle_;
  std::vector<float> used_;      // bytes taken in each slot
  std::vector<uint64_t> epoch_;  // number of the slot that each entry belongs to
  uint64_t first_slot_ = 0;
};

}  // namespace presort::sim
