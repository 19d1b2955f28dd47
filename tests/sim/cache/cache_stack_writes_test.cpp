// Write modes, inclusion, sectors and streaming stores of sim/cache/cache_stack.h, worked by hand.
// Random machines: exactness_test.cpp.
#include <doctest/doctest.h>

#include "presort/sim/cache/cache_stack.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::cache_stack_writes_test {
namespace {

using test::small_level;
using test::small_machine;

// A machine with an L1 of one line and an L2 of two, both fully associative.
Machine two_levels() {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, 1, 4, 4), small_level("L2", 1, 2, 12, 4)};
  return machine;
}

double store(CacheStack& stack, uint64_t line, double t) {
  Course course;
  const CacheStack::Reply reply = stack.access(0, line, t, true, course, 4);
  return reply.first_level_hit ? t : reply.ready;
}

double load(CacheStack& stack, uint64_t line, double t) {
  Course course;
  return stack.access(0, line, t, false, course).ready;
}

TEST_CASE(
    "through: a store that hits is sent on, costs nothing, and leaves nothing to write back") {
  Machine machine = two_levels();
  machine.caches[0].write = WriteMode::through;
  CacheStack stack(machine, 1);
  load(stack, 1, 0);
  CHECK(store(stack, 1, 500) == 500);
  const std::vector<LevelCounts> counts = stack.counts();
  CHECK(counts[0].write_throughs == 1);
  CHECK(counts[0].bytes_out == 4);
  CHECK(counts[1].accesses == 2);  // L2 accesses: a load and a store
  CHECK(counts[1].hits == 1);
  load(stack, 2, 1000);
  CHECK(stack.counts()[0].writebacks == 0);
  CHECK(stack.memory_writes() == 0);
  load(stack, 3, 2000);  // L2 drops line 1, which the store made dirty
  CHECK(stack.counts()[1].writebacks == 1);
  CHECK(stack.memory_writes() == 1);
}

TEST_CASE("through without allocation: a store that misses leaves the level as it was") {
  Machine machine = two_levels();
  machine.caches[0].write = WriteMode::through;
  machine.caches[0].write_allocate = false;
  CacheStack stack(machine, 1);
  load(stack, 1, 0);
  // The earlier store has left, so L2 has a register for this miss
  CHECK(store(stack, 2, 500) == 500);
  CHECK(load(stack, 1, 600) == 604);  // line 1 is still in L1
  CHECK(stack.counts()[0].bytes_in == 64);
  CHECK(stack.counts()[1].misses == 2);
  CHECK(load(stack, 2, 1000) == 1012);  // the store brought line 2 into L2
}

TEST_CASE("a store sent on waits while the level below has no register for its miss") {
  Machine machine = two_levels();
  machine.caches[0].write = WriteMode::through;
  machine.caches[0].write_allocate = false;
  machine.caches[1].queue = 1;
  CacheStack stack(machine, 1);
  CHECK(store(stack, 1, 500) == 500);
  CHECK(store(stack, 2, 510) == 600);  // the store is done when the fetch of line 1 is
}

TEST_CASE("back without allocation: a store that misses goes to memory past all levels") {
  Machine machine = two_levels();
  machine.caches[0].write_allocate = machine.caches[1].write_allocate = false;
  CacheStack stack(machine, 1);
  CHECK(store(stack, 1, 500) == 500);
  CHECK(stack.memory_writes() == 1);
  CHECK(stack.memory_reads() == 0);
  load(stack, 1, 600);
  CHECK(store(stack, 1, 1000) == 1000);  // a store that hits stays in L1
  CHECK(stack.memory_writes() == 1);
}

TEST_CASE("an inclusive level takes what it drops away above, and writes it back once") {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, 3, 4, 4), small_level("L2", 1, 2, 12, 4)};
  for (const Inclusion inclusion : {Inclusion::nonInclusive, Inclusion::inclusive}) {
    const bool inclusive = inclusion == Inclusion::inclusive;
    machine.caches[1].inclusion = inclusion;
    CacheStack stack(machine, 1);
    store(stack, 1, 0);
    load(stack, 2, 200);
    load(stack, 3, 400);  // L2 drops line 1, which is dirty in L1
    CHECK(stack.counts()[0].back_invalidations == inclusive);
    CHECK(stack.counts()[0].writebacks == inclusive);
    CHECK(stack.counts()[1].writebacks == inclusive);
    CHECK(stack.memory_writes() == inclusive);
    load(stack, 1, 600);
    CHECK(stack.counts()[0].hits == (inclusive ? 0 : 1));
  }
}

TEST_CASE("of a line with sectors only those asked for are fetched, and all are dropped at once") {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, 1, 4, 4)};
  machine.caches[0].size_bytes = machine.caches[0].line_bytes = 256;
  machine.caches[0].sector_bytes = 64;
  CacheStack stack(machine, 1);
  CHECK(stack.line_bytes() == 64);
  store(stack, 0, 0);
  store(stack, 3, 200);  // another sector of the same line
  load(stack, 1, 400);
  CHECK(stack.counts()[0].misses == 3);
  CHECK(stack.counts()[0].sector_misses == 2);
  CHECK(stack.counts()[0].bytes_in == 3 * 64);
  load(stack, 4, 600);  // a sector of the next line, which evicts the first
  CHECK(stack.counts()[0].writebacks == 2);
  CHECK(stack.counts()[0].bytes_out == 2 * 64);
  CHECK(stack.memory_writes() == 2);
  CHECK(stack.counts()[0].sector_misses == 2);
}

TEST_CASE("streaming stores of parts reach memory as one line, or in part when buffers run out") {
  Machine machine = two_levels();
  machine.write_combining = 2;
  CacheStack stack(machine, 1);
  for (uint64_t part = 0; part < 4; ++part) {
    stack.stream_store(64 * 7 + 16 * part, 16, 100);
    CHECK(stack.memory_writes() == (part == 3 ? 1 : 0));
  }
  CHECK(stack.partial_writes() == 0);
  for (uint64_t line = 0; line < 3; ++line) {
    stack.stream_store(64 * line, 16, 200);
  }
  CHECK(stack.partial_writes() == 1);
  load(stack, 2, 300);  // the combining buffer of line 2 is written first
  CHECK(stack.partial_writes() == 2);
  CHECK(stack.memory_writes() == 3);
}

TEST_CASE("a streaming store of a part writes a dirty copy back, one of a whole line does not") {
  for (const uint64_t bytes : {16, 64}) {
    CacheStack stack(two_levels(), 1);
    store(stack, 1, 0);
    stack.stream_store(64, bytes, 500);
    CHECK(stack.counts()[0].writebacks == (bytes == 16 ? 1 : 0));
    CHECK(stack.memory_writes() == 1);
    load(stack, 1, 1000);
    CHECK(stack.counts()[0].misses == 2);
  }
}

TEST_CASE("a streaming store across the end of a line is a part of each") {
  CacheStack stack(two_levels(), 1);
  stack.stream_store(64 * 3 + 56, 16, 0);
  stack.stream_store(64 * 3, 56, 0);
  CHECK(stack.memory_writes() == 1);
  stack.stream_store(64 * 4 + 8, 56, 0);
  CHECK(stack.memory_writes() == 2);
}

TEST_CASE("a walk that enters at a victim level finds its line there again") {
  Machine machine = two_levels();
  machine.caches[1].fill = Fill::onEvict;
  CacheStack stack(machine, 1);
  store(stack, 1, 0);
  load(stack, 2, 200);  // line 1 moves to L2, dirty
  Course course;
  CHECK(stack.access(1, 1, 400, false, course).ready == 412);
  CHECK(stack.access(1, 1, 500, false, course).ready == 512);
  load(stack, 3, 600);
  load(stack, 4, 800);
  CHECK(stack.memory_writes() == 1);  // line 1 was written to memory
}

}  // namespace
}  // namespace presort::sim::cache_stack_writes_test
