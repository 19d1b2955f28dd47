#include "presort/probe/analysis/structure/curve.h"

#include <doctest/doctest.h>

#include <cmath>

namespace curve_test {

using namespace presort;
using namespace presort::probe;

namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr double kHit = 30;
constexpr double kMemory = 130;

// Probability that a step of a chase hits under random replacement: the lower root of h = exp(-(1 -
// h) s / C).
double random_hits(double footprint, double capacity) {
  double h = 0;
  for (int i = 0; i < 200; ++i) {
    h = std::exp(-(1 - h) * footprint / capacity);
  }
  return footprint <= capacity ? 1 : h;
}

template <class Hits>
Curve synthetic(Hits hits) {
  Curve curve;
  for (double bytes = 1 * kMiB; bytes <= 1024 * kMiB; bytes *= std::sqrt(2.0)) {
    const double h = hits(bytes);
    curve.push_back({static_cast<uint64_t>(bytes), h * kHit + (1 - h) * kMemory, 0.01});
  }
  return curve;
}

}  // namespace

TEST_CASE("values are interpolated in the footprint's logarithm") {
  const Curve curve = {{1024, 1, 0}, {4096, 3, 0}};
  CHECK(value_at(curve, 2048) == doctest::Approx(2));
  CHECK(value_at(curve, 16) == 1);
  CHECK(value_at(curve, 1 << 20) == 3);
}

TEST_CASE("a plateau is a median, or the middle where no point lies within") {
  const Curve curve = {{1024, 1, 0}, {2048, 9, 0}, {4096, 3, 0}, {1 << 20, 11, 0}};
  CHECK(plateau(curve, 1024, 4096) == 3);
  CHECK(plateau(curve, 8192, 16384) > 3);
  CHECK(plateau(curve, 8192, 16384) < 11);
}

TEST_CASE("the capacity of a level with random replacement is found within a tenth") {
  for (const double capacity : {8.0 * kMiB, 20.0 * kMiB, 70.0 * kMiB}) {
    const Curve curve = synthetic([&](double bytes) { return random_hits(bytes, capacity); });
    const Capacity found = estimate_capacity(curve, kHit, kMemory, 3 * kMiB);
    CHECK(found.policy == Replacement::random);
    CHECK(static_cast<double>(found.bytes) == doctest::Approx(capacity).epsilon(0.1));
    CHECK(found.uncertainty >= 0.05);
    CHECK(found.uncertainty < 0.2);
  }
}

TEST_CASE("a sharp edge is least-recently-used replacement at its own size") {
  const double capacity = 32.5 * kMiB;
  const Curve curve = synthetic([&](double bytes) { return bytes <= capacity ? 1.0 : 0.0; });
  const Capacity found = estimate_capacity(curve, kHit, kMemory, 3 * kMiB);
  CHECK(found.policy == Replacement::lru);
  CHECK(static_cast<double>(found.bytes) > 0.99 * 32 * kMiB);
  CHECK(static_cast<double>(found.bytes) < 1.42 * 32 * kMiB);
}

TEST_CASE("noise that makes a latency fall does not move the capacity") {
  Curve curve = synthetic([](double bytes) { return random_hits(bytes, 20.0 * kMiB); });
  const uint64_t undisturbed = estimate_capacity(curve, kHit, kMemory, 3 * kMiB).bytes;
  curve.back().ns = kHit;
  CHECK(estimate_capacity(curve, kHit, kMemory, 3 * kMiB).bytes == undisturbed);
}

TEST_CASE("a level that holds every footprint has no capacity to report") {
  const Curve curve = synthetic([](double) { return 1.0; });
  CHECK(estimate_capacity(curve, kHit, kMemory, 3 * kMiB).bytes == 0);
  CHECK(estimate_capacity(curve, kHit, kHit, 3 * kMiB).bytes == 0);
}

TEST_CASE("a spike goes and an edge stays") {
  const auto values = [](const std::vector<double>& ns) {
    Curve curve;
    for (const double value : ns) {
      curve.push_back({curve.size() + 1, value, 0});
    }
    std::vector<double> result;
    for (const CurvePoint& point : without_spikes(curve)) {
      result.push_back(point.ns);
    }
    return result;
  };
  using Values = std::vector<double>;
  CHECK(values({1, 1, 9, 1, 1}) == Values{1, 1, 1, 1, 1});
  CHECK(values({5, 5, 1, 5, 5}) == Values{5, 5, 5, 5, 5});
  CHECK(values({1, 1, 5, 5, 5}) == Values{1, 1, 5, 5, 5});
  CHECK(values({7}) == Values{7});
  CHECK(values({7, 3}) == Values{7, 3});
  CHECK(values({}).empty());
}

TEST_CASE("translation is the page chase less a dense chase of as many lines") {
  const Curve dense = {{64 << 10, 4, 0}, {512 << 10, 5, 0}, {4 << 20, 30, 0}, {64 << 20, 90, 0}};
  const Curve pages = {{4 << 20, 6, 0}, {32 << 20, 13, 0}, {256 << 20, 99, 0}};
  const Curve cost = translation_cost(pages, dense, 2 << 20);
  // Chase of 4 MiB, a line on each page of 256 MiB: more than half the L2
  REQUIRE(cost.size() == 2);
  CHECK(cost[0].ns == 2);
  CHECK(cost[1].ns == 8);
  const Curve data = without_translation(dense, cost);
  CHECK(data[0].ns == 4);  // below the first known TLB cost nothing is subtracted
  CHECK(data[2].ns == 28);
  CHECK(data[3].ns == 82);
  CHECK(without_translation(dense, {})[3].ns == 90);
}

TEST_CASE("levels are found in the curve where the system announces none") {
  Curve curve;
  for (uint64_t bytes = 16 << 10; bytes <= 1024 * kMiB; bytes *= 2) {
    const double ns = bytes <= 32 << 10 ? 1.2 : bytes <= kMiB ? 4 : bytes <= 16 * kMiB ? 30 : 100;
    curve.push_back({bytes, ns, 0});
  }
  const auto levels = find_levels(curve);
  REQUIRE(levels.size() == 3);
  CHECK(levels[0].size_bytes == 32 << 10);
  CHECK(levels[1].size_bytes == kMiB);
  CHECK(levels[2].size_bytes == 16 * kMiB);
  CHECK(levels[2].latency_ns == 30);
  CHECK(find_levels({{1024, 1, 0}, {2048, 1, 0}}).empty());
}

}  // namespace curve_test
