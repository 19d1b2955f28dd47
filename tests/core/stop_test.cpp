#include "presort/core/base/stop.h"

#include <doctest/doctest.h>

#include <atomic>

#include "presort/core/labels/labels.h"
#include "presort/core/segments.h"

namespace presort::inline v0::stop_test {
namespace {

TEST_CASE("a token asks when its flag is set, as do its copies; one without a flag never does") {
  std::atomic<bool> flag = false;
  const StopToken token(flag);
  const StopToken copy = token;
  CHECK(!copy.is_asked());
  CHECK_NOTHROW(copy.check());
  flag = true;
  CHECK(copy.is_asked());
  CHECK_THROWS_AS(copy.check(), Stopped);
  CHECK(!StopToken().is_asked());
  CHECK(copy == token);
  CHECK(!(copy == StopToken()));
}

TEST_CASE("what goes through all labels ends when it is asked to") {
  std::atomic<bool> flag = true;
  const StopToken stop(flag);
  const uint64_t n = uint64_t{1} << 24;
  const auto permutation = make_labels(parse_distribution("", "permutation"), n, n, 1, stop);
  // A permutation's restriction goes through all labels in one loop, so it stops
  CHECK_THROWS_AS(permutation->restricted(0, n - 1), Stopped);
  const auto uniform = make_labels({}, n, 100, 1, stop);
  // A restriction of uniform labels has no long loop, so it does not stop
  CHECK_NOTHROW(uniform->restricted(0, 50));
  std::vector<uint32_t> offsets(101);
  CHECK_THROWS_AS(fill_segment_offsets(*uniform, std::span(offsets), stop), Stopped);
}

}  // namespace
}  // namespace presort::stop_test
