#include "presort/app/validate/score/drift.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace drift_test {

using namespace presort::app;

TEST_CASE("a machine that is slower for a while is normalised away") {
  // Reference times of a machine that is half as fast during runs 4 to 7, both in the reference
  // loop and in a kernel that otherwise takes 10 ns per input.
  std::vector<double> references;
  std::vector<double> runs;
  for (int i = 0; i < 13; ++i) {
    const double slow = i >= 4 && i < 8 ? 2 : 1;
    references.push_back(5 * slow);
    runs.push_back(10 * slow);
  }
  references.push_back(5);
  const std::vector<double> factors = drift_factors(references, 1);
  REQUIRE(factors.size() == runs.size());
  CHECK(factors[0] * runs[0] == doctest::Approx(10));
  CHECK(factors[5] * runs[5] == doctest::Approx(10));
  CHECK(factors[12] * runs[12] == doctest::Approx(10));
}

TEST_CASE("a steady reference changes nothing, and one outlier neither") {
  std::vector<double> references(20, 3.0);
  references[9] = 30;
  for (const double factor : drift_factors(references, 3)) {
    CHECK(factor == doctest::Approx(1));
  }
}

TEST_CASE("points that spread too far are dropped, the worst first, at most a tenth of all") {
  std::vector<double> spreads(20, 0.02);
  spreads[3] = 0.11;
  spreads[5] = 0.5;
  spreads[7] = 0.2;
  const std::vector<bool> dropped = points_to_drop(spreads);
  CHECK(std::count(dropped.begin(), dropped.end(), true) == 2);
  CHECK(dropped[5]);
  CHECK(dropped[7]);
}

TEST_CASE("a spread of exactly the limit is kept, and few points lose none") {
  CHECK(points_to_drop(std::vector<double>(10, kMaxSpread)) == std::vector<bool>(10, false));
  CHECK(points_to_drop({0.9, 0.9}) == std::vector<bool>(2, false));
}

}  // namespace drift_test
