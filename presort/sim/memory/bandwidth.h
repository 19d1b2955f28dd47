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
      : cycles_per_byte_(1 / bytes_per_cycle),
        slot_cycles_(std::ceil(256.0 / bytes_per_cycle)),
        slots_per_cycle_(1 / slot_cycles_),
        capacity_(slot_cycles_ * bytes_per_cycle),
        slots_(kSlots) {}

  // Forgets all reservations. Takes constant time, as earlier reservations belong to slots with
  // other numbers.
  void restart() { first_slot_ += uint64_t{1} << 40; }

  // Reserves `bytes` at or after `t` (cycles); returns when their transfer starts.
  double reserve(double t, double bytes) {
    uint64_t slot = number_of(t);
    while (true) {
      float& used = used_in(slot);
      if (used + 1e-3 < capacity_) {
        const double begin = time_of(slot) + used * cycles_per_byte_;
        if (bytes < capacity_ - used) {
          used += static_cast<float>(bytes);
        } else {
          take(slot, bytes);
        }
        return begin > t ? begin : t;
      }
      ++slot;
    }
  }

 private:
  static constexpr uint64_t kSlots = 4096;

  struct Slot {
    uint64_t number = 0;  // number of the calendar slot that uses this ring entry
    float used = 0;       // bytes reserved in the slot
  };

  // Slot numbers are converted as signed numbers, for which processors have an instruction.
  double time_of(uint64_t slot) const {
    return static_cast<double>(static_cast<int64_t>(slot)) * slot_cycles_;
  }
  uint64_t number_of(double t) const {
    const auto slot = static_cast<uint64_t>(static_cast<int64_t>(t * slots_per_cycle_));
    // The product above may have been rounded down at the start of a slot, to the slot before.
    return time_of(slot + 1) <= t ? slot + 1 : slot;
  }

  float& used_in(uint64_t number) {
    Slot& slot = slots_[number % kSlots];
    if (slot.number != first_slot_ + number) {
      slot = {first_slot_ + number, 0};
    }
    return slot.used;
  }

  // Reserves bytes in `slot` and the slots after it. Bytes beyond the end of the calendar are
  // forgotten.
  [[gnu::noinline]] void take(uint64_t slot, double bytes) {
    const uint64_t end = slot + kSlots;
    while (bytes > 0 && slot != end) {
      float& used = used_in(slot);
      const double room = capacity_ - used;
      const double part = bytes < room ? bytes : (room > 0 ? room : 0);
      used += static_cast<float>(part);
      bytes -= part;
      ++slot;
    }
  }

  double cycles_per_byte_;
  double slot_cycles_;
  double slots_per_cycle_;
  double capacity_;          // bytes that fit into one slot
  std::vector<Slot> slots_;  // ring of slots, by slot number
  uint64_t first_slot_ = 0;
};

}  // namespace presort::sim
