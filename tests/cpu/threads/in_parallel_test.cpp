#include "presort/cpu/threads/in_parallel.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "tests/refused_threads.h"

namespace presort::inline v0::test::in_parallel_test {
namespace {

constexpr uint64_t kLong = (uint64_t{3} << 20) + 1;

std::vector<int> counted(uint64_t count) {
  std::vector<int> calls(count, 0);
  cpu::in_parallel(count, StopToken{}, [&](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; ++i) {
      ++calls[i];
    }
  });
  return calls;
}

}  // namespace

TEST_CASE("the parts of an array cover it once, with as many threads as there may be") {
  for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, kLong}) {
    CHECK(counted(count) == std::vector<int>(count, 1));
  }
  const RefusedThreads refused;
  CHECK(counted(kLong) == std::vector<int>(kLong, 1));
}

TEST_CASE("an exception of a part reaches the caller, whichever thread it was thrown in") {
  for (const uint64_t bad : {uint64_t{0}, kLong - 1}) {
    const auto work = [&](uint64_t first, uint64_t last) {
      if (first <= bad && bad < last) {
        throw std::runtime_error("bad part");
      }
    };
    CHECK_THROWS_WITH(cpu::in_parallel(kLong, StopToken{}, work), "bad part");
  }
}

}  // namespace presort::test::in_parallel_test
