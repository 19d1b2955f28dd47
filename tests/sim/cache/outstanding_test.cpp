#include "presort/sim/cache/outstanding.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/sim/property.h"

namespace outstanding_test {

using presort::sim::Outstanding;

TEST_CASE("none are ever too many for a count of 0") {
  Outstanding never(0);
  never.add(10);
  CHECK_FALSE(never.that_many(5));
}

TEST_CASE("as many as are asked for are outstanding until the first of them has its answer") {
  Outstanding two(2);
  two.add(30);
  CHECK_FALSE(two.that_many(10));
  two.add(20);
  CHECK(two.that_many(19));
  CHECK_FALSE(two.that_many(20));
  two.add(5);  // a request answered long ago
  CHECK(two.that_many(19));
}

TEST_CASE("property: it counts what a list of all ends counts") {
  presort::test::holds("outstanding", [] {
    const int count = *rc::gen::inRange(1, 6);
    const auto ends = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40));
    Outstanding outstanding(count);
    for (const int end : ends) {
      outstanding.add(end);
    }
    for (int t = 0; t < 40; ++t) {
      const auto later = std::count_if(ends.begin(), ends.end(), [t](int end) { return end > t; });
      RC_ASSERT(outstanding.that_many(t) == (later >= count));
    }
  });
}

}  // namespace outstanding_test
