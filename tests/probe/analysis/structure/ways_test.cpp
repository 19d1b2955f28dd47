#include "presort/probe/analysis/structure/ways.h"

#include <doctest/doctest.h>

namespace ways_test {

using namespace presort::probe;

namespace {

constexpr double kHit = 1.4;
constexpr double kMiss = 4.5;

template <class Misses>
Curve synthetic(uint64_t most, Misses misses) {
  Curve curve;
  for (uint64_t lines = 2; lines <= most; ++lines) {
    curve.push_back({lines, kHit + misses(lines) * (kMiss - kHit), 0.01});
  }
  return curve;
}

}  // namespace

TEST_CASE("the ways are the lines that a set holds") {
  for (const uint64_t ways : {2, 4, 8, 12, 16, 20}) {
    CAPTURE(ways);
    const auto lru = [ways](uint64_t lines) { return lines <= ways ? 0.0 : 1.0; };
    CHECK(find_ways(synthetic(40, lru), kHit, kMiss) == ways);
    // With Tree-PLRU, a chase of one line more than the ways still hits in part.
    const auto plru = [ways](uint64_t lines) {
      const double over = static_cast<double>(lines) - static_cast<double>(ways);
      return over <= 0 ? 0.0 : over < 4 ? over / 4 : 1.0;
    };
    CHECK(find_ways(synthetic(40, plru), kHit, kMiss) == ways);
  }
}

TEST_CASE("one disturbed point is no knee") {
  Curve curve = synthetic(40, [](uint64_t lines) { return lines <= 12 ? 0.0 : 1.0; });
  curve[4].ns = 3 * kMiss;
  CHECK(find_ways(curve, kHit, kMiss) == 12);
}

TEST_CASE("where no set is seen nothing is claimed") {
  CHECK_FALSE(find_ways(synthetic(40, [](uint64_t) { return 0.0; }), kHit, kMiss));
  CHECK_FALSE(find_ways(synthetic(40, [](uint64_t) { return 0.3; }), kHit, kMiss));
  CHECK_FALSE(find_ways(synthetic(8, [](uint64_t) { return 0.0; }), kHit, kMiss));
  CHECK_FALSE(find_ways({}, kHit, kMiss));
  CHECK_FALSE(find_ways(synthetic(40, [](uint64_t) { return 1.0; }), kMiss, kHit));
}

}  // namespace ways_test
