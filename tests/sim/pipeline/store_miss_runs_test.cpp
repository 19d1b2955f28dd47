#include "presort/sim/pipeline/store_miss_runs.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "presort/core/base/random.h"
#include "tests/property_seed.h"

namespace presort::inline v0::sim::store_miss_runs_test {
namespace {

TEST_CASE("without a limit every store asks when it likes") {
  StoreRuns runs(0);
  runs.hit();
  runs.miss(5, 5, 100);
  runs.hit();
  CHECK(runs.turn(20, 90) == 20);
}

TEST_CASE("one run at a time: when all before it have entered") {
  StoreRuns runs(1);
  CHECK(runs.turn(3, 10) == 10);
  runs.miss(3, 10, 110);
  CHECK(runs.turn(4, 110) == 10);  // this store is another miss of the oldest run
  runs.hit();
  CHECK(runs.turn(5, 150) == 150);
}

TEST_CASE("the runs behind a store that waits ask with it, if they have retired by then") {
  StoreRuns runs(2);
  runs.miss(3, 10, 110);
  runs.hit();
  CHECK(runs.turn(5, 111) == 10);
  CHECK(runs.turn(50, 111) == 50);    // this store asks for its line while the oldest store waits
  CHECK(runs.turn(110, 111) == 111);  // this store retires too late to ask ahead
  runs.miss(50, 50, 150);
  CHECK(runs.turn(60, 150) == 60);  // this store is a miss of the second run
  runs.hit();
  CHECK(runs.turn(60, 151) == 151);  // this store begins a third run, which has to wait
}

TEST_CASE("a run whose lines are there is passed while the oldest store waits") {
  StoreRuns runs(2);
  runs.miss(0, 10, 1010);
  runs.hit();
  CHECK(runs.turn(0, 1011) == 10);
  runs.miss(0, 10, 60);
  CHECK(runs.turn(0, 1011) == 10);
  runs.miss(0, 10, 80);  // second miss of the run
  runs.hit();
  CHECK(runs.turn(0, 1014) == 80);
  CHECK(runs.turn(200, 1014) == 200);
  runs.miss(200, 200, 1500);
  runs.hit();
  CHECK(runs.turn(0, 1501) == 1501);
}

TEST_CASE("a run is passed once all of its lines are there, whichever of them comes last") {
  for (const double second : {60.0, 100.0}) {
    StoreRuns runs(2);
    runs.miss(0, 10, 1010);
    runs.hit();
    runs.miss(0, 10, 80);
    runs.miss(0, 10, second);
    runs.hit();
    CHECK(runs.turn(0, 1011) == std::max(80.0, second));
  }
}

// Oracle in three plain lines for each store: which run of misses it belongs to, and when that
// run's group began.
TEST_CASE("of a row of runs every so many ask together") {
  for (const int most : {1, 2, 3, 5}) {
    StoreRuns runs(most);
    double entered = 0;
    double group = 0;
    int run = -1;  // number of the latest run of misses
    bool missed = false;
    for (uint64_t i = 0; i < 2000; ++i) {
      const bool misses = random_u64(test::property_seed(), i) % 3 != 0;
      if (misses) {
        run += missed ? 0 : 1;
        group = !missed && run % most == 0 ? entered : group;
        const double turn = runs.turn(0, entered);
        REQUIRE(turn == group);
        runs.miss(0, turn, turn + 1000);
        entered = std::max(entered + 1, turn + 1000);
      } else {
        runs.hit();
        ++entered;
      }
      missed = misses;
    }
  }
}

}  // namespace
}  // namespace presort::sim::store_miss_runs_test
