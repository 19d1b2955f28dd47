#include "predict/closed_form/reuse.h"

#include <algorithm>
#include <cmath>

namespace presort::predict {

namespace {

// So many standard deviations from the mean, a Poisson number is taken as certain.
constexpr double kCertain = 7;

bool far_below(double mean, double k) {
  return mean + kCertain * std::sqrt(mean) + kCertain < k;
}

bool far_above(double mean, double k) {
  return mean - kCertain * std::sqrt(mean) > k;
}

}  // namespace

double poisson_below(double mean, double k) {
  if (k == 1) {
    return std::exp(-mean);
  }
  if (k <= 0 || far_above(mean, k)) {
    return 0;
  }
  if (far_below(mean, k)) {
    return 1;
  }
  double term = std::exp(-mean);
  double sum = 0;
  for (double i = 0; i < k; ++i) {
    sum += term;
    term *= mean / (i + 1);
  }
  return std::min(1.0, sum);
}

double poisson_capped(double mean, double k) {
  if (k == 1) {
    return -std::expm1(-mean);
  }
  if (k <= 0 || far_above(mean, k)) {
    return std::max(0.0, k);
  }
  if (far_below(mean, k)) {
    return mean;
  }
  // Σ over i < k of P(N > i)
  double term = std::exp(-mean);
  double at_most = 0;
  double sum = 0;
  for (double i = 0; i < k; ++i) {
    at_most += term;
    sum += 1 - at_most;
    term *= mean / (i + 1);
  }
  return std::max(0.0, sum);
}

double misses(const Population& population, double window) {
  double sum = 0;
  for (const Group& group : population.groups) {
    double of_arrival = 0;
    for (const Reuse& reuse : population.reuses) {
      of_arrival += reuse.touches * poisson_below(group.rate * window, reuse.arrivals);
    }
    sum += group.count * group.rate * of_arrival;
  }
  for (const Measured& measured : population.measured) {
    sum += measured.touches * measured.times->longer(window / measured.interval);
  }
  return sum;
}

double occupancy(const Population& population, double window) {
  double sum = 0;
  for (const Group& group : population.groups) {
    for (const Reuse& reuse : population.reuses) {
      sum += group.count * reuse.touches * poisson_capped(group.rate * window, reuse.arrivals);
    }
  }
  for (const Measured& measured : population.measured) {
    sum +=
        measured.touches * measured.interval * measured.times->units_in(window / measured.interval);
  }
  return sum;
}

Population stream(double units_per_input) {
  return {{{1, 1}}, {{units_per_input, kNever}}};
}

}  // namespace presort::predict
