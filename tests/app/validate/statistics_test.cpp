#include "presort/app/validate/score/statistics.h"

#include <doctest/doctest.h>

#include "presort/core/measurement.h"

namespace statistics_test {

using namespace presort::app;
using presort::quantile;

TEST_CASE("quantiles interpolate between order statistics") {
  CHECK(quantile({3, 1, 2}, 0.5) == doctest::Approx(2));
  CHECK(quantile({4, 1, 3, 2}, 0.5) == doctest::Approx(2.5));
  CHECK(quantile({1, 2, 3, 4, 5}, 0.9) == doctest::Approx(4.6));
  CHECK(quantile({7}, 0.25) == doctest::Approx(7));
  CHECK(quantile({1, 9}, 1) == doctest::Approx(9));
  CHECK(quantile({1, 9}, 0) == doctest::Approx(1));
}

TEST_CASE("the spread is the distance of the quartiles over the median") {
  CHECK(relative_spread({10, 10, 10}) == 0);
  CHECK(relative_spread({8, 9, 10, 11, 12}) == doctest::Approx(0.2));
  CHECK(relative_spread({5}) == 0);
}

TEST_CASE("errors are relative to the measured time and summarised without their sign") {
  CHECK(relative_error(11, 10) == doctest::Approx(0.1));
  CHECK(relative_error(9, 10) == doctest::Approx(-0.1));
  const ErrorSummary summary = summarise_errors({-0.3, 0.1, 0.2});
  CHECK(summary.points == 3);
  CHECK(summary.median_abs == doctest::Approx(0.2));
  CHECK(summary.max_abs == doctest::Approx(0.3));
  CHECK(summarise_errors({}).points == 0);
}

}  // namespace statistics_test
