#include "presort/probe/assemble/team.h"

#include <doctest/doctest.h>

#include <random>

#include "presort/probe/workloads/workloads.h"
#include "tests/probe/synthetic_probe.h"

namespace team_test {

using namespace presort;
using namespace presort::probe;
using namespace presort::probe::test;
using doctest::Approx;

TEST_CASE("teams of powers of two and of all CPUs are timed") {
  CHECK(team_sizes(0).empty());
  CHECK(team_sizes(1).empty());
  CHECK(team_sizes(2) == std::vector<size_t>{2});
  CHECK(team_sizes(3) == std::vector<size_t>{2, 3});
  CHECK(team_sizes(16) == std::vector<size_t>{2, 4, 8, 16});
  CHECK(team_sizes(17) == std::vector<size_t>{2, 4, 8, 16, 17});
}

TEST_CASE("times on a line give back the line") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> constant(0, 30000);
  std::uniform_real_distribution<double> slope(0, 3000);
  for (int i = 0; i < 100; ++i) {
    const TeamCosts costs{constant(random), slope(random), constant(random), slope(random)};
    Estimates estimates;
    for (const size_t threads : team_sizes(16)) {
      const auto t = static_cast<double>(threads);
      set(estimates, Quantity::teamRound, threads, costs.round_ns + t * costs.round_per_thread_ns);
      set(estimates, Quantity::teamWake, threads, costs.wake_ns + t * costs.wake_per_thread_ns);
    }
    const auto found = find_team(estimates);
    REQUIRE(found);
    for (const double t : {2.0, 16.0}) {
      CHECK(found->costs.round_ns + t * found->costs.round_per_thread_ns ==
            Approx(costs.round_ns + t * costs.round_per_thread_ns));
      CHECK(found->costs.wake_ns + t * found->costs.wake_per_thread_ns ==
            Approx(costs.wake_ns + t * costs.wake_per_thread_ns));
    }
    CHECK(found->round_uncertainty == Approx(0.02));
  }
}

TEST_CASE("one team gives a constant, falling and proportional times no negative part") {
  Estimates estimates;
  set(estimates, Quantity::teamRound, 2, 5000);
  CHECK_FALSE(find_team(estimates));  // nothing is known of waking
  set(estimates, Quantity::teamWake, 2, 25000);
  auto found = find_team(estimates);
  REQUIRE(found);
  CHECK(found->costs == TeamCosts{5000, 0, 25000, 0});
  set(estimates, Quantity::teamRound, 4, 3000);
  set(estimates, Quantity::teamWake, 4, 100000);
  found = find_team(estimates);
  CHECK(found->costs.round_per_thread_ns == 0);
  CHECK(found->costs.round_ns > 3000);
  CHECK(found->costs.round_ns < 5000);
  CHECK(found->costs.wake_ns == 0);
  CHECK(found->costs.wake_per_thread_ns > 12500);
  CHECK(found->costs.wake_per_thread_ns < 25000);
  CHECK(found->wake_uncertainty > 0.2);  // the line is far from its points
}

TEST_CASE("a machine has the team's costs, rounded, where they were measured") {
  Estimates estimates = synthetic_estimates();
  CHECK_FALSE(assembled(estimates, synthetic_topology()).machine.team);
  set(estimates, Quantity::teamRound, 2, 5512.3);
  set(estimates, Quantity::teamWake, 2, 27011);
  const ProbeResult result = assembled(estimates, synthetic_topology());
  REQUIRE(result.machine.team);
  CHECK(*result.machine.team == TeamCosts{5510, 0, 27000, 0});
  CHECK(value_of(result, "cpu.team.round") == 5510);
  CHECK(uncertainty_of(result, "cpu.team.wake") == Approx(0.02).epsilon(0.1));
  CHECK(problem_of(result.machine) == "");
}

TEST_CASE("rounds among busy programs are not taken, and the probe says so") {
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::teamRound, 2, 7e6);
  set(estimates, Quantity::teamWake, 2, 9e6);
  const ProbeResult busy = assembled(estimates, synthetic_topology());
  CHECK_FALSE(busy.machine.team);
  CHECK(warned(busy, "rounds of a team"));
  set(estimates, Quantity::teamRound, 4, 7000);  // one number of threads is enough
  set(estimates, Quantity::teamWake, 4, 1e6);
  const ProbeResult some = assembled(estimates, synthetic_topology());
  REQUIRE(some.machine.team);
  CHECK(*some.machine.team == TeamCosts{7000, 0, 1e6, 0});
  CHECK_FALSE(warned(some, "rounds of a team"));
}

TEST_CASE("rounds of this machine take a time that is not negative, in every slice") {
  const std::vector<int> cpus = this_topology().cpus;
  size_t slices = 0;
  measure_team(cpus, [&](Quantity quantity, uint64_t threads, const Slice& slice) {
    CHECK((quantity == Quantity::teamRound || quantity == Quantity::teamWake));
    CHECK(threads >= 2);
    CHECK(threads <= cpus.size());
    CHECK(slice.value_ns >= 0);
    CHECK(slice.cycle_ns > 0);
    ++slices;
  });
  CHECK(slices == 8 * team_sizes(cpus.size()).size());
}

}  // namespace team_test
