#include "presort/gpu/plan/times/largest_load.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <vector>

namespace presort::inline v0::gpu {
namespace {

constexpr int kMost = 32;

// Distribution of the fullest bin's load when balls are thrown into one group of bins: P(load <= t) =
// balls! / bins^balls · [x^balls] (sum of x^i / i!, i <= t)^bins.
double compute(int balls, int bins, int groups) {
  const auto k = static_cast<size_t>(balls);
  double expected = 0;
  for (size_t t = 0; t < k; ++t) {
    std::vector<double> power(
        k + 1, 0);  // coefficients of the power of a polynomial, each times i! / bins^i
    power[0] = 1;
    for (int bin = 0; bin < bins; ++bin) {
      std::vector<double> next(k + 1, 0);
      for (size_t i = 0; i <= k; ++i) {
        double choose = 1;  // binomial coefficient (i over j)
        for (size_t j = 0; j <= std::min(i, t); ++j) {
          next[i] += power[i - j] * choose * std::pow(1.0 / bins, static_cast<double>(j));
          choose *= static_cast<double>(i - j) / static_cast<double>(j + 1);
        }
      }
      power = next;
    }
    expected += 1 - std::pow(power[k], groups);
  }
  return expected;
}

}  // namespace

double largest_load(int balls, int bins, int groups) {
  static std::atomic<double> known[kMost + 1][kMost + 1][std::bit_width(
      unsigned{kMost})];  // largest loads by balls, bins and log2 groups; 0: not yet computed
  std::atomic<double>& one = known[balls][bins][std::countr_zero(static_cast<unsigned>(groups))];
  double load = one.load(std::memory_order_relaxed);
  if (load == 0) {
    load = compute(balls, bins, groups);
    one.store(load, std::memory_order_relaxed);
  }
  return load;
}

}  // namespace presort::gpu
