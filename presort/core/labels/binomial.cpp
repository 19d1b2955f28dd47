#include "presort/core/labels/binomial.h"

#include <algorithm>
#include <cmath>

#include "presort/core/base/random.h"

namespace presort::inline v0 {
namespace {

// ln k! minus Stirling's (k + 1/2) ln (k + 1) - (k + 1) + ln √2π, to better than 1e-10.
double stirling_tail(double k) {
  constexpr double kTails[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                               0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                               0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                               0.00833056343336287};
  if (k < 10) {
    return kTails[static_cast<int>(k)];
  }
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// ln of the binomial probability of k successes divided by that of the mode.
double log_ratio(double n, double p, double mode, double k) {
  const double odds = p / (1 - p);
  return (mode + 0.5) * std::log((mode + 1) / (odds * (n - mode + 1))) +
         (n + 1) * std::log((n - mode + 1) / (n - k + 1)) +
         (k + 0.5) * std::log(odds * (n - k + 1) / (k + 1)) + stirling_tail(mode) +
         stirling_tail(n - mode) - stirling_tail(k) - stirling_tail(n - k);
}

}  // namespace

uint64_t draw_binomial(uint64_t seed, uint64_t trials, double p) {
  const double n = static_cast<double>(trials);
  const double deviation = std::sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((n + 1) * p);
  for (uint64_t attempt = 0;; attempt += 2) {
    const double u = unit_double(random_u64(seed, attempt)) - 0.5;
    const double v = unit_double(random_u64(seed, attempt + 1));
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + n * p + 0.5);
    if (!(k >= 0 && k <= n)) {
      continue;
    }
    const bool inside = us >= 0.07 && v <= 0.92 - 4.2 / b;
    if (inside || std::log(v * alpha / (a / (us * us) + b)) <= log_ratio(n, p, mode, k)) {
      // The result is kept within `trials`: doubles near 2^64 may round above it.
      return k >= 0x1p63 ? std::min(trials, uint64_t{1} << 63)
                         : std::min(trials, static_cast<uint64_t>(k));
    }
  }
}

}  // namespace presort
