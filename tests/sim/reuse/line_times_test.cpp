#include "presort/sim/reuse/line_times.h"

#include <map>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::line_times_test {
namespace {

using namespace test;

// Draws a line for tests: in a row, at a large stride, or anywhere.
uint64_t random_line() {
  const auto line = between<uint64_t>(0, 3000);
  switch (between(0, 2)) {
    case 0:
      return line;
    case 1:
      return line << 20;
    default:
      return line * 0x9e3779b97f4a7c15ULL >> 1;
  }
}

TEST_CASE("a table of times is a map") {
  holds("random lines against std::map", [] {
    LineTimes times;
    std::map<uint64_t, uint64_t> expected;
    for (int i = between(0, 4000); i > 0; --i) {
      const uint64_t line = random_line();
      const bool known = expected.contains(line);
      uint64_t& time = times[line];
      RC_ASSERT(time == (known ? expected[line] : LineTimes::kNever));
      time = expected[line] = between<uint64_t>(0, 1 << 20);
      RC_ASSERT(times.size() == expected.size());
    }
    times.change_times([](uint64_t time) { return 2 * time + 1; });
    for (const auto& [line, time] : expected) {
      RC_ASSERT(times[line] == 2 * time + 1);
    }
  });
}

TEST_CASE("a time that was never set is not changed") {
  LineTimes times;
  times[7];
  times.change_times([](uint64_t) { return 1; });
  CHECK(times[7] == LineTimes::kNever);
  CHECK(times.size() == 1);
}

TEST_CASE("many lines in a row, and the same again, are found") {
  LineTimes times;
  for (uint64_t line = 0; line < 100000; ++line) {
    times[line] = line;
  }
  CHECK(times.size() == 100000);
  uint64_t wrong = 0;
  for (uint64_t line = 0; line < 100000; ++line) {
    wrong += times[line] != line;
  }
  CHECK(wrong == 0);
  CHECK(times.size() == 100000);
}

}  // namespace
}  // namespace presort::sim::line_times_test
