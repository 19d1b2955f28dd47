// The phases of a GPU plan as they are added up: a list that allocates nothing. For plan_time.cpp and
// this folder. No CUDA types.
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
    phases_.at(count_++) = {name, bound.what, bound.ns + at_.steps(steps)};
  }

  // Sum over all phases, ns an input.
  double total_ns() const {
    double total = 0;
    for (size_t i = 0; i < count_; ++i) {
      total += phases_[i].ns_per_input;
    }
    return total;
  }

  std::vector<GpuPhase> phases() const {
    return {phases_.begin(), phases_.begin() + static_cast<ptrdiff_t>(count_)};
  }

 private:
  static constexpr size_t kMostPhases = 32;
  const Ceilings& at_;
  std::array<GpuPhase, kMostPhases> phases_;
  size_t count_ = 0;
};

}  // namespace presort::gpu
