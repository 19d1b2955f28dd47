#include "presort/probe/load/quiet_team.h"

#include <doctest/doctest.h>
#include <sched.h>

#include <map>

#include "presort/probe/host/topology.h"

namespace presort::inline v0::probe::quiet_team_test {
namespace {

// Cores whose crowding the test sets, at 1 GHz.
struct Cores {
  std::map<int, double> crowding;
  CoreState operator()() const { return {.cycle_ns = 1, .crowding = crowding.at(sched_getcpu())}; }
};

TEST_CASE("a team takes the least crowded cores, and leaves them only when one is crowded") {
  const std::vector<int> cpus = this_topology().cpus;
  if (cpus.size() < 2) {
    MESSAGE("one core only: nothing to choose");
    return;
  }
  Cores cores;
  for (const int cpu : cpus) {
    cores.crowding[cpu] = 0.5;
  }
  const int first = cpus[0];
  const int second = cpus[1];
  QuietTeam team(cpus, [&] { return cores(); });
  cores.crowding[second] = 0.24;
  CHECK(team.settle(1) == std::vector{second});
  cores.crowding[second] = 0.25;  // cycles per add, within the tolerance of 0.24
  cores.crowding[first] = 0.2;
  CHECK(team.settle(1) == std::vector{second});
  cores.crowding[second] = 0.4;
  CHECK(team.settle(1) == std::vector{first});
  CHECK(team.settle(cpus.size()) == cpus);
  CHECK(team.most_crowded(std::vector{first, second}).crowding == doctest::Approx(0.4));
  CHECK(team.settle(cpus.size() + 1).empty());
}

TEST_CASE("after a look the thread may run where it could before") {
  cpu_set_t before;
  cpu_set_t after;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  const std::vector<int> cpus = this_topology().cpus;
  QuietTeam team(cpus);
  CHECK(team.settle(cpus.size()) == cpus);
  CHECK(team.most_crowded(cpus).crowding > 0);
  REQUIRE(sched_getaffinity(0, sizeof after, &after) == 0);
  CHECK(CPU_EQUAL(&before, &after));
}

}  // namespace
}  // namespace presort::probe::quiet_team_test
