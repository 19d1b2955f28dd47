#include "predict/closed_form/strata.h"

#include <doctest/doctest.h>

namespace presort::predict {
namespace {

TEST_CASE("strata of one part are its inputs, cut at powers of four") {
  const std::vector<Stratum> strata = strata_of({5000});
  REQUIRE(strata.size() == 4);
  CHECK(strata[0].middle == 128);
  CHECK(strata[0].weight == doctest::Approx(256.0 / 5000));
  CHECK(strata[2].middle == (1024 + 4096) / 2);
  CHECK(strata[3].weight == doctest::Approx(904.0 / 5000));
}

TEST_CASE("short parts count in the first strata alone") {
  const std::vector<Stratum> strata = strata_of({100, 1000, 0.2});
  REQUIRE(strata.size() == 2);
  CHECK(strata[0].weight == doctest::Approx((100 + 256 + 1) / 1101.0));
  CHECK(strata[1].weight == doctest::Approx(744 / 1101.0));
}

}  // namespace
}  // namespace presort::predict
