#include "presort/sim/cache/write_combining.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::write_combining_test {
namespace {

TEST_CASE("a line leaves with its last byte, in whatever order they come") {
  WriteCombining buffers(2, 64);
  CHECK(buffers.add(5, 32, 32).opened);
  CHECK_FALSE(buffers.add(5, 0, 31).whole);
  CHECK_FALSE(buffers.add(5, 0, 31).whole);  // bytes 0 to 30 are written a second time
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

// Oracle: buffers as a list of lines, each with the set of its written bytes.
struct ListedBuffers {
  std::vector<std::pair<uint64_t, std::set<uint64_t>>> open;
};

TEST_CASE("property: buffers do what a list of lines with sets of bytes does") {
  test::holds("write combining", [] {
    const uint64_t line_bytes = uint64_t{16} << test::between(0, 4);
    const auto most = test::between<size_t>(1, 4);
    WriteCombining buffers(most, line_bytes);
    ListedBuffers listed;
    for (int i = test::between(1, 200); i > 0; --i) {
      const auto line = test::between<uint64_t>(0, 6);
      const auto same = [line](const auto& one) { return one.first == line; };
      const auto at = std::ranges::find_if(listed.open, same);
      if (test::between(0, 9) == 0) {
        RC_ASSERT(buffers.close(line) == (at != listed.open.end()));
        std::erase_if(listed.open, same);
        continue;
      }
      const auto offset = test::between<uint64_t>(0, line_bytes - 1);
      const auto bytes = test::between<uint64_t>(1, line_bytes - offset);
      const WriteCombining::Step step = buffers.add(line, offset, bytes);
      RC_ASSERT(step.opened == (at == listed.open.end()));
      std::optional<uint64_t> pushed_out;
      if (step.opened) {
        if (listed.open.size() == most) {
          pushed_out = listed.open.front().first;
          listed.open.erase(listed.open.begin());
        }
        listed.open.push_back({line, {}});
      }
      RC_ASSERT(step.pushed_out == pushed_out);
      auto& written = std::ranges::find_if(listed.open, same)->second;
      for (uint64_t k = 0; k < bytes; ++k) {
        written.insert(offset + k);
      }
      RC_ASSERT(step.whole == (written.size() == line_bytes));
      if (step.whole) {
        std::erase_if(listed.open, same);
      }
      RC_ASSERT(buffers.empty() == listed.open.empty());
    }
  });
}

}  // namespace
}  // namespace presort::sim::write_combining_test
