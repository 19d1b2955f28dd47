// The quality of a probed value, from its uncertainty.
#pragma once

#include "presort/core/machine/probed_value.h"

namespace presort::inline v0::probe {

using presort::is_measured;
using presort::kQualities;
using presort::Quality;

// The quality of a measured value by its relative uncertainty. A value measured in one pass only is
// fair at best: the next pass may give another.
inline Quality measured_quality(double uncertainty, int passes) {
  constexpr double kGood = 0.05;
  constexpr double kFair = 0.15;
  if (uncertainty <= kGood && passes > 1) {
    return Quality::good;
  }
  return uncertainty <= kFair ? Quality::fair : Quality::poor;
}

}  // namespace presort::probe
