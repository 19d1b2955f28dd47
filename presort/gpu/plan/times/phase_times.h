// The phases of a GPU plan as they are added up: a list that allocates nothing. For plan_timing.h
// and this folder. No CUDA types.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "presort/gpu/plan/ceilings.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu {

class PhaseTimes {
 public:
  explicit PhaseTimes(const Ceilings& at) : at_(at) {}

  // Adds a phase of `steps` kernels, or parts of a kernel between barriers, that wait for each
  // other.
  void add(const char* name, Bound bound, int steps = 1) {
    const double ns = bound.ns + at_.steps(steps) + (count_ == 0 ? at_.first_launch() : 0);
    phases_.at(count_++) = {name, bound.what, ns};
    total_ns_ += ns;
  }

  // Sum over all phases so far, ns an input.
  double total_ns() const { return total_ns_; }

  std::vector<GpuPhase> phases() const {
    std::vector<GpuPhase> phases;
    for (size_t i = 0; i < count_; ++i) {
      phases.push_back({phases_[i].name, phases_[i].slowest, phases_[i].ns});
    }
    return phases;
  }

 private:
  // A phase without initial values: clearing 32 of them took a tenth of the choice of a plan.
  struct Added {
    const char* name;
    const char* slowest;
    double ns;
  };

  static constexpr size_t kMostPhases = 32;
  const Ceilings& at_;
  std::array<Added, kMostPhases> phases_;
  size_t count_ = 0;
  double total_ns_ = 0;
};

}  // namespace presort::gpu
