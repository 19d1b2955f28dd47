// Counts of useful, late and unused prefetches (sim/cache/cache_stack.h).
#include <doctest/doctest.h>

#include "presort/sim/cache/cache_stack.h"
#include "tests/sim/random_machine.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::prefetch_counts_test {
namespace {

using test::between;
using test::holds;
using test::small_machine;

// A machine whose L1 has 8 sets of 2 ways at 4 cycles; memory answers after 100 cycles.
Machine next_line_machine() {
  Machine machine = small_machine();
  machine.prefetchers = {{"L1", PrefetcherKind::nextLine, 1, 1}};
  return machine;
}

double load(CacheStack& stack, uint64_t line, double t) {
  Course course;
  return stack.access(0, line, t, false, course).ready;
}

TEST_CASE("a prefetched line that is used in time is useful") {
  CacheStack stack(next_line_machine(), 1);
  load(stack, 10, 0);
  load(stack, 11, 1000);  // prefetches line 12, which arrives at 1100
  CHECK(stack.counts()[0].prefetches == 1);
  CHECK(stack.counts()[0].useful_prefetches == 0);
  CHECK(load(stack, 12, 1097) == 1101);  // line 12 arrived at 1100
  CHECK(stack.counts()[0].useful_prefetches == 1);
  CHECK(stack.counts()[0].late_prefetches == 0);
  load(stack, 12, 3000);  // a second use of line 12 counts no prefetch
  CHECK(stack.counts()[0].useful_prefetches == 1);
}

TEST_CASE("one that is wanted before it is there is late, by as little as a cycle") {
  for (const double t : {1001.0, 1050.0, 1095.0}) {
    CacheStack stack(next_line_machine(), 1);
    load(stack, 10, 0);
    load(stack, 11, 1000);
    CHECK(load(stack, 12, t) == doctest::Approx(1100));
    CHECK(stack.counts()[0].useful_prefetches == 1);
    CHECK(stack.counts()[0].late_prefetches == 1);
  }
}

TEST_CASE("while demand misses are many a prefetcher yields: it fetches into the level below") {
  Machine machine = small_machine();
  machine.prefetchers = {{"L2", PrefetcherKind::nextLine, 1, 1, false, 3}};
  CacheStack stack(machine, 1);
  load(stack, 10, 0);
  load(stack, 11, 1000);  // a miss of line 11: one is outstanding
  CHECK(stack.counts()[1].prefetches == 1);
  load(stack, 20, 2000);
  load(stack, 30, 2000);
  load(stack, 21, 2000);  // this miss is the third that is outstanding
  CHECK(stack.counts()[1].prefetches == 1);
  CHECK(stack.counts()[2].prefetches == 1);
  load(stack, 40, 3000);
  load(stack, 41, 3001);  // by now the three misses have ended
  CHECK(stack.counts()[1].prefetches == 2);
}

TEST_CASE("a stream's own misses are not those that its prefetcher yields to") {
  Machine machine = small_machine();
  machine.prefetchers = {{"L2", PrefetcherKind::stream, 2, 20, false, 4}};
  CacheStack stack(machine, 1);
  for (uint64_t line = 0; line < 12; ++line) {
    load(stack, line, 1000);  // loads of one stream that are all outstanding at once
  }
  // Number of prefetches; it would be 4 if prefetchers yielded to misses of the stream
  CHECK(stack.counts()[1].prefetches >= 12);
}

TEST_CASE("misses that nothing has followed are, and a stream among them runs one line ahead") {
  Machine machine = small_machine();
  machine.prefetchers = {{"L2", PrefetcherKind::stream, 2, 20, false, 3}};
  CacheStack stack(machine, 1);
  for (uint64_t page = 10; page < 14; ++page) {
    load(stack, 64 * page, 1000);
  }
  for (uint64_t line = 0; line < 6; ++line) {
    load(stack, line, 1001);
  }
  CHECK(stack.counts()[1].prefetches == 0);
  CHECK(stack.counts()[2].prefetches > 0);
}

TEST_CASE("in the first level a prefetcher that yields asks for nothing") {
  Machine machine = next_line_machine();
  machine.prefetchers[0].yields_at = 2;
  CacheStack stack(machine, 1);
  load(stack, 10, 1000);
  load(stack, 11, 1000);
  for (const LevelCounts& counts : stack.counts()) {
    CHECK(counts.prefetches == 0);
  }
}

TEST_CASE("one that is pushed out unused is useless") {
  CacheStack stack(next_line_machine(), 1);
  load(stack, 10, 0);
  load(stack, 11, 1000);
  load(stack, 12 + 8, 5000);  // a line of the set that line 12 is in
  CHECK(stack.counts()[0].useless_prefetches == 0);
  load(stack, 12 + 32, 6000);
  CHECK(stack.counts()[0].useless_prefetches == 1);
  load(stack, 12, 7000);
  CHECK(stack.counts()[0].useful_prefetches == 0);
}

TEST_CASE("one that a streaming store overwrites is useless") {
  CacheStack stack(next_line_machine(), 1);
  load(stack, 10, 0);
  load(stack, 11, 1000);
  stack.stream_store(12, 2000);
  CHECK(stack.counts()[0].useless_prefetches == 1);
}

TEST_CASE("a stride that its instruction keeps is prefetched, a page walk in between not heeded") {
  Machine machine = small_machine();
  machine.prefetchers = {{"L1", PrefetcherKind::ipStride, 1, 1}};
  CacheStack stack(machine, 1);
  for (uint64_t i = 0; i < 8; ++i) {
    const uint64_t line = 3 * i;
    stack.set_instruction(0, 0);
    load(stack, 1000 + 17 * i, 1000 * static_cast<double>(i));
    stack.set_instruction(42, line * 64);
    load(stack, line, 1000 * static_cast<double>(i) + 500);
  }
  // Number of prefetches, one for each access from the third on; accesses 0, 3, 6 missed, the
  // others hit.
  CHECK(stack.counts()[0].prefetches == 6);
  CHECK(stack.counts()[0].useful_prefetches == 5);
  CHECK(stack.counts()[0].late_prefetches == 0);
}

// Streaming stores take all lines out of the caches, so that every prefetch has turned out useful
// or useless.
TEST_CASE("useful and useless prefetches are all prefetches, once no prefetched line is left") {
  constexpr uint64_t kFirst = 2000;  // first line; descending prefetchers stay above 0
  holds("random machines and accesses", [] {
    const Machine machine = test::random_machine();
    CacheStack stack(machine, 1);
    for (int i = between(1, 400); i > 0; --i) {
      const auto line = kFirst + between<uint64_t>(0, 300);
      stack.set_instruction(between<uint64_t>(0, 2), line * 64);
      Course course;
      if (between(0, 4) == 0) {
        stack.warm(0, line, between(0, 1) == 1);
      } else {
        stack.access(0, line, between(0, 5000), between(0, 1) == 1, course);
      }
    }
    for (uint64_t line = 0; line < 2 * kFirst; ++line) {
      stack.warm_stream_store(line);
    }
    for (const LevelCounts& level : stack.counts()) {
      RC_ASSERT(level.useful_prefetches + level.useless_prefetches == level.prefetches);
      RC_ASSERT(level.late_prefetches <= level.useful_prefetches);
    }
  });
}

}  // namespace
}  // namespace presort::sim::prefetch_counts_test
