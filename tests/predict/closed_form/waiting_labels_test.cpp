#include "presort/predict/closed_form/hit_ratios/waiting_labels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "presort/core/base/random.h"
#include "tests/property_seed.h"

namespace presort::inline v0::predict::waiting_labels_test {
namespace {

struct Waiter {
  uint64_t label;
  int level;
  bool waits;
};

// Oracle for waiting labels: a list of all of them, which is searched from end to end.
TEST_CASE("a label finds all that wait for it, and no others") {
  for (const int bits : {0, 1, 5, 12, 13, 20}) {
    WaitingLabels waiting(bits);
    std::vector<Waiter> list;
    uint64_t counter = 0;
    const auto draw = [&](uint64_t bound) {
      return bounded(random_u64(test::property_seed(), counter++), bound);
    };
    const uint64_t labels = uint64_t{1} << bits;
    for (int step = 0; step < 3000; ++step) {
      if (draw(3) == 0) {
        const uint64_t label = draw(labels);
        const int level = static_cast<int>(draw(static_cast<uint64_t>(bits) + 1));
        waiting.add(static_cast<uint32_t>(list.size()), label, level);
        list.push_back({label, level, true});
      }
      const std::vector<uint64_t> passed = {draw(labels), draw(labels), draw(labels)};
      const size_t first = waiting.first_awaited(passed);
      REQUIRE(first <= passed.size());
      bool missed = false;
      for (const Waiter& waiter : list) {
        for (size_t i = 0; i < first; ++i) {
          missed |= waiter.waits && waiter.label >> waiter.level == passed[i] >> waiter.level;
        }
      }
      CHECK(!missed);
      const uint64_t label = draw(labels);
      std::vector<uint32_t> found;
      waiting.meet(label, [&](uint32_t name, uint64_t waited) {
        CHECK(waited == list[name].label);
        found.push_back(name);
      });
      std::vector<uint32_t> expected;
      for (uint32_t name = 0; name < list.size(); ++name) {
        if (list[name].waits && list[name].label >> list[name].level == label >> list[name].level) {
          expected.push_back(name);
          list[name].waits = false;
        }
      }
      std::sort(found.begin(), found.end());
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("labels that nothing waits for are passed over") {
  for (const int bits : {3, 20}) {
    WaitingLabels waiting(bits);
    const std::vector<uint64_t> labels = {0, 1, 6, 7};
    CHECK(waiting.first_awaited(labels) == 4);
    waiting.add(0, 6, 0);
    CHECK(waiting.first_awaited(labels) == (bits == 3 ? 2 : 0));  // a cell has 1 or 256 labels
    waiting.meet(6, [](uint32_t, uint64_t) {});
    CHECK(waiting.first_awaited(labels) == 4);
  }
}

TEST_CASE("what was found may wait again, for fewer bits") {
  WaitingLabels waiting(4);
  waiting.add(0, 5, 4);
  int found = 0;
  const auto again = [&](uint32_t name, uint64_t label) {
    ++found;
    waiting.add(name, label, 1);
  };
  waiting.meet(15, again);
  CHECK(found == 1);
  waiting.meet(15, again);
  CHECK(found == 1);
  waiting.meet(4, again);
  CHECK(found == 2);
}

}  // namespace
}  // namespace presort::predict::waiting_labels_test
