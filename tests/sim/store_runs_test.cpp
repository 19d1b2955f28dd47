#include "sim/pipeline/store_runs.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/random.h"

namespace presort::sim {
namespace {

TEST_CASE("without a limit every store asks when it likes") {
  StoreRuns runs(0);
  runs.hit(10);
  runs.miss();
  runs.hit(20);
  CHECK(runs.free_from() == 0);
}

TEST_CASE("one run at a time: behind the last hit") {
  StoreRuns runs(1);
  CHECK(runs.free_from() == 0);
  runs.hit(10);
  CHECK(runs.free_from() == 10);
  runs.miss();
  CHECK(runs.free_from() == 10);  // of the same run
  runs.hit(150);
  CHECK(runs.free_from() == 150);
}

TEST_CASE("the hits before the oldest run that may be on its way have entered") {
  for (const int most : {1, 2, 3, 5}) {
    StoreRuns runs(most);
    std::vector<double> before;  // each run: when the last hit before it entered
    double latest = 0;
    bool missed = false;
    for (int i = 0; i < 2000; ++i) {
      const size_t own = missed ? before.size() - 1 : before.size();
      double expected = 0;
      if (own + 1 >= static_cast<size_t>(most)) {
        const size_t oldest = own + 1 - static_cast<size_t>(most);
        expected = oldest == before.size() ? latest : before[oldest];
      }
      REQUIRE(runs.free_from() == expected);
      if (random_u64(1, static_cast<uint64_t>(i)) % 3 != 0) {
        if (!missed) {
          before.push_back(latest);
        }
        missed = true;
        runs.miss();
      } else {
        latest = i + 1;
        missed = false;
        runs.hit(latest);
      }
    }
  }
}

}  // namespace
}  // namespace presort::sim
