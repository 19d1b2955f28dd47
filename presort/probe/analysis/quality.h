// How good a value of a probed machine is.
#pragma once

#include "presort/core/machine/probed_value.h"

namespace presort::inline v0::probe {

using presort::is_measured;
using presort::kQualities;
using presort::Quality;

// Of a measured value. What was seen in one pass only may be another one in the next: it is fair at
// best.
inline Quality measured_quality(double uncertainty, int passes) {
  constexpr double kGood = 0.05;
  constexpr double kFair = 0.15;
  if (uncertainty <= kGood && passes > 1) {
    return Quality::good;
  }
  return uncertainty <= kFair ? Quality::fair : Quality::poor;
}

}  // namespace presort::probe
