#include "presort/sim/pipeline/in_order_buffer.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <utility>
#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::in_order_buffer_test {
namespace {

TEST_CASE("entries are free again when what took them has retired") {
  InOrderBuffer buffer(4);
  buffer.push(10, 2);
  buffer.push(20, 3);
  buffer.push(30, 4);
  CHECK(buffer.free_from(5) == 0);
  CHECK(buffer.free_from(6) == 10);
  CHECK(buffer.free_from(7) == 20);
  CHECK(buffer.free_from(8) == 30);
}

TEST_CASE("without a limit it never runs out, and what takes nothing is no entry") {
  InOrderBuffer unlimited(0);
  InOrderBuffer one(1);
  for (int i = 0; i < 100; ++i) {
    unlimited.push(i, static_cast<uint64_t>(i));
    one.push(i + 1, 1);  // only the first call adds an entry
  }
  CHECK(unlimited.free_from(1000) == 0);
  CHECK(one.free_from(1) == 0);
  CHECK(one.free_from(2) == 1);
}

TEST_CASE("any takers: the same as looking back over all of them") {
  test::holds("looking back", [] {
    const auto entries = *rc::gen::inRange<uint64_t>(1, 20);
    InOrderBuffer buffer(entries);
    // For each taker: number of its last entry, time of its retirement
    std::vector<std::pair<uint64_t, double>> takers;
    uint64_t last = 0;
    double retired = 0;
    for (int record = 0; record < 200; ++record) {
      last += *rc::gen::inRange<uint64_t>(0, entries + 1);
      double expected = 0;
      for (const auto& [end, time] : takers) {
        expected = end + entries <= last ? time : expected;
      }
      RC_ASSERT(buffer.free_from(last) == expected);
      retired += *rc::gen::inRange(0, 5);
      if (takers.empty() ? last > 0 : last > takers.back().first) {
        takers.emplace_back(last, retired);
      }
      buffer.push(retired, last);
    }
  });
}

}  // namespace
}  // namespace presort::sim::in_order_buffer_test
