#include "presort/tuner/tuner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "presort/core/base/random.h"
#include "presort/core/error.h"

namespace presort::inline v0::tuner::tuner_test {
namespace {

// Two small cache levels, a slow memory and prefetched streams, so that a few thousand buckets
// already overflow the caches and reading the input once more is cheap.
Machine machine() {
  Machine machine;
  machine.name = "small";
  machine.cores = 2;
  machine.clock_hz = 1e9;
  machine.window = {.entries = 64, .stores = 16};
  machine.caches = {
      {.name = "L1", .size_bytes = 4096, .ways = 4, .latency_cycles = 4, .queue = 4},
      {.name = "L2", .size_bytes = 65536, .ways = 8, .latency_cycles = 12, .queue = 8},
  };
  machine.prefetchers = {{"L1", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 16}};
  machine.memory = {.latency_ns = 200, .bandwidth = 8e9};
  return machine;
}

Problem problem(uint64_t m, const char* distribution = "uniform") {
  Problem problem;
  problem.n = uint64_t{1} << 18;
  problem.m = m;
  problem.distribution = parse_distribution("dist", distribution);
  return problem;
}

PlanSpace small_space() {
  PlanSpace space;
  space.set("sortBits", {"0", "2", "4", "6"});
  space.set("bufferBytes", {"64", "256"});
  return space;
}

std::shared_ptr<const LabelSource> labels_of(const Problem& problem) {
  return make_labels(problem.distribution, problem.n, problem.m, problem.seed);
}

Choice choose(const Problem& problem, Confirm confirm = Confirm::contenders,
              const PlanSpace& space = small_space()) {
  return choose_plan(Predictors(machine()), space, problem, labels_of(problem), confirm);
}

double least(const Choice& choice, bool presorted) {
  double best = INFINITY;
  for (const Prediction& prediction : choice.predictions) {
    if (prediction.plan.presort.has_value() == presorted) {
      best = std::min(best, prediction.ns_per_input);
    }
  }
  return best;
}

size_t count(const Choice& choice, Origin origin) {
  return static_cast<size_t>(std::count(choice.origins.begin(), choice.origins.end(), origin));
}

TEST_CASE("buckets far beyond the caches are pre-sorted, and it matters") {
  for (const Confirm confirm : {Confirm::never, Confirm::contenders}) {
    const Choice choice = choose(problem(1 << 16), confirm);
    CHECK(choice.entry.plan.presort.has_value());
    CHECK(choice.entry.matters);
    CHECK(choice.entry.predicted_ns_per_input < choice.entry.direct_ns_per_input);
    CHECK(!choice.entry.direct_plan.presort);
  }
}

TEST_CASE("buckets that fit the nearest cache are not") {
  for (const Confirm confirm : {Confirm::never, Confirm::contenders}) {
    const Choice choice = choose(problem(1 << 8), confirm);
    CHECK(!choice.entry.plan.presort);
    CHECK(choice.entry.matters);
    CHECK(choice.entry.plan == choice.entry.direct_plan);
  }
}

TEST_CASE("near ties are simulated, three plans at most; nothing is where one wins by far") {
  size_t simulated = 0;
  for (int log_m = 8; log_m <= 18; log_m += 2) {
    const Choice choice = choose(problem(uint64_t{1} << log_m));
    const size_t confirmed = count(choice, Origin::simulation);
    simulated += confirmed;
    CHECK(confirmed <= 3);
    CHECK((confirmed == 0 || choice.entry.origin == Origin::simulation));
    const Predictors predictors(machine());
    double second = INFINITY;  // best time of the plans that the choice by closed form did not take
    double best = INFINITY;
    for (size_t i = 0; i < choice.predictions.size(); ++i) {
      const Prediction& prediction = choice.predictions[i];
      const auto by = [&](const predict::Predictor& predictor) {
        return predictor.predict(prediction.problem, prediction.plan, labels_of(prediction.problem))
            .ns_per_input;
      };
      const bool modelled = choice.origins[i] == Origin::model;
      // Excerpts whose times differ by less than a cycle stand for each other, whichever came
      // first.
      const double again = by(modelled ? predictors.model : predictors.simulator);
      CHECK(prediction.ns_per_input == doctest::Approx(again).epsilon(modelled ? 1e-3 : 1e-12));
      const double ns = by(predictors.model);
      second = std::min(second, std::max(ns, best));
      best = std::min(best, ns);
    }
    CAPTURE(log_m);
    CHECK((confirmed > 0 || second > 1.03 * best));
    CHECK((confirmed == 0 || second < 1.4 * best));
  }
  CHECK(simulated > 0);
}

TEST_CASE("unconfirmed, everything is by the model") {
  // 2^17 buckets are too many for several sets
  const Choice choice = choose(problem(1 << 17), Confirm::never);
  CHECK(choice.entry.origin == Origin::model);
  CHECK(count(choice, Origin::model) == choice.origins.size());
}

TEST_CASE("what has no closed form is simulated, confirmed or not") {
  PlanSpace space = small_space();
  space.require(parse_plan_fields("threads=2"));
  const Choice choice = choose(problem(1 << 10), Confirm::never, space);
  CHECK(choice.entry.plan.resources.threads == 2);
  CHECK(choice.entry.origin == Origin::simulation);
}

TEST_CASE("of all plans simulated, none is much faster than the one that is chosen") {
  for (const char* distribution : {"uniform", "zipf:1"}) {
    for (int log_m = 12; log_m <= 16; log_m += 4) {
      Problem what = problem(uint64_t{1} << log_m, distribution);
      what.n = uint64_t{1} << 16;
      const Choice choice = choose(what);
      const Predictors predictors(machine());
      double best = INFINITY;
      for (const CpuPlan& plan : candidate_plans(small_space(), what).plans) {
        best =
            std::min(best, predictors.simulator.predict(what, plan, labels_of(what)).ns_per_input);
      }
      CAPTURE(to_string(what));
      CHECK(choice.entry.predicted_ns_per_input < 1.05 * best);
    }
  }
}

TEST_CASE("it matters exactly when the margin exceeds the model's own error") {
  for (int log_m = 8; log_m <= 20; log_m += 2) {
    const Choice choice = choose(problem(uint64_t{1} << log_m), Confirm::never);
    const double margin = std::abs(least(choice, true) / choice.entry.direct_ns_per_input - 1);
    CHECK(choice.entry.matters == (margin > kModelError));
  }
}

TEST_CASE("the runner-up is another decision than the plan") {
  const Choice choice = choose(problem(1 << 16));
  const CpuPlan& plan = choice.entry.plan;
  const CpuPlan& other = choice.entry.runner_up;
  REQUIRE(plan.presort);
  const bool same = other.presort && other.presort->sort_bits == plan.presort->sort_bits &&
                    other.presort->passes == plan.presort->passes;
  CHECK(!same);
  CHECK(choice.entry.runner_up_ns_per_input >= choice.entry.predicted_ns_per_input);
}

TEST_CASE("a required pre-sort is chosen where the plain loop is faster, beside which it is told") {
  PlanSpace space = small_space();
  space.require(parse_plan_fields("sortBits=4"));
  for (const Confirm confirm : {Confirm::never, Confirm::contenders}) {
    const Choice choice = choose(problem(1 << 8), confirm, space);
    REQUIRE(choice.entry.plan.presort);
    CHECK(choice.entry.plan.presort->sort_bits == 4);
    CHECK(choice.entry.direct_plan == CpuPlan{});
    CHECK(choice.entry.direct_ns_per_input < choice.entry.predicted_ns_per_input);
  }
}

TEST_CASE("one bucket has no pre-sort to compare with") {
  const Choice choice = choose(problem(1));
  CHECK(!choice.entry.plan.presort);
  CHECK(!choice.entry.matters);
}

TEST_CASE("a required pre-sort is not left out for a plain loop that may not be chosen") {
  PlanSpace space = small_space();
  space.require(parse_plan_fields("passes=1"));
  const Choice choice = choose(problem(1 << 8), Confirm::never, space);
  CHECK(choice.entry.plan.presort.has_value());
  CHECK(choice.predictions.size() > 2);  // the predictions include the plain loop
}

TEST_CASE("timed runs overrule predictions, and what is expected after them is told") {
  Choice choice = choose(problem(1 << 16), Confirm::never);
  REQUIRE(choice.entry.plan.presort);
  int runs = 0;
  const double direct_ns = choice.entry.direct_ns_per_input / 3;
  measure(choice, 12, [&](const CpuPlan& plan) {
    ++runs;
    return plan.presort ? 3 * direct_ns : direct_ns;
  });
  CHECK(runs == 12);
  CHECK(choice.entry.origin == Origin::measurement);
  CHECK(!choice.entry.plan.presort);
  CHECK(choice.entry.plan == choice.entry.direct_plan);
  CHECK(choice.entry.predicted_ns_per_input == doctest::Approx(direct_ns).epsilon(0.15));
  CHECK(choice.entry.problem == problem(1 << 16));
}

TEST_CASE("of a file, plans that may be the best are predicted from several places of it") {
  Problem of_file = problem(1 << 15, "file:halves.u32");
  std::vector<uint64_t> values(of_file.n);
  for (uint64_t i = 0; i < values.size(); ++i) {  // only the middle of the file is sorted
    const bool middle = i > values.size() / 4 && i < values.size() / 4 * 3;
    values[i] = middle ? i / 8 : random_u64(1, i) % of_file.m;
  }
  const auto labels = make_stored_labels(std::move(values), of_file.n, of_file.m);
  const Predictors predictors(machine());
  const Choice choice = choose_plan(predictors, small_space(), of_file, labels, Confirm::never);
  const double best = std::min(least(choice, false), least(choice, true));
  size_t from_one = 0;
  for (const Prediction& prediction : choice.predictions) {
    const double ns = predictors.model.predict(of_file, prediction.plan, labels).ns_per_input;
    if (prediction.ns_per_input < 1.3 * best) {
      CHECK(prediction.ns_per_input == ns);
    }
    from_one += prediction.ns_per_input != ns ? 1 : 0;
  }
  CHECK(from_one > 0);
  CHECK(from_one < choice.predictions.size());
}

}  // namespace
}  // namespace presort::tuner::tuner_test
