#include "presort/sim/reuse/lru_stack.h"

#include <algorithm>
#include <list>

#include "presort/core/base/random.h"
#include "tests/property_seed.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::lru_stack_test {
namespace {

using namespace test;

// Oracle: a list of lines by last use; the stack distance is a line's index in the list.
class NaiveStack {
 public:
  uint64_t use(uint64_t line) {
    const auto at = std::find(lines_.begin(), lines_.end(), line);
    const auto place = static_cast<uint64_t>(std::distance(lines_.begin(), at));
    const bool cold = at == lines_.end();
    if (!cold) {
      lines_.erase(at);
    }
    lines_.push_front(line);
    return cold ? LruStack::kCold : place;
  }
  uint64_t lines() const { return lines_.size(); }

 private:
  std::list<uint64_t> lines_;
};

TEST_CASE("distances are the places in a list in order of last use") {
  holds("random uses against a list", [] {
    LruStack stack(LiveTimes::kBlockTimes);
    NaiveStack naive;
    const auto lines = between<uint64_t>(1, 400);
    const auto stride = uint64_t{1} << between(0, 30);
    for (int i = between(0, 3000); i > 0; --i) {
      const uint64_t line = between<uint64_t>(0, between<uint64_t>(0, lines)) * stride;
      RC_ASSERT(stack.use(line) == naive.use(line));
      RC_ASSERT(stack.lines() == naive.lines());
    }
  });
}

TEST_CASE("lines are renumbered without a trace, as the stack shrinks in use and grows") {
  LruStack stack(LiveTimes::kBlockTimes);
  NaiveStack naive;
  uint64_t wrong = 0;
  uint64_t random = 0;
  for (const uint64_t lines : {1, 8, 9, 10, 511, 512, 513, 2000, 100}) {
    for (uint64_t i = 0; i < 6000; ++i) {
      const uint64_t line = bounded(random_u64(test::property_seed(), ++random), lines);
      wrong += stack.use(line) != naive.use(line);
    }
  }
  CHECK(wrong == 0);
  CHECK(stack.lines() == naive.lines());
}

TEST_CASE("lines used in turn are found as deep as they are many") {
  for (const uint64_t lines : {1, 2, 7, 8, 9, 16, 1000}) {
    CAPTURE(lines);
    LruStack stack;
    for (uint64_t i = 0; i < lines; ++i) {
      CHECK(stack.use(i) == LruStack::kCold);
    }
    for (uint64_t i = 0; i < 3 * lines; ++i) {
      CHECK(stack.use(i % lines) == lines - 1);
    }
  }
}

}  // namespace
}  // namespace presort::sim::lru_stack_test
