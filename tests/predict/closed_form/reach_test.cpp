#include "presort/predict/closed_form/hit_ratios/characteristic_time.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "presort/predict/closed_form/hit_ratios/popularity.h"
#include "presort/sim/cache/cache_array.h"

namespace presort::inline v0::predict::reach_test {
namespace {

using sim::CacheArray;

std::vector<uint64_t> draws(const std::vector<double>& weights, size_t count) {
  std::mt19937_64 random(3);
  std::discrete_distribution<uint64_t> units(weights.begin(), weights.end());
  std::vector<uint64_t> drawn(count);
  for (uint64_t& unit : drawn) {
    unit = units(random);
  }
  return drawn;
}

std::vector<double> zipf_weights(double exponent, size_t units) {
  std::vector<double> weights(units);
  for (size_t r = 0; r < units; ++r) {
    weights[r] = std::pow(static_cast<double>(r + 1), -exponent);
  }
  return weights;
}

// Number of misses of a fully associative cache on independent random accesses, after as many
// accesses that warm it up; every `stream_every` accesses, a stream enters a new unit (cache line).
double simulated_misses(const std::vector<uint64_t>& units, uint64_t room, Replacement policy,
                        size_t stream_every) {
  CacheArray cache(1, room, policy, false);
  double missed = 0;
  uint64_t fresh = uint64_t{1} << 40;
  for (size_t i = 0; i < units.size(); ++i) {
    if (!cache.access(units[i], false).hit) {
      missed += i >= units.size() / 2;
      cache.insert(units[i], CacheArray::kNone);
    }
    if (i % stream_every == 0) {
      cache.insert(++fresh, CacheArray::kNone);
    }
  }
  return missed / static_cast<double>(units.size() / 2);
}

TEST_CASE("misses are those of a simulated cache") {
  constexpr size_t kUnits = 4096;
  for (const double exponent : {0.0, 0.75, 1.25}) {
    const std::vector<uint64_t> units = draws(zipf_weights(exponent, kUnits), 60000);
    const Population population{
        exponent > 0 ? popularity({DistributionKind::zipfContiguous, exponent, ""}, kUnits, 1)
                     : std::vector<Group>{{kUnits, 1.0 / kUnits}}};
    const std::vector<Population> all{population, stream(0.125)};
    for (const uint64_t room : {64, 512, 3000}) {
      for (const Replacement policy : {Replacement::lru, Replacement::random}) {
        const CharacteristicTimes reach({{static_cast<double>(room), policy, false}}, all);
        CAPTURE(exponent);
        CAPTURE(room);
        CHECK(reach.misses(0, population, kNever) ==
              doctest::Approx(simulated_misses(units, room, policy, 8)).epsilon(0.02).scale(1));
      }
    }
  }
}

TEST_CASE("a level with room for everything misses nothing, whatever lies above it") {
  const Population population{{{1000, 0.001}}};
  const CharacteristicTimes reach({{100, Replacement::lru, false}, {1000, Replacement::lru, false}},
                                  std::span(&population, 1));
  CHECK(reach.misses(0, population, kNever) == doctest::Approx(0.9).epsilon(0.01));
  CHECK(reach.misses(1, population, kNever) == doctest::Approx(0).scale(1).epsilon(0.001));
}

TEST_CASE("a level with room for all that a phase touches keeps it, streams or not") {
  const Population buckets{{{100, 0.01}}};
  const std::vector<Population> all{buckets, stream(0.5)};
  for (const Replacement policy : {Replacement::lru, Replacement::random}) {
    const std::vector<Room> rooms{{50, Replacement::lru, false}, {250, policy, true}};
    // A cache of 300 lines, accessed by 100 buckets and by streams of 500 or 100 lines.
    CHECK(CharacteristicTimes(rooms, all, 1000).misses(1, buckets, kNever) > 0.01);
    CHECK(CharacteristicTimes(rooms, all, 200).misses(1, buckets, kNever) < 1e-9);
    CHECK(CharacteristicTimes(rooms, all, 200).misses(0, buckets, kNever) > 0.1);
  }
}

TEST_CASE("misses fall with the room") {
  const Population population{{{1000, 0.0005}, {100, 0.005}}};
  for (const Replacement policy : {Replacement::lru, Replacement::random}) {
    double before = 1;
    for (double room = 1; room < 2000; room *= 2) {
      const CharacteristicTimes reach({{room, policy, false}}, std::span(&population, 1));
      const double now = reach.misses(0, population, kNever);
      CHECK(now <= before);
      before = now;
    }
  }
}

TEST_CASE("a victim level adds its room to that of the level above") {
  const Population population{{{1000, 0.001}}};
  const CharacteristicTimes victims({{100, Replacement::lru, false}, {300, Replacement::lru, true}},
                                    std::span(&population, 1));
  const CharacteristicTimes one({{400, Replacement::lru, false}}, std::span(&population, 1));
  CHECK(victims.misses(1, population, kNever) ==
        doctest::Approx(one.misses(0, population, kNever)));
}

// In a part with L lines that are not in the cache, first accesses miss: over q inputs, a share of
// L(1 - (1 - 1/L)^q) / q on average.
TEST_CASE("after a cold start every unit is missed once") {
  constexpr double kUnits = 500;
  const Population population{{{kUnits, 1 / kUnits}}};
  const CharacteristicTimes reach({{1e6, Replacement::lru, false}}, std::span(&population, 1));
  for (const int q : {1, 10, 500, 3000}) {
    double missed = 0;
    for (int j = 0; j < q; ++j) {
      missed += reach.misses(0, population, j);
    }
    const double distinct = kUnits * (1 - std::pow(1 - 1 / kUnits, q));
    CHECK(missed == doctest::Approx(distinct).epsilon(0.01));
  }
}

}  // namespace
}  // namespace presort::predict::reach_test
