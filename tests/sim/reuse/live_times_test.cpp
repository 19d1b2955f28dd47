#include "presort/sim/reuse/live_times.h"

#include <iterator>
#include <set>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::live_times_test {
namespace {

using namespace test;

constexpr uint64_t kBlock = LiveTimes::kBlockTimes;

TEST_CASE("members later than a time are counted, before and after renumbering") {
  holds("random appends and removals against std::set", [] {
    LiveTimes times(kBlock * between<uint64_t>(1, 3));
    std::set<uint64_t> members;
    const int keep = between(1, 3000);  // number of members to keep
    for (int i = between(0, 9000); i > 0; --i) {
      if (times.full()) {
        std::set<uint64_t> renumbered;
        times.compact([&](auto renumber) {
          for (const uint64_t time : members) {
            renumbered.insert(renumber(time));
          }
        });
        RC_ASSERT(renumbered.size() == members.size());
        RC_ASSERT(renumbered.empty() || *renumbered.rbegin() == members.size() - 1);
        members = renumbered;
        RC_ASSERT(!times.full());
      }
      members.insert(members.end(), times.append());
      if (members.size() > static_cast<size_t>(keep)) {
        const auto victim = members.lower_bound(between<uint64_t>(0, *members.rbegin()));
        const auto later = static_cast<uint64_t>(std::distance(victim, members.end())) - 1;
        RC_ASSERT(times.remove(*victim) == later);
        members.erase(victim);
      }
      RC_ASSERT(times.size() == members.size());
    }
  });
}

TEST_CASE("times end where the capacity does, at every border of a word and a block") {
  for (const uint64_t count : {uint64_t{1}, uint64_t{63}, uint64_t{64}, uint64_t{65}, kBlock - 1,
                               kBlock, kBlock + 1, 2 * kBlock - 1, 2 * kBlock}) {
    CAPTURE(count);
    LiveTimes times(2 * kBlock);
    for (uint64_t i = 0; i < count; ++i) {
      CHECK(!times.full());
      CHECK(times.append() == i);
    }
    CHECK(times.full() == (count == 2 * kBlock));
    for (uint64_t i = 0; i < count; ++i) {
      CHECK(times.remove(i) == count - 1 - i);
    }
    CHECK(times.size() == 0);
  }
}

TEST_CASE("renumbering leaves three quarters of the times, more times when need be") {
  LiveTimes times(kBlock);
  uint64_t members = 0;
  const auto append_until_full = [&] {
    const uint64_t before = members;
    for (; !times.full(); ++members) {
      times.append();
    }
    return members - before;
  };
  CHECK(append_until_full() == kBlock);
  times.compact([](auto) {});
  CHECK(append_until_full() == 3 * kBlock);
  times.compact([](auto) {});
  CHECK(append_until_full() == 12 * kBlock);
}

}  // namespace
}  // namespace presort::sim::live_times_test
