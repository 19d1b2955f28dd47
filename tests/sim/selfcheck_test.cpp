#include "presort/sim/selfcheck/selfcheck.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "presort/sim/selfcheck/answers.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::selfcheck_test {
namespace {

using doctest::Approx;
using test::small_level;
using test::small_machine;
using test::small_tlb;

const SelfCheckItem& item(const std::vector<SelfCheckItem>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const SelfCheckItem& candidate) {
    return candidate.name.starts_with(name);
  });
  REQUIRE(found != items.end());
  return *found;
}

// A small machine with two TLB levels, memory rows, and a bandwidth limit of one core.
Machine full_machine() {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 64, 8, 4, 10), small_level("L2", 512, 8, 12, 32),
                    small_level("L3", 2048, 16, 40, 64)};
  machine.tlb = {small_tlb("DTLB", {4096}, 32, 4, 1), small_tlb("STLB", {4096}, 512, 8, 7)};
  machine.memory.row_hit_ns = -30;
  machine.memory.bandwidth = 8e9;
  machine.memory.per_core_bandwidth = 4e9;
  return machine;
}

TEST_CASE("a consistent machine gives back every value, whatever its policies") {
  for (const Replacement policy : {Replacement::lru, Replacement::random}) {
    for (const Frames frames : {Frames::contiguous, Frames::random, Frames::coloured}) {
      for (const Fill fill : {Fill::onMiss, Fill::onEvict}) {
        Machine machine = full_machine();
        machine.frames = frames;
        for (CacheLevel& level : machine.caches) {
          level.policy = policy;
        }
        machine.caches[2].fill = fill;
        machine.caches[2].hashed = true;
        machine.caches[2].share = 0.7;
        const std::vector<SelfCheckItem> items = self_check(machine);
        CHECK(items.size() == 7);
        CHECK(item(items, "L1").found == Approx(4).epsilon(0.01));
        CHECK(item(items, "L2").found == Approx(12).epsilon(0.01));
        CHECK(item(items, "L3").found == Approx(40).epsilon(0.01));
        CHECK(item(items, "STLB 4KiB").found == Approx(7).epsilon(0.01));
        CHECK(item(items, "memory").found == Approx(100).epsilon(0.01));
        CHECK(item(items, "memory, row hit").found == Approx(70).epsilon(0.01));
        CHECK(item(items, "one core").found == Approx(4).epsilon(0.1));
        for (const SelfCheckItem& each : items) {
          CHECK_MESSAGE(each.holds(), each.name);
        }
      }
    }
  }
}

TEST_CASE("prefetchers shorten no latency of the check") {
  Machine machine = full_machine();
  machine.prefetchers = {{"L1", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 20}};
  for (const SelfCheckItem& each : self_check(machine)) {
    CHECK_MESSAGE(each.holds(), each.name);
  }
}

TEST_CASE("the host's tables under the guest's do not disturb it") {
  Machine machine = full_machine();
  machine.tlb[1].page_bytes = {4096, 2 << 20};
  machine.walk.nested_host_page_bytes = 4096;
  for (const SelfCheckItem& each : self_check(machine)) {
    CHECK_MESSAGE(each.holds(), each.name);
  }
}

TEST_CASE("a bandwidth that the fill buffers do not allow is found out") {
  Machine machine = full_machine();
  machine.caches[0].queue = 1;  // one line at a time: one every 70 to 100 ns
  const std::vector<SelfCheckItem> items = self_check(machine);
  CHECK(item(items, "one core").found < 64.0 / 70);
  CHECK(!item(items, "one core").holds());
  CHECK(item(items, "L2").holds());
}

TEST_CASE("a level that nothing reaches is not said to hold") {
  Machine machine = full_machine();
  machine.caches[1] = small_level("L2", 64, 8, 12, 32);  // an L2 that holds no more than the L1
  const SelfCheckItem l2 = item(self_check(machine), "L2");
  CHECK(l2.answers < 100);
  machine.caches[1] = small_level("L2", 1, 1, 12, 32);
  CHECK(!item(self_check(machine), "L2").holds());
}

TEST_CASE("without TLB there is no item of it, and without row hits none of them") {
  Machine machine = small_machine();
  const std::vector<SelfCheckItem> items = self_check(machine);
  CHECK(items.size() == 4);
  for (const SelfCheckItem& each : items) {
    CHECK_MESSAGE(each.holds(), each.name);
  }
}

TEST_CASE("an item holds up to its tolerance") {
  SelfCheckItem latency{"L1", "cy", 100, 101, 0.01, 5, 0};
  CHECK(latency.holds());
  CHECK(latency.error() == Approx(0.01));
  latency.found = 101.1;
  CHECK(!latency.holds());
  latency.found = 98.9;
  CHECK(!latency.holds());
  latency.found = 100;
  latency.answers = 0;
  CHECK(!latency.holds());
  SelfCheckItem free{"STLB", "cy", 0, 0, 0.01, 5, 0.01};
  CHECK(free.holds());
  CHECK(free.error() == 0);
  free.found = 1;
  CHECK(!free.holds());
}

TEST_CASE("the median is of the answers wanted, in any order") {
  const std::vector<Answer> answers = {
      {0, 0, false, 9}, {1, 0, false, 50}, {0, 0, false, 4}, {0, 0, false, 5}};
  const Middle middle = median_cycles(answers, [](const Answer& each) { return each.cache == 0; });
  CHECK(middle.cycles == 5);
  CHECK(middle.answers == 3);
  CHECK(median_cycles(answers, [](const Answer&) { return false; }).answers == 0);
}

}  // namespace
}  // namespace presort::sim::selfcheck_test
