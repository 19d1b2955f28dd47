// The points of one curve (hardware_steps.h) in the order of their places, pass by pass. No CUDA
// types.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/error.h"
#include "presort/gpu/runner/hardware/hardware_steps.h"

namespace presort::inline v0::gpu {

class Curve {
 public:
  // Errors: Error when the steps have no such curve, or points of fewer passes than the first
  Curve(std::span<const HardwareStep> steps, std::string_view name) : name_(name) {
    for (const HardwareStep& step : steps) {
      if (step.curve == name) {
        points_.push_back(&step);
      }
    }
    std::sort(points_.begin(), points_.end(),
              [](const HardwareStep* a, const HardwareStep* b) { return a->at < b->at; });
    for (const HardwareStep* point : points_) {
      if (point->passes.size() < passes()) {
        throw Error("curve " + name_ + " lacks a pass");
      }
    }
    if (points_.empty() || passes() == 0) {
      throw Error("curve " + name_ + " was not measured");
    }
  }

  size_t size() const { return points_.size(); }
  size_t passes() const { return points_.front()->passes.size(); }
  uint64_t at(size_t point) const { return points_[point]->at; }
  double value(size_t point, size_t pass) const { return points_[point]->passes[pass]; }

  double first(size_t pass) const { return value(0, pass); }
  double last(size_t pass) const { return value(size() - 1, pass); }
  double most(size_t pass) const {
    double most = first(pass);
    for (size_t i = 1; i < size(); ++i) {
      most = std::max(most, value(i, pass));
    }
    return most;
  }

  // Value at a place. Errors: Error when the curve has no such point
  double value_at(uint64_t place, size_t pass) const {
    for (size_t i = 0; i < size(); ++i) {
      if (at(i) == place) {
        return value(i, pass);
      }
    }
    throw Error("curve " + name_ + " lacks a point at " + std::to_string(place));
  }

 private:
  std::string name_;
  std::vector<const HardwareStep*> points_;
};

}  // namespace presort::gpu
