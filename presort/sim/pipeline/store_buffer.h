// The store buffer: entries are taken at dispatch and given back in program order, when a store has
// entered the first level (a streaming store: when it has been accepted). From retirement on a
// store waits here for its turn, and only then asks the caches for its line, not when the record is
// met: so accesses of younger records that come before its retirement go first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace presort::inline v0::sim {

struct RetiredStore {
  uint64_t number = 0;  // number of the store, counted from the first
  uint64_t address = 0;
  uint64_t physical = 0;
  uint64_t instruction = 0;
  double retired = 0;
  // Time when the store's line arrives, if it was asked for early
  std::optional<double> line_ready = {};
  uint8_t size = 0;
  bool streaming = false;
  // True: a load had asked for the store's line, which was on its way when the store's address
  // became known
  bool on_its_way = false;
};

class StoreBuffer {
 public:
  // An empty buffer with `entries` entries. Requires: entries >= 1
  explicit StoreBuffer(size_t entries)
      : entries_(entries),
        drained_(std::bit_ceil(entries), 0.0),
        waiting_(drained_.size()),
        mask_(drained_.size() - 1) {}

  size_t waiting() const { return static_cast<size_t>(retired_count_ - drained_count_); }
  bool full() const { return waiting() == entries_; }
  const RetiredStore& oldest() const { return waiting_[place(drained_count_)]; }

  // Time from which on there is an entry for the next store. Requires: not full
  double free_from() const { return drained_[place(retired_count_ - entries_)]; }

  // Time, cycles, at which store `number` left the store buffer.
  // Requires: the store has left, and is one of the last `entries` that retired
  double left_at(uint64_t number) const { return drained_[place(number)]; }

  // Time from which on store `number` is among the `ahead` oldest; 0: it always is. Requires:
  // stores before those have left
  double near_front_from(uint64_t number, uint64_t ahead) const {
    return ahead == 0 || ahead > entries_ || ahead > number ? 0 : left_at(number - ahead);
  }

  // True if at least `ahead` stores that are younger than the oldest one have retired or retire
  // next.
  bool waits_beyond(uint64_t ahead) const {
    return waiting() > 0 && drained_count_ + ahead <= retired_count_;
  }

  // True if at most `ahead` stores older than the next one are still in the buffer at `t`.
  bool left_by(uint64_t ahead, double t) const {
    return ahead > retired_count_ ||
           (!waits_beyond(ahead) &&
            (ahead > entries_ || drained_[place(retired_count_ - ahead)] <= t));
  }

  // Adds a store and returns its number. Requires: not full
  uint64_t push(const RetiredStore& store) {
    // Copied member by member: copying an object that was just put together on the stack would wait
    // for its stores.
    RetiredStore& own = waiting_[place(retired_count_)];
    own.number = retired_count_;
    own.address = store.address;
    own.physical = store.physical;
    own.instruction = store.instruction;
    own.retired = store.retired;
    own.line_ready = store.line_ready;
    own.size = store.size;
    own.streaming = store.streaming;
    own.on_its_way = store.on_its_way;
    return retired_count_++;
  }

  // Frees the entry of the oldest store at time `t`, cycles.
  void pop(double t) { drained_[place(drained_count_++)] = t; }

 private:
  // Index in the rings of a store's entry; their length is a power of two. Entries of stores before
  // the first one hold 0.
  size_t place(uint64_t number) const { return number & mask_; }

  uint64_t entries_;
  std::vector<double> drained_;  // times when the last stores left the buffer, by store number
  std::vector<RetiredStore> waiting_;
  uint64_t mask_;
  uint64_t retired_count_ = 0;
  uint64_t drained_count_ = 0;
};

}  // namespace presort::sim
