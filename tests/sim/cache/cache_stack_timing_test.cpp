// Tests the times that sim/cache/cache_stack.h gives to accesses.
#include <doctest/doctest.h>

#include "presort/sim/cache/cache_stack.h"
#include "tests/sim/property.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::cache_stack_timing_test {
namespace {

using test::between;
using test::holds;
using test::small_level;
using test::small_machine;

double load(CacheStack& stack, uint64_t line, double t) {
  Course course;
  return stack.access(0, line, t, false, course).ready;
}

TEST_CASE("each level answers after exactly its latency, memory after its own") {
  const Machine machine = small_machine();
  for (size_t level = 0; level < machine.caches.size(); ++level) {
    CacheStack stack(machine, 1);
    stack.warm(level, 9, false);
    CHECK(load(stack, 9, 500) == 500 + machine.caches[level].latency_cycles);
  }
  CacheStack stack(machine, 1);
  CHECK(load(stack, 9, 500) == 600);
}

TEST_CASE("an access that enters at a level pays that level's latency") {
  const Machine machine = small_machine();
  CacheStack stack(machine, 1);
  stack.warm(1, 9, false);
  Course course;
  CHECK(stack.access(1, 9, 500, false, course).ready == 512);
  CHECK(stack.counts()[0].accesses == 0);
}

TEST_CASE("a second access to a line in flight is ready when that line is") {
  for (const double later : {0.0, 1.0, 50.0, 95.0}) {
    CacheStack stack(small_machine(), 1);
    CHECK(load(stack, 9, 500) == 600);
    CHECK(load(stack, 9, 500 + later) == 600);
  }
  CacheStack stack(small_machine(), 1);
  load(stack, 9, 500);
  CHECK(load(stack, 9, 597) == 601);  // line 9 has arrived in the first level
  CHECK(stack.memory_reads() == 1);
  CHECK(stack.counts()[0].hits == 1);
}

TEST_CASE("a level of limited bandwidth hands up one line after another") {
  Machine machine = small_machine();
  machine.caches[1].bandwidth = 4 * machine.clock_hz;  // 4 bytes a cycle: a line takes 16 cycles
  const double hit = machine.caches[1].latency_cycles;
  CacheStack stack(machine, 1);
  for (const uint64_t line : {1, 2, 3, 4}) {
    stack.warm(1, line, false);
  }
  CHECK(load(stack, 1, 512 - hit) == 512);
  CHECK(load(stack, 2, 512 - hit) == 512 + 16);
  CHECK(load(stack, 3, 512 - hit) == 512 + 32);
  CHECK(load(stack, 4, 1024) == 1024 + hit);
}

TEST_CASE("what is written back into a level holds up what it hands up, for a time of its own") {
  Machine machine = small_machine();
  // 4 bytes a cycle: a line takes 16 cycles
  machine.caches[1].write_bandwidth = 4 * machine.clock_hz;
  constexpr uint64_t kHeld = 16;  // number of lines that the first level holds
  constexpr uint64_t kAsked = 4;  // number of lines loaded, each in another set
  for (const bool dirty : {false, true}) {
    CacheStack stack(machine, 1);
    for (uint64_t line = kHeld; line < kHeld + kAsked; ++line) {
      stack.warm(1, line, false);
    }
    for (uint64_t line = 0; line < kHeld; ++line) {
      stack.prime(0, line, dirty);
    }
    double last = 0;
    for (uint64_t line = kHeld; line < kHeld + kAsked; ++line) {  // each load evicts a dirty line
      last = load(stack, line, 512);
    }
    // Bounds on the wait: three lines were written back before the last line was asked for, and the
    // port's calendar rounds by one line.
    const double wait = last - 512 - machine.caches[1].latency_cycles;
    CHECK(wait <= (dirty ? 3 * 16.0 : 0.0));
    CHECK(wait >= (dirty ? 2 * 16.0 : 0.0));
  }
}

TEST_CASE("what a level brings in from below holds up what it hands up, and not itself") {
  for (const bool limited : {false, true}) {
    Machine machine = small_machine();
    // If limited: 16 cycles for a line
    machine.caches[1].write_bandwidth = limited ? 4 * machine.clock_hz : 0;
    CacheStack stack(machine, 1);
    stack.warm(1, 1, false);
    const double there = load(stack, 100, 512);  // time when the line from memory arrives, cycles
    for (const uint64_t line : {101, 102, 103}) {
      CHECK(load(stack, line, 512) == doctest::Approx(there));
    }
    const double wait = load(stack, 1, there - machine.caches[1].latency_cycles) - there;
    CHECK(wait <= (limited ? 4 * 16.0 : 1e-6));  // bound: a slot of the calendar holds four lines
    CHECK((wait > 1e-6) == limited);
  }
}

TEST_CASE("a merge does not count as a first-level hit in the reply") {
  CacheStack stack(small_machine(), 1);
  Course course;
  CHECK_FALSE(stack.access(0, 9, 500, false, course).first_level_hit);
  CHECK_FALSE(stack.access(0, 9, 550, false, course).first_level_hit);
  CHECK(stack.access(0, 9, 700, false, course).first_level_hit);
}

TEST_CASE("with k fill buffers the next miss starts when the first returns") {
  for (const int buffers : {1, 3, 10}) {
    Machine machine = small_machine();
    machine.caches[0].queue = buffers;
    CacheStack stack(machine, 1);
    for (int i = 0; i < buffers; ++i) {
      CHECK(load(stack, 100 + i, 500 + i) == 600 + i);
    }
    Course course;
    const auto reply = stack.access(0, 200, 550, false, course);
    CHECK(reply.accepted == 600);
    CHECK(reply.ready == 700);
    CHECK(load(stack, 300, 499) == (buffers == 1 ? 800 : 701));
  }
}

TEST_CASE("a hit needs no fill buffer") {
  Machine machine = small_machine();
  machine.caches[0].queue = 1;
  CacheStack stack(machine, 1);
  stack.warm(0, 9, false);
  load(stack, 100, 500);
  CHECK(load(stack, 9, 500) == 504);
}

TEST_CASE("the queue of a lower level limits misses that the first level would let through") {
  Machine machine = small_machine();
  machine.caches[1].queue = 2;
  CacheStack stack(machine, 1);
  CHECK(load(stack, 100, 500) == 600);
  CHECK(load(stack, 101, 500) == doctest::Approx(600));
  CHECK(load(stack, 102, 500) == doctest::Approx(700));
}

TEST_CASE("a second-level hit does not wait for the queue below it") {
  Machine machine = small_machine();
  machine.caches[1].queue = 1;
  CacheStack stack(machine, 1);
  stack.warm(1, 9, false);
  load(stack, 100, 500);
  CHECK(load(stack, 9, 500) == 512);
}

TEST_CASE("simultaneous misses come at the bandwidth of memory, or of the core if that is less") {
  for (const bool core_limit : {false, true}) {
    Machine machine = small_machine();
    machine.caches[0].queue = machine.caches[1].queue = machine.caches[2].queue = 1000;
    (core_limit ? machine.memory.per_core_bandwidth : machine.memory.bandwidth) = 4e9;
    CacheStack stack(machine, 1);
    for (int i = 0; i < 100; ++i) {
      // 64 bytes a line at 4 bytes a cycle: 16 cycles
      CHECK(load(stack, 1000 + i, 0) == doctest::Approx(100 + 16 * i));
    }
  }
}

TEST_CASE("write-backs take bandwidth that reads then lack") {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, 1, 4, 1000)};
  machine.memory.bandwidth = 4e9;
  for (const bool write : {false, true}) {
    CacheStack stack(machine, 1);
    Course course;
    double ready = 0;
    for (int i = 0; i < 2000; ++i) {
      ready = stack.access(0, 1000 + i, 0, write, course).ready;
    }
    CHECK(ready == doctest::Approx(2000 * 16 * (write ? 2 : 1)).epsilon(0.05));
  }
}

TEST_CASE("a streaming store holds a fill buffer for its hold time") {
  for (const double hold_ns : {0.0, 70.0}) {
    Machine machine = small_machine();
    machine.caches[0].queue = 2;
    machine.memory.streaming_store_ns = hold_ns;
    const double hold = hold_ns > 0 ? hold_ns : machine.memory.latency_ns;
    CacheStack stack(machine, 1);
    CHECK(stack.stream_store(1, 500) == 500);
    CHECK(stack.stream_store(2, 510) == 510);
    CHECK(stack.stream_store(3, 511) == doctest::Approx(500 + hold));
    CHECK(load(stack, 9, 512) == doctest::Approx(510 + hold + 100));
  }
}

TEST_CASE("no answer comes before the level that has the line could give it") {
  holds("ready >= t + latency of the first level; accepted in [t, ready]", [] {
    Machine machine = small_machine();
    machine.caches[0].queue = between(1, 4);
    machine.memory.bandwidth = 1e9 * between(1, 200);
    CacheStack stack(machine, 1);
    for (int i = between(1, 300); i > 0; --i) {
      const double t = between(0, 2000);
      Course course;
      const auto reply = stack.access(0, between<uint64_t>(0, 300), t, between(0, 1) == 1, course);
      RC_ASSERT(reply.ready >= t + 4);
      RC_ASSERT(reply.accepted >= t);
      RC_ASSERT(reply.accepted <= reply.ready);
    }
  });
}

}  // namespace
}  // namespace presort::sim::cache_stack_timing_test
