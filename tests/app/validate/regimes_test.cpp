#include "presort/app/validate/score/regimes.h"

#include <doctest/doctest.h>

#include "tests/app/validate/validation_fixture.h"

namespace regimes_test {

using namespace presort;
using namespace presort::app;

namespace {

// A machine with caches of 64 KiB and 1 MiB; neighbours leave half of the second.
Machine two_levels() {
  Machine machine;
  machine.caches = {{.name = "L1d", .size_bytes = 64 << 10},
                    {.name = "L2", .size_bytes = 1 << 20, .share = 0.5}};
  return machine;
}

// A problem with six points: two direct (errors of +10 % and −20 %), a prefetched one and a
// pre-sorted one, a dropped one and one that was not timed.
std::vector<ProblemPoints> six_points() {
  ProblemPoints item = make_problem(
      1 << 10, {make_point("sortBits=0", 1.1, 1), make_point("sortBits=0", 0.8, 1),
                make_point("sortBits=0,prefetchDistance=16", 2, 1), make_point("sortBits=8", 1, 1),
                make_point("sortBits=0", 9, 1), make_point("sortBits=0", 9, 1)});
  item.points[4].dropped = true;
  item.points[5].ns.clear();
  return {item};
}

const Grouping& grouping(const std::vector<Grouping>& all, const std::string& key) {
  for (const Grouping& entry : all) {
    if (entry.key == key) {
      return entry;
    }
  }
  FAIL("no grouping ", key);
  return all.front();
}

std::vector<std::string> names(const Grouping& entry) {
  std::vector<std::string> result;
  for (const Regime& regime : entry.regimes) {
    result.push_back(regime.name);
  }
  return result;
}

}  // namespace

TEST_CASE("errors are told apart by kind of plan") {
  const std::vector<Grouping> all = errors_by_regime(six_points(), two_levels());
  const std::vector<Regime>& regimes = grouping(all, "plan").regimes;
  REQUIRE(regimes.size() == 3);
  CHECK(regimes[0].name == "direct, 2MiB pages");
  CHECK(regimes[0].errors.points == 2);
  CHECK(regimes[0].errors.max_abs == doctest::Approx(0.2));
  CHECK(regimes[0].bias == doctest::Approx(-0.05));
  CHECK(regimes[0].values.size() == 2);
  CHECK(regimes[1].name == "direct with prefetch, 2MiB pages");
  CHECK(regimes[1].bias == doctest::Approx(1));
  CHECK(regimes[2].name == "pre-sorted, passes 1, 2MiB pages");
}

TEST_CASE("what only some plans of the plain loop have makes kinds of their own") {
  const auto kind_of = [](const char* plan) { return plan_kind(parse_cpu_plan(plan)); };
  CHECK(kind_of("sortBits=0") == "direct");
  CHECK(kind_of("inputDistance=512") == "direct, inputs fetched");
  CHECK(kind_of("prefetchDistance=16") == "direct with prefetch");
  CHECK(kind_of("nSets=4") == "direct in several sets");
  CHECK(kind_of("strategy=privateTables,prefetchDistance=16") == "privateTables with prefetch");
  CHECK(kind_of("sortBits=8") == "pre-sorted, passes 1");
}

TEST_CASE("page sizes and threads are regimes of their own") {
  std::vector<ProblemPoints> all = six_points();
  all[0].points[0].plan.resources.page_size = PageSize::k4KiB;
  all[0].points[3].plan.resources.threads = 2;
  const std::vector<Grouping> groupings = errors_by_regime(all, two_levels());
  CHECK(grouping(groupings, "plan").regimes.size() == 4);
  CHECK(names(grouping(groupings, "threads")) == std::vector<std::string>{"1 thread", "2 threads"});
}

TEST_CASE("the buckets fit the nearest level whose share holds them") {
  const Machine machine = two_levels();
  Problem problem;
  const auto holder = [&](uint64_t m) {
    problem.m = m;
    return holder_of_buckets(machine, problem);
  };
  CHECK(holder(16 << 10) == "L1d");
  CHECK(holder((16 << 10) + 1) == "L2");
  CHECK(holder(128 << 10) == "L2");  // buckets of 512 KiB
  CHECK(holder((128 << 10) + 1) == "memory");
  problem.types.value = ScalarType::u64;
  CHECK(holder(128 << 10) == "memory");
  CHECK(holder(8 << 10) == "L1d");
  CHECK(holder_of_buckets(Machine(), problem) == "memory");
}

TEST_CASE("cache levels are listed from the nearest, problems as they come") {
  std::vector<ProblemPoints> all;
  for (const int bits : {28, 10, 16}) {
    all.push_back(make_problem(uint64_t{1} << bits, {make_point("sortBits=0", 1, 1)}));
  }
  all[1].problem.operation = Operation::scatter;
  all[1].problem.distribution = {DistributionKind::zipf, 0.75, ""};
  all[2].problem.n = 1 << 22;
  const std::vector<Grouping> groupings = errors_by_regime(all, two_levels());
  CHECK(names(grouping(groupings, "buckets_fit_in")) ==
        std::vector<std::string>{"L1d", "L2", "memory"});
  CHECK(names(grouping(groupings, "labels")) == std::vector<std::string>{"uniform", "zipf:0.75"});
  CHECK(names(grouping(groupings, "inputs")) == std::vector<std::string>{"n=2^20", "n=2^22"});
  CHECK(names(grouping(groupings, "operation")) ==
        std::vector<std::string>{"multireduce", "scatter"});
  CHECK(grouping(groupings, "types").regimes.size() == 1);
}

TEST_CASE("every grouping holds every point that counts once") {
  for (const Grouping& entry : errors_by_regime(six_points(), two_levels())) {
    size_t points = 0;
    for (const Regime& regime : entry.regimes) {
      points += regime.errors.points;
    }
    CHECK(points == 4);
  }
}

TEST_CASE("the spread of a regime is the median of its points' spreads") {
  std::vector<ProblemPoints> all = six_points();
  all[0].points[0].ns = {9, 10, 10, 11};  // quartiles of the times: 9.75 and 10.25 ns
  all[0].points[1].ns = {10, 10, 10, 10};
  const std::vector<Grouping> groupings = errors_by_regime(all, two_levels());
  CHECK(grouping(groupings, "plan").regimes[0].spread == doctest::Approx(0.025));
}

TEST_CASE("the worst points come first, with what most of their prediction is") {
  const std::vector<ProblemPoints> all = six_points();
  const std::vector<WorstPoint> worst = worst_points(all, two_levels(), 2);
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].point == &all[0].points[2]);
  CHECK(worst[0].error == doctest::Approx(1));
  CHECK(worst[0].buckets_in == "L1d");
  CHECK(worst[0].spread == doctest::Approx(0));
  CHECK(worst[0].term == "memoryLatency");
  CHECK(worst[0].term_share == doctest::Approx(0.75));
  CHECK(worst[1].point == &all[0].points[1]);
  CHECK(worst_points(all, two_levels(), 99).size() == 4);
  CHECK(worst_points({}, two_levels(), 5).empty());
  for (const Grouping& entry : errors_by_regime({}, two_levels())) {
    CHECK(entry.regimes.empty());
  }
}

}  // namespace regimes_test
