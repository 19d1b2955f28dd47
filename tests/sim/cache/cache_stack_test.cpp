#include "presort/sim/cache/cache_stack.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/sim/cache/stack_oracle.h"
#include "tests/sim/property.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::cache_stack_test {
namespace {

using test::between;
using test::holds;
using test::small_level;
using test::small_machine;
using test::StackOracle;

Machine random_lru_machine() {
  Machine machine = small_machine();
  machine.caches.clear();
  const char* const names[] = {"L1", "L2", "L3"};
  const size_t levels = between<size_t>(1, 3);
  for (size_t i = 0; i < levels; ++i) {
    const double latency = 4 + 10 * static_cast<double>(i);
    machine.caches.push_back(small_level(names[i], between<uint64_t>(1, 6), between<uint64_t>(1, 4),
                                         latency, between(1, 8)));
  }
  if (levels > 1 && *rc::gen::arbitrary<bool>()) {
    machine.caches.back().fill = Fill::onEvict;
  }
  return machine;
}

void check_counts(const CacheStack& stack, const StackOracle& oracle) {
  const std::vector<LevelCounts> counts = stack.counts();
  for (size_t i = 0; i < counts.size(); ++i) {
    RC_ASSERT(counts[i].accesses == oracle.counts(i).accesses);
    RC_ASSERT(counts[i].hits == oracle.counts(i).hits);
    RC_ASSERT(counts[i].misses == counts[i].accesses - counts[i].hits);
    RC_ASSERT(counts[i].writebacks == oracle.counts(i).writebacks);
    RC_ASSERT(counts[i].prefetches == 0u);
  }
}

TEST_CASE("a hierarchy hits, misses and writes back as one built of lists does, timed or not") {
  holds("random machines, random traces, timed and warming", [] {
    const Machine machine = random_lru_machine();
    CacheStack timed(machine, 1);
    CacheStack warming(machine, 1);
    StackOracle oracle(machine);
    Course course;
    double t = 0;
    for (int step = between(1, 400); step > 0; --step) {
      const uint64_t line = between<uint64_t>(0, 80);
      t += between(0, 50);
      if (between(0, 15) == 0) {
        timed.stream_store(line, t);
        warming.warm_stream_store(line);
        oracle.stream_store(line);
        continue;
      }
      const auto level = between<size_t>(0, 7) == 0 ? between<size_t>(0, timed.levels() - 1) : 0;
      const bool write = level == 0 && *rc::gen::arbitrary<bool>();
      timed.access(level, line, t, write, course);
      warming.warm(level, line, write);
      oracle.access(level, line, write);
    }
    check_counts(timed, oracle);
    check_counts(warming, oracle);
    RC_ASSERT(timed.memory_reads() == oracle.memory_reads);
    RC_ASSERT(timed.memory_writes() == oracle.memory_writes);
  });
}

TEST_CASE("a dirty line is written back once, when the last level drops it") {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, 1, 4, 4), small_level("L2", 1, 2, 12, 4)};
  CacheStack stack(machine, 1);
  Course course;
  stack.access(0, 1, 0, true, course);
  stack.access(0, 2, 0, false, course);  // L1 drops dirty line 1 to L2
  CHECK(stack.counts()[0].writebacks == 1);
  CHECK(stack.memory_writes() == 0);
  stack.access(0, 3, 0, false, course);  // line 1 is the latest in L2; clean line 2 is dropped
  CHECK(stack.memory_writes() == 0);
  stack.access(0, 4, 0, false, course);
  CHECK(stack.counts()[1].writebacks == 1);
  CHECK(stack.memory_writes() == 1);
  CHECK(stack.memory_reads() == 4);
}

TEST_CASE("a victim level holds only what the level above dropped, and gives it back dirty") {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, 1, 4, 4), small_level("L2", 1, 2, 12, 4)};
  machine.caches[1].fill = Fill::onEvict;
  CacheStack stack(machine, 1);
  Course course;
  stack.access(0, 1, 0, true, course);
  stack.access(0, 2, 0, false, course);  // line 1 moves to L2
  stack.access(0, 1, 0, false, course);  // line 1 comes back dirty; line 2 moves to L2
  CHECK(stack.counts()[1].hits == 1);
  stack.access(0, 2, 0, false, course);  // line 1 moves to L2 again
  CHECK(stack.counts()[1].hits == 2);
  CHECK(stack.counts()[0].writebacks == 2);
  stack.access(0, 3, 0, false, course);
  stack.access(0, 4, 0, false, course);  // L2 holds lines 2 and 3; line 1 was written to memory
  CHECK(stack.memory_writes() == 1);
}

TEST_CASE("a streaming store drops cached copies without writing them back") {
  CacheStack stack(small_machine(), 1);
  Course course;
  stack.access(0, 1, 0, true, course);
  stack.stream_store(1, 1000);
  CHECK(stack.memory_writes() == 1);
  stack.access(0, 1, 5000, false, course);
  CHECK(stack.counts()[0].misses == 2);
  CHECK(stack.counts()[1].misses == 2);
  CHECK(stack.counts()[2].misses == 2);
  CHECK(stack.memory_reads() == 2);
}

TEST_CASE("a primed line stands in its level and not above") {
  const Machine machine = small_machine();
  for (size_t level = 0; level < machine.caches.size(); ++level) {
    CacheStack stack(machine, 1);
    Course course;
    stack.prime(level, 5, false);
    const auto reply = stack.access(0, 5, 1000, false, course);
    CHECK(reply.ready == 1000 + machine.caches[level].latency_cycles);
    CHECK(stack.counts()[level].hits == 1);
  }
}

TEST_CASE("a line primed dirty is written back when it is dropped") {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, 1, 4, 4)};
  for (const bool dirty : {false, true}) {
    CacheStack stack(machine, 1);
    Course course;
    stack.prime(0, 1, dirty);
    stack.access(0, 2, 0, false, course);
    CHECK(stack.memory_writes() == (dirty ? 1 : 0));
  }
}

TEST_CASE("share takes away sets, not ways") {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 16, 2, 4, 4)};
  machine.caches[0].share = 0.25;
  CacheStack stack(machine, 1);
  for (const uint64_t line : {0, 4, 0, 4, 8, 0}) {  // lines that share one of 4 sets
    stack.warm(0, line, false);
  }
  CHECK(stack.counts()[0].hits == 2);
}

TEST_CASE("counts restart at a reset and contents stay") {
  CacheStack stack(small_machine(), 1);
  stack.warm(0, 1, false);
  stack.reset_counts();
  stack.warm(0, 1, false);
  CHECK(stack.counts()[0].name == "L1");
  CHECK(stack.counts()[0].accesses == 1);
  CHECK(stack.counts()[0].hits == 1);
  CHECK(stack.memory_reads() == 0);
}

}  // namespace
}  // namespace presort::sim::cache_stack_test
