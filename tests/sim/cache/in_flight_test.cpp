#include "presort/sim/cache/in_flight.h"

#include <doctest/doctest.h>

namespace presort::inline v0::sim::in_flight_test {
namespace {

TEST_CASE("a line is in flight at t-1 and has arrived at t") {
  InFlight lines;
  lines.set(7, 100, 3);
  REQUIRE(lines.find(7, 99) != nullptr);
  CHECK(lines.find(7, 99)->ready == 100);
  CHECK(lines.find(7, 99)->source() == 3);
  CHECK(lines.find(7, 100) == nullptr);
}

TEST_CASE("other lines are not in flight, whatever their place in the table") {
  InFlight lines;
  lines.set(7, 100, 3);
  for (uint64_t line = 0; line < 100000; ++line) {
    if (line != 7) {
      CHECK(lines.find(line, 0) == nullptr);
    }
  }
}

TEST_CASE("a new fetch of a line replaces the old one") {
  InFlight lines;
  lines.set(7, 100, 3);
  lines.set(7, 250, 4);
  REQUIRE(lines.find(7, 200) != nullptr);
  CHECK(lines.find(7, 200)->source() == 4);
}

TEST_CASE("as many consecutive lines as there are fill buffers stay in flight together") {
  for (uint64_t base = 0; base < 100; ++base) {
    InFlight lines;
    for (uint64_t i = 0; i < 64; ++i) {
      lines.set(base * 1000 + i, 100, 0);
    }
    for (uint64_t i = 0; i < 64; ++i) {
      CHECK(lines.find(base * 1000 + i, 0) != nullptr);
    }
  }
}

}  // namespace
}  // namespace presort::sim::in_flight_test
