#include "presort/predict/team_time.h"

#include <doctest/doctest.h>

#include "presort/predict/predictor.h"
#include "tests/predict/laptop.h"

namespace presort::inline v0::predict::on_laptop {
namespace {

using doctest::Approx;

constexpr TeamCosts kTeam{3000, 250, 24000, 2500};

Prediction prediction_of(uint64_t n, const std::string& plan) {
  Prediction prediction;
  prediction.problem = problem(n, 1 << 10);
  prediction.plan = parse_cpu_plan(plan);
  prediction.ns_per_input = 2;
  prediction.stack_ns = {{"core", 2.0}};
  return prediction;
}

TEST_CASE("each round of a team costs its threads' time, and the first one their waking") {
  Machine machine = laptop();
  machine.team = kTeam;
  constexpr double kRound = 3000 + 4 * 250;
  constexpr double kWaking = 24000 + 4 * 2500;
  const struct {
    const char* plan;
    double rounds;
  } cases[] = {
      {"threads=4", 1}, {"strategy=privateTables,threads=4", 2}, {"sortBits=4,threads=4", 3}};
  for (const auto& each : cases) {
    CAPTURE(each.plan);
    Prediction again = prediction_of(1000, each.plan);
    add_team(again, machine, TeamState::again);
    CHECK(again.ns_per_input == Approx(2 + each.rounds * kRound / 1000));
    Prediction idle = prediction_of(1000, each.plan);
    add_team(idle, machine, TeamState::idle);
    CHECK(idle.ns_per_input == Approx(2 + (kWaking + (each.rounds - 1) * kRound) / 1000));
    REQUIRE(idle.phases.size() == 1);
    CHECK(idle.phases[0].name == "team");
    CHECK(idle.stack_ns.back().first == "team");
    CHECK(idle.stack_ns.back().second == Approx(idle.ns_per_input - 2));
  }
}

TEST_CASE("one thread, and a machine file without team, have no rounds") {
  Machine machine = laptop();
  Prediction without = prediction_of(1000, "threads=4");
  add_team(without, machine, TeamState::idle);
  machine.team = kTeam;
  Prediction one = prediction_of(1000, "sortBits=4");
  add_team(one, machine, TeamState::idle);
  for (const Prediction& prediction : {without, one}) {
    CHECK(prediction.ns_per_input == 2);
    CHECK(prediction.phases.empty());
    CHECK(prediction.stack_ns.size() == 1);
  }
}

TEST_CASE("threads sleep when the caller sets buckets for longer than 200 us") {
  Machine machine = laptop();
  machine.memory.per_core_bandwidth = 10e9;  // 2 MB in 200 us: 500,000 buckets of four bytes
  Problem what = problem(1000, 499'999);
  CHECK_FALSE(team_sleeps(machine, what, TeamState::again));
  CHECK(team_sleeps(machine, what, TeamState::idle));
  what.m = 500'001;
  CHECK(team_sleeps(machine, what, TeamState::again));
  what.operation = Operation::gather;
  CHECK_FALSE(team_sleeps(machine, what, TeamState::again));
}

TEST_CASE("waking takes no less than a round of awake threads") {
  const TeamCosts costs{.round_ns = 100, .round_per_thread_ns = 50, .wake_ns = 120};
  CHECK(costs.waking_round_of(2) == 200);
  CHECK(costs.waking_round_of(0) == 120);
}

TEST_CASE("the simulation of several threads has the rounds in its total and its stack") {
  Machine machine = laptop();
  machine.cores = 4;
  const Problem what = problem(10000, 1 << 10);
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  const CpuPlan plan = parse_cpu_plan("strategy=privateTables,threads=4");
  const Prediction without = Predictor(machine).predict(what, plan, labels);
  machine.team = kTeam;
  const Prediction with = Predictor(machine).predict(what, plan, labels);
  const Prediction cold = Predictor(machine, {.cold = true}).predict(what, plan, labels);
  CHECK(with.ns_per_input - without.ns_per_input == Approx(2 * 4000.0 / 10000));
  CHECK(cold.stack_ns.back().second == Approx((34000.0 + 4000) / 10000));
  double sum = 0;
  for (const auto& [term, ns] : with.stack_ns) {
    sum += ns;
  }
  CHECK(sum == Approx(with.ns_per_input));
}

}  // namespace
}  // namespace presort::predict::on_laptop
