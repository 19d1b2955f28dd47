// A small gshare predictor: 2-bit counters indexed by address xor global history.
// Source: McFarling, "Combining branch predictors", WRL TN-36, 1993.
#pragma once

#include <array>
#include <cstdint>

namespace presort::inline v0::sim {

class BranchPredictor {
 public:
  BranchPredictor() { counters_.fill(1); }

  // Predicts a branch, learns its outcome, and returns whether the prediction was right.
  bool predict(uint64_t address, bool taken) {
    uint8_t& counter = counters_[(address ^ history_) % counters_.size()];
    const bool right = (counter >= 2) == taken;
    if (taken) {
      counter = counter < 3 ? counter + 1 : 3;
    } else {
      counter = counter > 0 ? counter - 1 : 0;
    }
    history_ = history_ << 1 | static_cast<uint64_t>(taken);
    return right;
  }

 private:
  std::array<uint8_t, 4096> counters_;
  uint64_t history_ = 0;
};

}  // namespace presort::sim
