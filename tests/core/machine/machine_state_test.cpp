#include "presort/core/machine/machine_state.h"

#include <doctest/doctest.h>

#include <functional>

#include "full_machine.h"

namespace machine_state_test {

using namespace presort;
using presort::test::full_machine;

namespace {

Machine changed(const std::function<void(Machine&)>& change) {
  Machine machine = full_machine(DeviceKind::ssd);
  change(machine);
  return machine;
}

}  // namespace

TEST_CASE("the tags of a cache are counted for each of its instances, as far as it is in use") {
  Machine machine = full_machine(DeviceKind::ssd);
  CacheLevel& l3 = machine.caches[2];  // a cache of 32 MiB, 8 ways: 65536 sets of 96 bytes of state
  CHECK(cache_state_bytes(machine, l3) == 2 * 65536 * 96.0);
  l3.shared_by = 2;
  CHECK(cache_state_bytes(machine, l3) == 65536 * 96.0);
  l3.share = 0.25;
  CHECK(cache_state_bytes(machine, l3) == 16384 * 96.0);
  machine.cores = 4096;  // only 512 of the caches are simulated
  CHECK(cache_state_bytes(machine, l3) == 512 * 16384 * 96.0);
}

TEST_CASE("machines that would take gigabytes to simulate are refused where they take the most") {
  struct Case {
    std::string key_path;
    std::function<void(Machine&)> make;
  };
  const Case cases[] = {
      {"cpu.caches[2].size", [](Machine& m) { m.caches[2].size_bytes = uint64_t{1} << 40; }},
      {"cpu.caches[2].size", [](Machine& m) { m.caches[2].size_bytes = uint64_t{1} << 33; }},
      {"cpu.caches[1].size",
       [](Machine& m) {
         m.cores = 1024;
         m.caches[1].size_bytes = uint64_t{1} << 24;
         m.caches[2].shared_by = 1024;
       }},
      {"cpu.tlb[1].entries",
       [](Machine& m) {
         m.cores = 1024;
         m.tlb[1].ways = 16;
         m.tlb[1].entries = 1 << 20;
       }},
      {"memory.banks",
       [](Machine& m) {
         m.memory.banks = 4096;
         m.memory.channels = 1024 * 2;
       }},
      {"storage.pageCache", [](Machine& m) { m.storage->page_cache_bytes = uint64_t{1} << 40; }},
  };
  for (const Case& each : cases) {
    CAPTURE(each.key_path);
    const auto problem = find_state_problem(changed(each.make));
    REQUIRE(problem.has_value());
    CHECK(problem->key_path == each.key_path);
    CHECK(problem->message.find("accepted: what a simulation holds in 1GiB; this machine takes ") !=
          std::string::npos);
  }
}

TEST_CASE("large machines that exist are not refused") {
  // Caches of 1.1 GiB of L3 and 96 cores with 1 MiB of L2 each
  const Machine genoa = changed([](Machine& m) {
    m.cores = 96;
    m.numa->nodes = {{"near", 48}, {"far", 48}};
    m.caches[1].size_bytes = 1 << 20;
    m.caches[2].size_bytes = 96 << 20;
    m.caches[2].ways = 16;
    m.caches[2].shared_by = 8;
  });
  CHECK_FALSE(find_machine_problem(genoa).has_value());
  const Machine with_hbm = changed([](Machine& m) {
    m.memory.channels = 128;
    m.memory.banks = 64;
  });
  CHECK_FALSE(find_machine_problem(with_hbm).has_value());
}

}  // namespace machine_state_test
