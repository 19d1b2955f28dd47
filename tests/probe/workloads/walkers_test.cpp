#include "presort/probe/workloads/walkers.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace walkers_test {

using namespace presort::probe;

namespace {

constexpr double kHit = 4;

// Time of k chases that share `walkers` page
// walkers: each step takes a hit and a walk.
Curve synthetic(double walk_ns, double walkers, uint64_t most = 32) {
  Curve chains;
  for (const uint64_t k : {1, 2, 4, 8, 12, 16, 24, 32}) {
    if (k <= most) {
      const double alone = (kHit + walk_ns) / static_cast<double>(k);
      chains.push_back({k, std::max(alone, walk_ns / walkers), 0.01});
    }
  }
  return chains;
}

}  // namespace

TEST_CASE("walkers are a walk's time over the time between two walks") {
  for (const double walkers : {1.0, 2.0, 4.0, 6.0}) {
    const auto found = find_walkers(synthetic(20, walkers), kHit);
    CAPTURE(walkers);
    REQUIRE(found);
    CHECK(found->value == doctest::Approx(walkers));
    CHECK(found->uncertainty < 0.05);
  }
}

TEST_CASE("a walk alone is what one chase takes beyond its hits") {
  const auto alone = walk_alone(synthetic(20, 4), kHit);
  REQUIRE(alone);
  CHECK(alone->value == doctest::Approx(20));
  CHECK(alone->uncertainty == doctest::Approx(0.01 * (20 + kHit) / 20));
  CHECK_FALSE(walk_alone(synthetic(20, 100), kHit));
}

TEST_CASE("without saturation nothing is claimed") {
  CHECK_FALSE(find_walkers(synthetic(20, 100), kHit));
  CHECK_FALSE(find_walkers(synthetic(20, 6, 8), kHit));
}

TEST_CASE("walks that cost next to nothing cannot be counted") {
  CHECK_FALSE(find_walkers(synthetic(1, 2), kHit));
  CHECK_FALSE(find_walkers(synthetic(0, 2), kHit));
}

TEST_CASE("a few points are not enough") {
  CHECK_FALSE(find_walkers({}, kHit));
  CHECK_FALSE(find_walkers({{1, 20, 0}, {2, 20, 0}}, kHit));
  CHECK_FALSE(find_walkers({{2, 20, 0}, {4, 20, 0}, {8, 20, 0}}, kHit));
}

}  // namespace walkers_test
