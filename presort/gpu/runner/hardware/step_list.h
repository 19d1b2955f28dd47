// Points of curves, one pass after the other.
#pragma once

#include <utility>
#include <vector>

#include "presort/gpu/runner/hardware/hardware_steps.h"

namespace presort::inline v0::gpu {

class StepList {
 public:
  // Adds the value of one more pass to the point of a curve.
  void add(std::string_view curve, uint64_t at, double value) {
    for (HardwareStep& step : steps_) {
      if (step.curve == curve && step.at == at) {
        step.passes.push_back(value);
        return;
      }
    }
    steps_.push_back({std::string(curve), at, {value}});
  }

  std::vector<HardwareStep> take() { return std::move(steps_); }

 private:
  std::vector<HardwareStep> steps_;
};

}  // namespace presort::gpu
