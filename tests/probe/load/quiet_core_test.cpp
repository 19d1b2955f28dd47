#include "presort/probe/load/quiet_core.h"

#include <doctest/doctest.h>
#include <sched.h>

#include <map>

#include "presort/probe/host/topology.h"

namespace presort::inline v0::probe::quiet_core_test {
namespace {

// CPUs that the calling thread may run on.
cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  return set;
}

bool is_only(int cpu) {
  const cpu_set_t set = allowed();
  return CPU_COUNT(&set) == 1 && CPU_ISSET(static_cast<size_t>(cpu), &set);
}

TEST_CASE("a thread moves to the least crowded core, and leaves only for a quieter one") {
  const std::vector<int> cpus = this_topology().cpus;
  if (cpus.size() < 2) {
    MESSAGE("one core only: nothing to choose");
    return;
  }
  const int first = cpus[0];
  const int second = cpus[1];
  std::map<int, double> add_ns;
  for (const int cpu : cpus) {
    add_ns[cpu] = 0.20;
  }
  const cpu_set_t before = allowed();
  {
    QuietCore core(cpus, [&] { return add_ns.at(sched_getcpu()); });
    add_ns[second] = 0.07;
    CHECK(core.settle());
    CHECK(is_only(second));
    add_ns[second] = 0.073;  // ns per add, within the tolerance of 0.07
    add_ns[first] = 0.05;
    CHECK_FALSE(core.settle());
    CHECK(is_only(second));
    add_ns[second] = 0.15;
    CHECK(core.settle());
    CHECK(is_only(first));
    // Ns per add: all cores are crowded, and the first is not the least crowded
    add_ns[first] = 0.16;
    CHECK(core.settle());
    CHECK(is_only(second));
    core.release();
    const cpu_set_t now = allowed();
    CHECK(CPU_EQUAL(&now, &before));
    CHECK(core.settle());
  }
  const cpu_set_t after = allowed();
  CHECK(CPU_EQUAL(&after, &before));
}

TEST_CASE("one core, or none known: the thread stays where it is") {
  const cpu_set_t before = allowed();
  for (const std::vector<int>& cpus : {std::vector<int>{}, std::vector<int>{0}}) {
    QuietCore core(cpus);
    CHECK_FALSE(core.settle());
    const cpu_set_t now = allowed();
    CHECK(CPU_EQUAL(&now, &before));
  }
}

TEST_CASE("an independent add takes less than a cycle of the slowest core there is") {
  const double ns = crowded_add_ns();
  CHECK(ns > 0.01);
  CHECK(ns < 10);
}

}  // namespace
}  // namespace presort::probe::quiet_core_test
