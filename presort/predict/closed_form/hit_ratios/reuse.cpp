#include "presort/predict/closed_form/hit_ratios/reuse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace presort::inline v0::predict {

namespace {

// Distance from the mean of a Poisson distribution, in standard deviations, beyond which a
// probability counts as 0 or 1.
constexpr double kCertain = 7;

bool far_below(double mean, double k) {
  return mean + kCertain * std::sqrt(mean) + kCertain < k;
}

bool far_above(double mean, double k) {
  return mean - kCertain * std::sqrt(mean) > k;
}

// Above this many arrivals a Poisson distribution is taken as a normal one: its sums would have as many
// terms, the first of which is no longer a number above 0.
constexpr double kNormal = 200;

// P(x < z) and the density at z of a number x with a normal distribution.
double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}
double normal_density(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
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
  if (k > kNormal) {
    return normal_below((k - mean) / std::sqrt(mean));
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
  if (k > kNormal) {
    const double deviation = std::sqrt(mean);
    const double z = (k - mean) / deviation;
    return k + (mean - k) * normal_below(z) - deviation * normal_density(z);
  }
  // Computes the sum of P(N > i) over i < k
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

namespace {

// Most reuses whose Poisson sums are computed one by one. More reuses, if each has at most
// kMostArrivals arrivals, share one table of Poisson sums.
constexpr size_t kFewReuses = 3;
constexpr size_t kMostArrivals = 256;

bool have_many_sums(const std::vector<Reuse>& reuses) {
  return reuses.size() > kFewReuses &&
         std::all_of(reuses.begin(), reuses.end(), [](const Reuse& reuse) {
           return reuse.arrivals <= static_cast<double>(kMostArrivals);
         });
}

size_t most_arrivals(const std::vector<Reuse>& reuses) {
  double most = 0;
  for (const Reuse& reuse : reuses) {
    most = std::max(most, reuse.arrivals);
  }
  return static_cast<size_t>(most);
}

}  // namespace

double sum_below(const std::vector<Reuse>& reuses, double mean) {
  double sum = 0;
  if (!have_many_sums(reuses)) {
    for (const Reuse& reuse : reuses) {
      sum += reuse.touches * poisson_below(mean, reuse.arrivals);
    }
    return sum;
  }
  std::array<double, kMostArrivals + 1> below;  // below[k]: P(N < k), filled as far as needed
  below[0] = 0;
  double term = std::exp(-mean);
  const size_t most = most_arrivals(reuses);
  for (size_t k = 0; k < most; ++k) {
    below[k + 1] = std::min(1.0, below[k] + term);
    term *= mean / static_cast<double>(k + 1);
  }
  for (const Reuse& reuse : reuses) {
    sum += reuse.touches * below[static_cast<size_t>(std::max(0.0, reuse.arrivals))];
  }
  return sum;
}

double sum_capped(const std::vector<Reuse>& reuses, double mean) {
  double sum = 0;
  if (!have_many_sums(reuses)) {
    for (const Reuse& reuse : reuses) {
      sum += reuse.touches * poisson_capped(mean, reuse.arrivals);
    }
    return sum;
  }
  std::array<double, kMostArrivals + 1> capped;  // capped[k]: E[min(N, k)] of a Poisson number N
  capped[0] = 0;
  double term = std::exp(-mean);
  double at_most = 0;
  const size_t most = most_arrivals(reuses);
  for (size_t k = 0; k < most; ++k) {
    at_most += term;
    capped[k + 1] = capped[k] + std::max(0.0, 1 - at_most);
    term *= mean / static_cast<double>(k + 1);
  }
  for (const Reuse& reuse : reuses) {
    sum += reuse.touches * capped[static_cast<size_t>(std::max(0.0, reuse.arrivals))];
  }
  return sum;
}

double misses(const Population& population, double window) {
  double sum = 0;
  for (const Group& group : population.groups) {
    sum += group.count * group.rate * sum_below(population.reuses, group.rate * window);
  }
  for (const Measured& measured : population.measured) {
    sum += measured.touches * measured.times->longer(window / measured.interval);
  }
  return sum;
}

double occupancy(const Population& population, double window) {
  double sum = 0;
  for (const Group& group : population.groups) {
    sum += group.count * sum_capped(population.reuses, group.rate * window);
  }
  for (const Measured& measured : population.measured) {
    sum +=
        measured.touches * measured.interval * measured.times->units_in(window / measured.interval);
  }
  return sum;
}

Population stream(double units_per_input, double since) {
  return {{{1, 1}}, {{units_per_input, since}}};
}

}  // namespace presort::predict
