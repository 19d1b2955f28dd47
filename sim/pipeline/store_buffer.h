// The store buffer: entries are taken at dispatch and given back in program order, when a store has
// entered the first level (a streaming one: when it has been accepted). From retirement on a store
// waits its turn here; what it asks the caches for, it asks for then, and not when the record is
// met: accesses of younger records that come before its retirement have gone before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace presort::sim {

struct RetiredStore {
  uint64_t number = 0;  // counted from the first store
  uint64_t address = 0;
  uint64_t physical = 0;
  uint64_t instruction = 0;
  double retired = 0;
  std::optional<double> line_ready;  // when its line is there, if it has asked before its turn
  uint8_t size = 0;
  bool streaming = false;
};

class StoreBuffer {
 public:
  // Requires: entries >= 1
  explicit StoreBuffer(size_t entries) : drained_(entries, 0.0), waiting_(entries) {}

  size_t waiting() const { return static_cast<size_t>(retired_count_ - drained_count_); }
  bool full() const { return waiting() == waiting_.size(); }
  const RetiredStore& oldest() const { return waiting_[drained_count_ % waiting_.size()]; }

  // From when on there is an entry for the next store. Requires: not full
  double free_from() const { return drained_[retired_count_ % drained_.size()]; }

  // Whether the oldest is among the stores of which `ahead` younger ones have retired, or come
  // next.
  bool waits_beyond(uint64_t ahead) const {
    return waiting() > 0 && drained_count_ + ahead <= retired_count_;
  }

  // Whether all stores but `ahead` older ones have left at `t`, seen from the next one.
  bool left_by(uint64_t ahead, double t) const {
    return ahead > retired_count_ ||
           (!waits_beyond(ahead) &&
            (ahead > drained_.size() || drained_[(retired_count_ - ahead) % drained_.size()] <= t));
  }

  // Returns its number. Requires: not full
  uint64_t push(RetiredStore store) {
    store.number = retired_count_;
    waiting_[retired_count_ % waiting_.size()] = store;
    return retired_count_++;
  }

  // The oldest store gives its entry back at `t`.
  void pop(double t) { drained_[drained_count_++ % drained_.size()] = t; }

 private:
  std::vector<double> drained_;  // of the last stores that did, by number
  std::vector<RetiredStore> waiting_;
  uint64_t retired_count_ = 0;
  uint64_t drained_count_ = 0;
};

}  // namespace presort::sim
