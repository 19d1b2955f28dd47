// A token by which long work is asked to end before it is done. Libraries look at it at least every
// second and throw Stopped; they do not know whether a signal or a test asks.
#pragma once

#include <atomic>

#include "presort/core/error.h"

namespace presort::inline v0 {

// Tells long work whether it is asked to stop. Copies ask for the same. A check costs one load from
// memory that does not change. Thread-safe.
class StopToken {
 public:
  // A token that never asks for a stop.
  constexpr StopToken() = default;

  // Makes a token that asks for a stop once `flag` is true. Requires: flag outlives all copies of the token
  explicit constexpr StopToken(const std::atomic<bool>& flag) : flag_(&flag) {}

  bool is_asked() const { return flag_ != nullptr && flag_->load(std::memory_order_relaxed); }

  // Returns if no stop is asked for.
  // Errors: Stopped once the token asks for a stop
  void check() const {
    if (is_asked()) {
      throw Stopped();
    }
  }

  bool operator==(const StopToken&) const = default;

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace presort
