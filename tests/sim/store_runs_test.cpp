#include "sim/pipeline/store_runs.h"

#include <doctest/doctest.h>

#include <vector>

namespace presort::sim {
namespace {

TEST_CASE("without a limit every store asks when it likes") {
  StoreRuns runs(0);
  runs.hit(10);
  runs.miss(110);
  runs.hit(120);
  CHECK(runs.free_from() == 0);
}

TEST_CASE("one run at a time: behind the last hit") {
  StoreRuns runs(1);
  CHECK(runs.free_from() == 0);
  runs.hit(10);
  CHECK(runs.free_from() == 10);
  runs.miss(150);
  CHECK(runs.free_from() == 10);  // of the same run
  runs.hit(151);
  CHECK(runs.free_from() == 151);
}

TEST_CASE("of lines that take long, so many runs are on their way at a time") {
  constexpr double kLatency = 1000;
  for (const int most : {1, 2, 3, 5}) {
    for (const int misses : {1, 3}) {
      StoreRuns runs(most);
      double entered = 0;
      std::vector<double> asked;
      for (int run = 0; run < 60; ++run) {
        const double turn = runs.free_from();
        for (int k = 0; k < misses; ++k) {
          CHECK(runs.free_from() == turn);
          runs.miss(turn + kLatency);
        }
        asked.push_back(turn);
        entered = std::max(entered, turn + kLatency) + 1;
        runs.hit(entered);
      }
      CHECK(asked[50] - asked[50 - static_cast<size_t>(most)] == kLatency + 1);
    }
  }
}

TEST_CASE("a run whose lines come soon is passed while an older one is on its way") {
  for (const int most : {1, 2}) {
    StoreRuns runs(most);
    runs.hit(1);
    runs.miss(1000);
    runs.hit(1001);
    CHECK(runs.free_from() == (most == 1 ? 1001 : 1));
    const double near = runs.free_from();
    runs.miss(near + 16);
    runs.hit(1002);
    CHECK(runs.free_from() == (most == 1 ? 1002 : near + 16));
  }
}

}  // namespace
}  // namespace presort::sim
