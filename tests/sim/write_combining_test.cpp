#include "presort/sim/cache/write_combining.h"

#include <doctest/doctest.h>

namespace presort::inline v0::sim::write_combining_test {
namespace {

TEST_CASE("a line leaves with its last byte, in whatever order they come") {
  WriteCombining buffers(2, 64);
  CHECK(buffers.add(5, 32, 32).opened);
  CHECK_FALSE(buffers.add(5, 0, 31).whole);
  CHECK_FALSE(buffers.add(5, 0, 31).whole);  // bytes written a second time
  const WriteCombining::Step last = buffers.add(5, 31, 1);
  CHECK(last.whole);
  CHECK_FALSE(last.opened);
  CHECK(buffers.empty());
}

TEST_CASE("the line opened first makes room, though it was written last") {
  WriteCombining buffers(2, 64);
  buffers.add(1, 0, 16);
  buffers.add(2, 0, 16);
  buffers.add(1, 16, 16);
  const WriteCombining::Step third = buffers.add(3, 0, 16);
  CHECK(third.pushed_out == 1);
  CHECK(buffers.close(2));
  CHECK(buffers.close(3));
  CHECK_FALSE(buffers.close(1));
  CHECK(buffers.empty());
}

TEST_CASE("a whole line needs a buffer for a moment only") {
  WriteCombining buffers(1, 64);
  for (uint64_t line = 0; line < 4; ++line) {
    const WriteCombining::Step step = buffers.add(line, 0, 64);
    CHECK(step.opened);
    CHECK(step.whole);
    CHECK_FALSE(step.pushed_out.has_value());
  }
}

}  // namespace
}  // namespace presort::sim::write_combining_test
