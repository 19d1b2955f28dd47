#include "presort/predict/closed_form/hit_ratios/reuse.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace presort::inline v0::predict::reuse_test {
namespace {

// Oracle for Poisson sums: P(N < k) and E[min(N, k)], estimated by drawing Poisson numbers N.
TEST_CASE("Poisson sums agree with drawn numbers") {
  std::mt19937_64 random(1);
  for (const double mean : {0.01, 0.7, 3.0, 20.0, 300.0}) {
    for (const double k : {1.0, 2.0, 9.0, 33.0, 280.0}) {
      std::poisson_distribution<int> numbers(mean);
      double below = 0;
      double capped = 0;
      constexpr int kDraws = 20000;
      for (int i = 0; i < kDraws; ++i) {
        const double n = numbers(random);
        below += (n < k) / double{kDraws};
        capped += std::min(n, k) / kDraws;
      }
      CAPTURE(mean);
      CAPTURE(k);
      CHECK(poisson_below(mean, k) == doctest::Approx(below).epsilon(0.02).scale(1));
      CHECK(poisson_capped(mean, k) == doctest::Approx(capped).epsilon(0.02).scale(k));
    }
  }
}

TEST_CASE("what was never touched is missed, what is touched in the same arrival is not") {
  CHECK(poisson_below(5, kNever) == 1);
  CHECK(poisson_capped(5, kNever) == 5);
  CHECK(poisson_below(5, 0) == 0);
  CHECK(poisson_capped(5, 0) == 0);
}

TEST_CASE("units touched in a window are counted") {
  constexpr double kUnits = 1000;
  const Population uniform{{{kUnits, 1 / kUnits}}};
  std::mt19937_64 random(2);
  for (const int window : {0, 1, 10, 999, 1000, 5000}) {
    std::set<uint64_t> touched;
    for (int i = 0; i < window; ++i) {
      touched.insert(random() % 1000);
    }
    const double distinct = kUnits * (1 - std::pow(1 - 1 / kUnits, window));
    CHECK(occupancy(uniform, window) == doctest::Approx(distinct).epsilon(0.001));
    CHECK(occupancy(uniform, window) == doctest::Approx(double(touched.size())).epsilon(0.1));
  }
}

TEST_CASE("occupancy is the integral of misses") {
  const Population buffers{{{64, 1.0 / 128}, {8, 1.0 / 16}}, {{0.75, 1}, {0.125, 9}, {0.125, 30}}};
  double sum = 0;
  constexpr double kStep = 0.5;
  for (double window = 0; window < 4000; window += kStep) {
    sum += kStep * misses(buffers, window + kStep / 2);
  }
  CHECK(occupancy(buffers, 4000) == doctest::Approx(sum).epsilon(0.001));
}

TEST_CASE("a stream misses always and fills what it passes") {
  CHECK(misses(stream(0.125), 1e9) == doctest::Approx(0.125));
  CHECK(occupancy(stream(0.125), 800) == doctest::Approx(100));
}

TEST_CASE("sums over many reuses are those of each") {
  std::vector<Reuse> reuses;
  for (int unit = 0; unit < 8; ++unit) {
    reuses.push_back({0.1 + unit, unit * 8.0 + 1});
    reuses.push_back({0.3, (7 - unit) * 8.0});
  }
  for (const double mean : {0.0, 1e-3, 1.0, 20.0, 50.0, 900.0}) {
    double below = 0;
    double capped = 0;
    for (const Reuse& reuse : reuses) {
      below += reuse.touches * poisson_below(mean, reuse.arrivals);
      capped += reuse.touches * poisson_capped(mean, reuse.arrivals);
    }
    CHECK(sum_below(reuses, mean) == doctest::Approx(below));
    CHECK(sum_capped(reuses, mean) == doctest::Approx(capped));
  }
  reuses.push_back({2, kNever});  // sums over whole numbers leave out kNever
  CHECK(sum_below(reuses, 0) == doctest::Approx(0.1 * 8 + 28 + 0.3 * 7 + 2));
}

}  // namespace
}  // namespace presort::predict::reuse_test
