#include "presort/core/machine/shared_core.h"

#include <doctest/doctest.h>

namespace presort::inline v0::shared_core_test {
namespace {

Machine two_threads_a_core() {
  Machine machine;
  machine.name = "m";
  machine.clock_hz = 2e9;
  machine.cores = 4;
  machine.threads_per_core = 2;
  machine.dispatch_width = 6;
  machine.window = {.entries = 512,
                    .stores = 114,
                    .registers = 0,
                    .store_lines = 9,
                    .stores_ahead = 16,
                    .store_runs = 2,
                    .load_ports = 3};
  machine.caches = {
      {.name = "L1d", .size_bytes = 48 << 10, .ways = 12, .latency_cycles = 5, .queue = 25},
      {.name = "L2", .size_bytes = 2 << 20, .ways = 16, .latency_cycles = 15, .queue = 48},
      {.name = "L3",
       .size_bytes = 300 << 20,
       .ways = 20,
       .latency_cycles = 70,
       .queue = 192,
       .shared_by = 4,
       .share = 0.5}};
  machine.memory = {.latency_ns = 100, .bandwidth = 1e11, .per_core_bandwidth = 2e10};
  return machine;
}

TEST_CASE("beside busy siblings a thread has its part of what a core's threads share") {
  const Machine whole = two_threads_a_core();
  const Machine part = beside_busy_siblings(whole);
  CHECK(part.name == "m beside busy siblings");
  CHECK(part.dispatch_width == 3);
  CHECK(part.window.entries == 256);
  CHECK(part.window.stores == 57);
  CHECK(part.caches[0].size_bytes == 24 << 10);
  CHECK(part.caches[0].ways == 6);
  CHECK(part.caches[0].queue == 12);
  CHECK(part.caches[1].size_bytes == 1 << 20);
  CHECK(part.caches[1].ways == 8);
  CHECK(part.caches[1].queue == 24);
  CHECK(part.memory.per_core_bandwidth == 1e10);
  CHECK(set_count(part.caches[0]) == set_count(whole.caches[0]));
  CHECK_FALSE(find_machine_problem(part));
}

TEST_CASE("what is not shared by the threads of a core stays as it is") {
  const Machine whole = two_threads_a_core();
  Machine back = beside_busy_siblings(whole);
  CHECK(back.window.registers == 0);  // 0 stays 0: no limit on registers
  back.name = whole.name;
  back.dispatch_width = whole.dispatch_width;
  back.window.entries = whole.window.entries;
  back.window.stores = whole.window.stores;
  back.caches[0] = whole.caches[0];
  back.caches[1] = whole.caches[1];
  back.memory.per_core_bandwidth = whole.memory.per_core_bandwidth;
  CHECK(back == whole);
}

TEST_CASE("nothing is shared down to none") {
  Machine machine = two_threads_a_core();
  machine.threads_per_core = 8;
  machine.window.stores = 3;
  machine.caches[0].ways = 1;
  machine.caches[0].size_bytes = 4096;
  const Machine part = beside_busy_siblings(machine);
  CHECK(part.dispatch_width == 1);
  CHECK(part.window.stores == 1);
  CHECK(part.caches[0].ways == 1);
  CHECK(part.caches[0].size_bytes == 4096);
  CHECK_FALSE(find_machine_problem(part));
}

TEST_CASE("a core of one thread has no siblings") {
  Machine machine = two_threads_a_core();
  machine.threads_per_core = 1;
  CHECK(beside_busy_siblings(machine) == machine);
}

}  // namespace
}  // namespace presort::shared_core_test
