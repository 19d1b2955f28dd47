#include "presort/sim/cache/copies.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::copies_test {
namespace {

using test::between;
using test::holds;

TEST_CASE("a holder with a copy is never missed, and an empty table denies every line") {
  holds("lines that come and go, one to twenty holders", [] {
    const auto holders = between<size_t>(1, 20);
    const auto room = between<uint64_t>(1, 8);
    Copies copies(holders, room);
    std::vector<std::multiset<uint64_t>> held(holders);
    for (int step = between(1, 200); step > 0; --step) {
      const auto holder = between<size_t>(0, holders - 1);
      const auto line = between<uint64_t>(0, 40);
      if (held[holder].count(line) > 0 && between(0, 1) == 0) {
        held[holder].erase(held[holder].find(line));
        copies.remove(holder, line);
      } else {
        held[holder].insert(line);
        copies.add(holder, line);
      }
      for (size_t asking = 0; asking < holders; ++asking) {
        RC_ASSERT(copies.may_have(asking, line) || held[asking].count(line) == 0);
        for (size_t other = 0; other < holders; ++other) {
          RC_ASSERT(other == asking || held[other].count(line) == 0 ||
                    copies.others_may_have(asking, line));
        }
      }
    }
    for (size_t holder = 0; holder < holders; ++holder) {
      for (const uint64_t line : held[holder]) {
        copies.remove(holder, line);
      }
    }
    for (uint64_t line = 0; line <= 40; ++line) {
      RC_ASSERT(!copies.may_have(0, line));
      RC_ASSERT(!copies.others_may_have(0, line));
    }
  });
}

TEST_CASE("a holder does not see its own copies, whichever byte of a word counts them") {
  for (size_t holder = 0; holder < 17; ++holder) {
    Copies copies(17, 100);
    copies.add(holder, 5);
    for (size_t asking = 0; asking < 17; ++asking) {
      CHECK(copies.may_have(asking, 5) == (asking == holder));
      CHECK(copies.others_may_have(asking, 5) == (asking != holder));
    }
  }
}

TEST_CASE("a count that was too large to keep says for ever that a copy may be there") {
  for (const int times : {254, 255, 256, 1000}) {
    Copies copies(2, 1);
    for (int i = 0; i < times; ++i) {
      copies.add(1, 7);
    }
    for (int i = 0; i < times; ++i) {
      CHECK(copies.may_have(1, 7));
      copies.remove(1, 7);
    }
    CHECK(copies.may_have(1, 7) == (times > 254));
  }
}

TEST_CASE("most lines that a holder does not have are denied when its caches are full") {
  constexpr uint64_t kLines = 1000;
  Copies copies(3, kLines);
  for (uint64_t line = 0; line < kLines; ++line) {
    copies.add(2, line * 977);
  }
  int denied = 0;
  for (uint64_t line = 0; line < 10000; ++line) {
    denied += !copies.may_have(2, (uint64_t{1} << 40) + line * 31);
  }
  CHECK(denied > 7500);
}

}  // namespace
}  // namespace presort::sim::copies_test
