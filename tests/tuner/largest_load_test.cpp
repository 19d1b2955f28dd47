// Tests the table of largest loads against the distribution that it stands for.
#include "presort/gpu/plan/times/largest_load.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace presort::inline v0::gpu::largest_load_test {
namespace {

// Expected load of the fullest bin when `balls` balls are thrown into each of `groups` groups of bins:
// P(load <= t) in one group = balls! / bins^balls · [x^balls] (sum of x^i / i!, i <= t)^bins.
double expected_load(int balls, int bins, int groups) {
  const auto k = static_cast<size_t>(balls);
  double expected = 0;
  for (size_t t = 0; t < k; ++t) {
    // Coefficients of the power of a polynomial, each times i! / bins^i
    std::vector<double> power(k + 1, 0);
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

TEST_CASE("largest loads are those of the distribution") {
  for (int groups = 1; groups <= 32; groups *= 2) {
    for (int bins = 1; bins <= 32; ++bins) {
      CAPTURE(groups);
      CAPTURE(bins);
      CHECK(largest_load(bins, groups) ==
            doctest::Approx(expected_load(32 / groups, bins, groups)).epsilon(1e-12));
    }
  }
}

}  // namespace presort::gpu::largest_load_test
