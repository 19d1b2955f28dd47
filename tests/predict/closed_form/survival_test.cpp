#include "presort/predict/closed_form/hit_ratios/survival.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::predict::survival_test {
namespace {

TEST_CASE("bins follow each other without gaps") {
  for (size_t bin = 0; bin + 1 < LifeTable::kBins; ++bin) {
    REQUIRE(LifeTable::first(bin) < LifeTable::first(bin + 1));
    REQUIRE(LifeTable::bin(LifeTable::first(bin)) == bin);
    REQUIRE(LifeTable::bin(LifeTable::first(bin + 1) - 1) == bin);
  }
}

TEST_CASE("equal times are all shorter than the next one") {
  LifeTable table;
  for (int i = 0; i < 100; ++i) {
    table.add_touched(6);
  }
  const Survival survival(table, 6);
  CHECK(survival.longer(0) == 1);
  CHECK(survival.longer(5) == 1);
  CHECK(survival.longer(6) == 0);
  CHECK(survival.longer(1e9) == 0);
  CHECK(survival.units_in(3) == doctest::Approx(3));
  CHECK(survival.units_in(1e9) == doctest::Approx(5.5));  // about 6 units are touched
}

// Compares the survival from a sample of times cut short at random with that from whole times.
TEST_CASE("touches whose next one was not seen bend nothing") {
  constexpr double kMean = 200;
  LifeTable whole;
  LifeTable cut;
  for (uint64_t i = 0; i < 40000; ++i) {
    const auto time =
        static_cast<uint64_t>(std::ceil(-kMean * std::log(1 - unit_double(random_u64(1, i)))));
    const uint64_t seen = 1 + bounded(random_u64(2, i), 600);
    whole.add_touched(time);
    time <= seen ? cut.add_touched(time) : cut.add_untouched(seen);
  }
  const Survival a(whole, kMean);
  const Survival b(cut, kMean);
  for (const double inputs : {1.0, 10.0, 50.0, 100.0, 200.0, 400.0}) {
    const double expected = std::exp(-inputs / kMean);
    CAPTURE(inputs);
    CHECK(a.longer(inputs) == doctest::Approx(expected).epsilon(0.02));
    CHECK(b.longer(inputs) == doctest::Approx(expected).epsilon(0.03));
    CHECK(a.units_in(inputs) == doctest::Approx(kMean * (1 - expected)).epsilon(0.02));
  }
}

TEST_CASE("what is not known makes the mean time that of the units") {
  LifeTable table;
  for (int i = 0; i < 90; ++i) {
    table.add_touched(3);
  }
  for (int i = 0; i < 10; ++i) {
    table.add_untouched(100);
  }
  const Survival survival(table, 500);
  CHECK(survival.longer(50) == doctest::Approx(0.1).epsilon(0.01));
  CHECK(survival.units_in(1e12) == doctest::Approx(500));
}

TEST_CASE("nothing known: no touch is repeated before all units are") {
  const Survival survival(LifeTable{}, 1000);
  CHECK(survival.longer(0) == 1);
  CHECK(survival.units_in(1e12) == doctest::Approx(1000));
}

// In a level with random replacement, a unit is still held at its next touch with probability rT /
// (1 + rT), if the level evicts units at the rate 1/T and times between touches are exponential
// with mean 1/r (Gelenbe).
TEST_CASE("what a level at random keeps") {
  constexpr double kMean = 300;
  LifeTable table;
  for (uint64_t i = 0; i < 40000; ++i) {
    table.add_touched(
        static_cast<uint64_t>(std::ceil(-kMean * std::log(1 - unit_double(random_u64(1, i))))));
  }
  const Survival survival(table, kMean);
  for (const double window : {10.0, 300.0, 5000.0}) {
    const double never = 1e18;
    CAPTURE(window);
    CHECK(survival.kept(0, window, never) ==
          doctest::Approx(window / (kMean + window)).epsilon(0.02));
    // Units younger than `above` are kept whatever the window is; units older than the horizon
    // never are.
    CHECK(survival.kept(0, 1e15, 200) == doctest::Approx(1 - survival.longer(200)).epsilon(1e-6));
    CHECK(survival.kept(200, window, 200) ==
          doctest::Approx(1 - survival.longer(200)).epsilon(1e-6));
    CHECK(survival.kept(200, window, never) > survival.kept(0, window, never));
  }
}

}  // namespace
}  // namespace presort::predict::survival_test
