#include "presort/sim/pipeline/blame.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::blame_test {
namespace {

using test::between;
using test::holds;

TEST_CASE("each part of an interval is charged to the segment that covers it") {
  Course course;
  course.wait_until(10, kCore);
  course.wait_until(30, kTlb);
  course.wait_until(25, kStores);  // a wait that ends before the previous one does is dropped
  course.wait_until(50, kMemoryLatency);
  std::vector<double> stack(kFirstLevel + 1);
  course.charge(5, 60, kFirstLevel, stack);
  CHECK(stack[kCore] == 5);
  CHECK(stack[kTlb] == 20);
  CHECK(stack[kStores] == 0);
  CHECK(stack[kMemoryLatency] == 20);
  CHECK(stack[kFirstLevel] == 10);
}

TEST_CASE("a segment can be blamed on another term afterwards") {
  Course course;
  course.wait_until(10, kCore);
  const size_t mark = course.mark();
  course.wait_until(30, kMemoryLatency);
  course.blame(mark, kFirstLevel);
  std::vector<double> stack(kFirstLevel + 1);
  course.charge(0, 30, kCore, stack);
  CHECK(stack[kFirstLevel] == 20);
}

TEST_CASE("charges are not negative and sum to the interval, however many segments there are") {
  holds("random courses", [] {
    Course course;
    for (int i = between(0, 30); i > 0; --i) {
      course.wait_until(between(0, 100), static_cast<uint8_t>(between<int>(0, kFirstLevel)));
    }
    const double from = between(0, 100);
    const double to = between(0, 100);
    std::vector<double> stack(kFirstLevel + 1);
    course.charge(from, to, kCore, stack);
    for (const double part : stack) {
      RC_ASSERT(part >= 0);
    }
    RC_ASSERT(std::accumulate(stack.begin(), stack.end(), 0.0) == (to > from ? to - from : 0));
  });
}

}  // namespace
}  // namespace presort::sim::blame_test
