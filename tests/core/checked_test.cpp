#include "presort/core/base/checked.h"

#include <doctest/doctest.h>

#include "presort/core/base/carver.h"
#include "presort/core/error.h"

namespace presort::inline v0::checked_test {
namespace {

constexpr uint64_t kBig = uint64_t{1} << 63;

TEST_CASE("sums and products that fit are exact, others stop at the largest number") {
  CHECK(saturating_add(2, 3) == 5);
  CHECK(saturating_add(kUncountable, 0) == kUncountable);
  CHECK(saturating_add(kBig, kBig - 1) == kUncountable);
  CHECK(saturating_add(kBig, kBig) == kUncountable);
  CHECK(saturating_add(kUncountable, kUncountable) == kUncountable);
  CHECK(saturating_multiply(0, kUncountable) == 0);
  CHECK(saturating_multiply(kUncountable, 0) == 0);
  CHECK(saturating_multiply(kUncountable, 1) == kUncountable);
  CHECK(saturating_multiply(uint64_t{1} << 32, (uint64_t{1} << 32) - 1) == ((uint64_t{1} << 32) - 1)
                                                                               << 32);
  CHECK(saturating_multiply(uint64_t{1} << 32, uint64_t{1} << 32) == kUncountable);
  CHECK(saturating_multiply(kBig, 2) == kUncountable);
}

TEST_CASE("rounding up gives the least multiple that is no less") {
  for (const uint64_t unit : {1, 3, 64, 4096}) {
    for (uint64_t value = 0; value < 3 * unit; ++value) {
      const uint64_t rounded = saturating_round_up(value, unit);
      CHECK(rounded % unit == 0);
      CHECK(rounded >= value);
      CHECK(rounded < value + unit);
    }
  }
  CHECK(saturating_round_up(kUncountable, 1) == kUncountable);
  CHECK(saturating_round_up(kUncountable, 64) == kUncountable);
  CHECK(saturating_round_up(kUncountable - 63, 64) == kUncountable - 63);
  CHECK(saturating_round_up(kUncountable - 62, 64) == kUncountable);
}

TEST_CASE("powers of two from 2^64 on stop at the largest number") {
  CHECK(saturating_power_of_two(0) == 1);
  CHECK(saturating_power_of_two(63) == kBig);
  CHECK(saturating_power_of_two(64) == kUncountable);
}

TEST_CASE("arrays of more bytes than 64 bits hold are not measured as few") {
  for (const uint64_t count : {uint64_t{1} << 61, uint64_t{1} << 62, kBig, kUncountable}) {
    Carver carver;
    carver.take<uint64_t>(count);
    CHECK(carver.used_bytes() == kUncountable);
    carver.take<uint64_t>(1);
    CHECK(carver.used_bytes() == kUncountable);
    CHECK_THROWS_AS(measured_bytes(carver, count, 5), EnvironmentError);
  }
  Carver sum;
  sum.take<uint64_t>(uint64_t{1} << 59);
  CHECK(sum.used_bytes() == uint64_t{1} << 62);
  CHECK(measured_bytes(sum, 1, 1) == uint64_t{1} << 62);
  sum.take<uint64_t>(uint64_t{1} << 60);
  sum.take<uint64_t>(uint64_t{1} << 59);
  CHECK(sum.used_bytes() == kUncountable);
}

TEST_CASE("the refusal of a scratch names n and m") {
  Carver carver;
  carver.take<uint64_t>(kUncountable);
  CHECK_THROWS_WITH_AS(measured_bytes(carver, 123, 456),
                       "not enough memory: the scratch of n=123 inputs and m=456 buckets takes "
                       "2^64 bytes or more",
                       EnvironmentError);
}

}  // namespace
}  // namespace presort::checked_test
