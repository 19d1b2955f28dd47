// Keeps dependences, which count records back, right where one input record becomes several.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class Renumbering {
 public:
  // The distance in output records that stands for `back` input records, for the output record that
  // comes next; 0, no dependence, when it has become longer than kLongestDependence.
  // Requires: back <= kLongestDependence
  uint16_t distance(uint16_t back) const {
    if (back == 0 || back > inputs_) {
      return 0;
    }
    const uint64_t outputs_back = outputs_ - last_output_[(inputs_ - back) % kRing];
    return outputs_back > kLongestDependence ? 0 : static_cast<uint16_t>(outputs_back);
  }

  // Notes that the current input record became `outputs` records; a record that depends on it waits
  // for the last.
  void became(uint64_t outputs) {
    outputs_ += outputs;
    last_output_[inputs_ % kRing] = outputs_ - std::min<uint64_t>(outputs_, 1);
    ++inputs_;
  }

 private:
  static constexpr uint64_t kRing = kLongestDependence + 1;
  std::array<uint64_t, kRing> last_output_{};
  uint64_t inputs_ = 0;
  uint64_t outputs_ = 0;
};

}  // namespace presort::sim
