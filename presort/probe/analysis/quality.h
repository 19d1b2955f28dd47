// How good a value of a probed machine is.
#pragma once

#include "presort/core/text/names.h"

namespace presort::inline v0::probe {

enum class Quality {
  good,   // measured, uncertainty at most 5 %
  fair,   // measured, at most 15 %, or less but seen in a single pass
  poor,   // measured, and less certain than that
  table,  // documented for this core (core_table.cpp), not measured
  guess,  // neither
};
inline constexpr Named<Quality> kQualities[] = {{"good", Quality::good},
                                                {"fair", Quality::fair},
                                                {"poor", Quality::poor},
                                                {"table", Quality::table},
                                                {"guess", Quality::guess}};

inline bool is_measured(Quality quality) {
  return quality != Quality::table && quality != Quality::guess;
}

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
