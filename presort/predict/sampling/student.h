// Half-widths of 95 % intervals of means of few observations.
#pragma once

#include <array>
#include <cstddef>

namespace presort::inline v0::predict {

// The 0.975 quantile of Student's t distribution with `degrees` degrees of freedom; from 11 on
// within 0.3 %.
// Requires: degrees >= 1
inline double student_quantile(size_t degrees) {
  constexpr std::array<double, 10> kFirst = {12.706, 4.303, 3.182, 2.776, 2.571,
                                             2.447,  2.365, 2.306, 2.262, 2.228};
  return degrees <= kFirst.size() ? kFirst[degrees - 1]
                                  : 1.960 + 2.44 / (static_cast<double>(degrees) - 1.05);
}

// A variance estimated with few degrees of freedom, widened so that 1.96 standard deviations give a
// 95 % interval.
inline double widened(double variance, size_t degrees) {
  const double factor = student_quantile(degrees) / 1.960;
  return variance * factor * factor;
}

}  // namespace presort::predict
