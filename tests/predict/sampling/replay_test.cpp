#include "presort/predict/sampling/replay.h"

#include <doctest/doctest.h>

#include <vector>

#include "presort/predict/sampling/student.h"
#include "tests/sim/property.h"

namespace presort::inline v0::predict::replay_test {
namespace {

using test::between;
using test::holds;

TEST_CASE(
    "every item belongs to one stretch, and slices are whole, one a period, after a lead-in") {
  holds("against an item by item count", [] {
    const auto slices = between<uint64_t>(1, 20);
    const auto n = between<uint64_t>(slices * (kLeadItems + 2 * kSliceItems), 600'000);
    const ReplaySchedule schedule(n, slices, between<uint64_t>(0, 9));
    const auto cut = between<uint64_t>(1, 100'000);  // number of items per call to next()
    uint64_t opened = 0;
    uint64_t closed = 0;
    uint64_t timed = 0;
    uint64_t led = 0;
    double weights = 0;
    for (uint64_t block = 0; block < n; block += cut) {
      const uint64_t last = std::min(n, block + cut);
      for (uint64_t at = block; at < last;) {
        const auto stretch = schedule.next(at, last);
        RC_ASSERT(stretch.first == at);
        RC_ASSERT(stretch.last > at);
        RC_ASSERT(stretch.last <= last);
        if (stretch.opens || (stretch.step == Step::lead && at > block)) {
          RC_ASSERT(at % kBlockItems == 0);
        }
        opened += stretch.opens;
        closed += stretch.closes;
        weights += stretch.opens ? stretch.weight : 0;
        timed += stretch.step == Step::piece ? stretch.last - at : 0;
        led += stretch.step == Step::lead ? stretch.last - at : 0;
        at = stretch.last;
      }
    }
    RC_ASSERT(opened == slices + 1);
    RC_ASSERT(closed == slices + 1);
    RC_ASSERT(timed == (slices + 1) * kSliceItems);
    RC_ASSERT(led == slices * kLeadItems);
    RC_ASSERT(std::abs(weights - 1) < 1e-12);
  });
}

TEST_CASE("everything is one slice that only the end of the items ends") {
  const auto stretch = ReplaySchedule::everything().next(0, 12345);
  CHECK(stretch.last == 12345);
  CHECK(stretch.step == Step::piece);
  CHECK(stretch.opens);
  CHECK(!stretch.closes);
  CHECK(!ReplaySchedule::everything().next(12345, 20000).opens);
}

TEST_CASE("quantiles of Student's t") {
  CHECK(student_quantile(1) == doctest::Approx(12.706));
  CHECK(student_quantile(10) == doctest::Approx(2.228));
  CHECK(student_quantile(15) == doctest::Approx(2.131).epsilon(0.003));
  CHECK(student_quantile(47) == doctest::Approx(2.012).epsilon(0.003));
}

}  // namespace
}  // namespace presort::predict::replay_test
