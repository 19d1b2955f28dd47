#include "presort/predict/closed_form/hit_ratios/strata.h"

#include <doctest/doctest.h>
#include <cstddef>

namespace presort::inline v0::predict::strata_test {
namespace {

TEST_CASE("strata of one part are its inputs, cut at powers of four") {
  const std::vector<Stratum> strata = strata_of({{5000, 1}});
  REQUIRE(strata.size() == 4);
  CHECK(strata[0].middle == 128);
  CHECK(strata[0].weight == doctest::Approx(256.0 / 5000));
  CHECK(strata[2].middle == (1024 + 4096) / 2);
  CHECK(strata[3].weight == doctest::Approx(904.0 / 5000));
}

TEST_CASE("short parts count in the first strata alone") {
  const std::vector<Stratum> strata = strata_of({{100, 1}, {1000, 1}, {0.2, 1}});
  REQUIRE(strata.size() == 2);
  CHECK(strata[0].weight == doctest::Approx((100 + 256 + 1) / 1101.0));
  CHECK(strata[1].weight == doctest::Approx(744 / 1101.0));
}

TEST_CASE("parts of equal size count as often as there are parts") {
  const std::vector<Stratum> one_by_one = strata_of({{300, 1}, {300, 1}, {300, 1}, {10, 1}});
  const std::vector<Stratum> together = strata_of({{300, 3}, {10, 1}});
  REQUIRE(together.size() == one_by_one.size());
  for (size_t i = 0; i < together.size(); ++i) {
    CHECK(together[i].middle == one_by_one[i].middle);
    CHECK(together[i].weight == doctest::Approx(one_by_one[i].weight));
  }
}

}  // namespace
}  // namespace presort::predict::strata_test
