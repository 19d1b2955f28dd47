// Tests predictions of plans with several threads.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "presort/predict/predictor.h"
#include "presort/predict/trace/kernel_stream.h"
#include "tests/core/refusal.h"
#include "tests/sim/memory/small_storage.h"
#include "tests/sim/small_machine.h"
#include "tests/some_of.h"

namespace presort::inline v0::predict::threads_test {
namespace {

using doctest::Approx;
using test::small_level;
using test::small_tlb;

// Eight cores, each with an L1 and an L2 of its own. They share the L3 and a memory of the given
// bandwidth.
Machine machine(double bandwidth = 100e9) {
  Machine machine = test::small_machine();
  machine.name = "eight";
  machine.clock_hz = 2.5e9;
  machine.cores = 8;
  machine.window = {192, 40};
  machine.caches = {small_level("L1d", 64, 8, 4, 10), small_level("L2", 512, 8, 14, 16),
                    small_level("L3", 1024, 16, 45, 64)};
  machine.caches.back().shared_by = 8;
  machine.prefetchers = {{"L1d", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 20}};
  machine.tlb = {small_tlb("L1dTLB", {4096, 2 << 20}, 64, 4, 0)};
  machine.frames = Frames::random;
  machine.memory.latency_ns = 90;
  machine.memory.channels = 2;
  machine.memory.bandwidth = bandwidth;
  machine.memory.per_core_bandwidth = 12e9;
  return machine;
}

Problem problem(uint64_t n, uint64_t m, const std::string& distribution = "uniform") {
  Problem result;
  result.n = n;
  result.m = m;
  result.distribution = parse_distribution("dist", distribution);
  return result;
}

Prediction predict(const Machine& on, const Problem& what, const std::string& plan,
                   const SimulationOptions& options = {}) {
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  return Predictor(on, options).predict(what, parse_cpu_plan(plan), labels);
}

double ns_of(const Prediction& prediction, const std::string& phase) {
  for (const PhasePrediction& each : prediction.phases) {
    if (each.name == phase) {
      return each.ns_per_input;
    }
  }
  FAIL("no phase " << phase);
  return 0;
}

const char* const kPlans[] = {"sortBits=0",
                              "sortBits=0,prefetchDistance=8",
                              "inputDistance=9",
                              "strategy=privateTables",
                              "sortBits=6",
                              "sortBits=8,passes=2",
                              "sortBits=6,layout=separate,streaming=false"};

Problem of(Operation operation, Problem what) {
  what.operation = operation;
  return what;
}

constexpr Operation kAll[] = {Operation::multireduce, Operation::scatter,   Operation::gather,
                              Operation::histogram,   Operation::multiscan, Operation::multitag};

// Plans to test for an operation: those of kPlans and `more` that the operation can run.
std::vector<std::string> plans_of(const Problem& what, std::vector<std::string> more = {}) {
  std::vector<std::string> plans;
  more.insert(more.end(), std::begin(kPlans), std::end(kPlans));
  for (const std::string& text : more) {
    if (can_run(parse_cpu_plan(text), what)) {
      plans.push_back(text);
    }
  }
  return plans;
}

TEST_CASE("two threads take half the time of one where the cores are the limit") {
  for (const uint64_t n : {uint64_t{1} << 17, uint64_t{1} << 23}) {
    CAPTURE(n);
    const Problem what = problem(n, 1 << 10);
    const Prediction one = predict(machine(), what, "sortBits=6");
    const Prediction two = predict(machine(), what, "sortBits=6,threads=2");
    for (const char* phase : {"histogram 1", "partition 1", "reduce"}) {
      CAPTURE(phase);
      CHECK(ns_of(two, phase) == Approx(ns_of(one, phase) / 2).epsilon(0.06));
    }
    const double table = predict(machine(), what, "strategy=privateTables").ns_per_input;
    const double tables = predict(machine(), what, "strategy=privateTables,threads=2").ns_per_input;
    CHECK(tables == Approx(table / 2).epsilon(0.1));
  }
}

TEST_CASE("threads run no longer sequences through the caches than the options say") {
  const Problem what = problem(1 << 21, 1 << 10);
  const SimulationOptions whole{.ci95_relative = 0.05};
  const SimulationOptions sampled{.ci95_relative = 0.05, .replayed_inputs = uint64_t{1} << 18};
  for (const char* plan : {"sortBits=0,threads=4", "sortBits=6,threads=4"}) {
    CAPTURE(plan);
    const Prediction all = predict(machine(), what, plan, whole);
    const Prediction some = predict(machine(), what, plan, sampled);
    CHECK(2 * some.simulated_accesses < all.simulated_accesses);
    CHECK(some.ns_per_input == Approx(all.ns_per_input).epsilon(0.08));
  }
}

TEST_CASE("no plan is faster than the memory's bandwidth allows") {
  constexpr double kBandwidth = 4e9;
  // Least ns per input: reading labels and values at full bandwidth
  constexpr double kLeast = 8 / kBandwidth * 1e9;
  const SimulationOptions rough{.ci95_relative = 0.05};
  for (const auto& [n, threads] : {std::pair(1 << 18, 8), std::pair(1 << 23, 2)}) {
    const Problem what = problem(static_cast<uint64_t>(n), 1 << 10);
    const std::string rest = ",threads=" + std::to_string(threads);
    CAPTURE(rest);
    const auto predicted = [&](const std::string& plan) {
      return predict(machine(kBandwidth), what, plan + rest, rough);
    };
    const Prediction sorted = predicted("sortBits=6");
    // Tolerance of a tenth of the time: requests in flight at the ends of a timed slice blur its
    // time.
    CHECK(predicted("sortBits=0").ns_per_input > 0.9 * kLeast);
    CHECK(predicted("strategy=privateTables").ns_per_input > 0.9 * kLeast);
    CHECK(ns_of(sorted, "histogram 1") > 0.9 * kLeast / 2);
    CHECK(ns_of(sorted, "partition 1") > 0.9 * 2 * kLeast);
  }
}

TEST_CASE("more threads are never much slower, for all plans, operations and sizes of values") {
  std::vector<std::pair<Problem, std::string>> cases;
  for (const Operation operation : kAll) {
    for (const ScalarType value : {ScalarType::u32, ScalarType::u64}) {
      Problem what = of(operation, problem(60000, 5000));
      what.types.value = value;
      for (const std::string& text : plans_of(what)) {
        cases.emplace_back(what, text);
      }
    }
  }
  for (const auto& [what, text] : test::some_of(cases, cases.size() / 4)) {
    CAPTURE(text);
    CAPTURE(to_string(what));
    const double two = predict(machine(), what, text + ",threads=2").ns_per_input;
    const double eight = predict(machine(), what, text + ",threads=8").ns_per_input;
    CHECK(two > 0.05);
    CHECK(eight < 1.1 * two);
  }
}

TEST_CASE("a phase ends with its slowest thread: one part is not divided") {
  const Problem what = problem(uint64_t{1} << 18, 1 << 12, "degenerate");
  const Prediction one = predict(machine(), what, "sortBits=6");
  const Prediction four = predict(machine(), what, "sortBits=6,threads=4");
  CHECK(ns_of(four, "reduce") > 0.9 * ns_of(one, "reduce"));
  CHECK(ns_of(four, "histogram 1") < 0.5 * ns_of(one, "histogram 1"));
}

TEST_CASE("skewed, sorted and large inputs are predicted with several threads") {
  for (const char* distribution : {"zipf:1", "sorted", "clustered:16"}) {
    for (const uint64_t n : {uint64_t{1000}, uint64_t{1} << 23}) {
      for (const char* plan : {"strategy=privateTables", "sortBits=6"}) {
        CAPTURE(distribution);
        CAPTURE(n);
        CAPTURE(plan);
        const Prediction found = predict(machine(), problem(n, 1 << 12, distribution),
                                         std::string(plan) + ",threads=3", {.ci95_relative = 0.1});
        CHECK(found.ns_per_input > 0.05);
        CHECK(found.ns_per_input < 50);
        double sum = 0;
        for (const auto& [term, ns] : found.stack_ns) {
          CHECK(ns >= 0);
          sum += ns;
        }
        CHECK(sum == Approx(found.ns_per_input).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("what the cores limit takes two threads half the time of one, for every operation") {
  for (const Operation operation : kAll) {
    const Problem what = of(operation, problem(1 << 17, 1 << 10));
    CAPTURE(to_string(what));
    const Prediction one = predict(machine(), what, "sortBits=6");
    const Prediction two = predict(machine(), what, "sortBits=6,threads=2");
    REQUIRE(one.phases.size() == two.phases.size());
    for (size_t k = 0; k < one.phases.size(); ++k) {
      CAPTURE(one.phases[k].name);
      // Skips short phases such as drains: their times vary
      if (one.phases[k].ns_per_input > 0.1) {
        CHECK(two.phases[k].ns_per_input == Approx(one.phases[k].ns_per_input / 2).epsilon(0.1));
      }
    }
  }
}

TEST_CASE("scans in tables take three of two thirds: one share more than there are threads") {
  const Problem what = of(Operation::multiscan, problem(1 << 18, 1 << 10));
  const double one = predict(machine(), what, "sortBits=0").ns_per_input;
  const Prediction two = predict(machine(), what, "strategy=privateTables,threads=2");
  CHECK(ns_of(two, "scan other shares") == Approx(one / 3).epsilon(0.1));
  CHECK(two.ns_per_input < 0.8 * one);
}

TEST_CASE("large inputs of every operation are predicted with several threads") {
  for (const Operation operation : kAll) {
    const Problem what = of(operation, problem(uint64_t{1} << 23, 1 << 16));
    for (const std::string& text : plans_of(what)) {
      CAPTURE(to_string(what));
      CAPTURE(text);
      const Prediction found =
          predict(machine(), what, text + ",threads=2", {.ci95_relative = 0.1});
      CHECK(found.ns_per_input > 0.05);
      CHECK(found.ns_per_input < 50);
    }
  }
}

TEST_CASE("fewer inputs, or buckets, than threads are predicted") {
  for (const Operation operation : kAll) {
    const Problem what = of(operation, problem(5, 4096));
    for (const std::string& text : plans_of(what, {"nSets=4"})) {
      const std::string with_threads = text + ",threads=8";
      CAPTURE(to_string(what));
      CAPTURE(with_threads);
      // Plans with sets of buckets run on one thread only
      if (can_run(parse_cpu_plan(with_threads), what)) {
        CHECK(predict(machine(), what, with_threads).ns_per_input > 0);
      }
    }
  }
  CHECK(predict(machine(), problem(1000, 3), "threads=8").ns_per_input > 0);
  CHECK(predict(machine(), problem(1000, 3), "threads=8,strategy=privateTables").ns_per_input > 0);
  CHECK(predict(machine(), problem(1000, 3), "threads=8,sortBits=1").ns_per_input > 0);
}

TEST_CASE("all inputs are simulated by one thread or another") {
  const uint64_t n = 40000;
  const Prediction found = predict(machine(), problem(n, 1 << 10), "sortBits=4,threads=3");
  // Drained digits that count as simulated: half of 16 digits for each of three threads
  const uint64_t drained = 3 * 8;
  CHECK(found.simulated_inputs == 3 * n + drained);
}

TEST_CASE("sorts and segments take two threads half the time") {
  const Problem sorting = of(Operation::partialSort, problem(1 << 17, 256));
  const auto ns = [](const Problem& what, const std::string& plan, const char* phase) {
    return ns_of(predict(machine(), what, plan), phase);
  };
  for (const char* plan : {"sortBits=8", "sortBits=8,passes=2,layout=separate"}) {
    CHECK(ns(sorting, std::string(plan) + ",threads=2", "unpack") ==
          Approx(ns(sorting, plan, "unpack") / 2).epsilon(0.1));
  }
  for (const uint64_t m : {uint64_t{1} << 10, uint64_t{1} << 17}) {
    const Problem reducing = of(Operation::segmentedReduce, problem(1 << 18, m));
    CHECK(ns(reducing, "threads=2", "reduce") ==
          Approx(ns(reducing, "threads=1", "reduce") / 2).epsilon(0.1));
  }
}

TEST_CASE("of one segment, two threads reduce half before they scan: a scan takes longer") {
  const Problem one = of(Operation::segmentedScan, problem(1 << 18, 1));
  const Prediction two = predict(machine(), one, "threads=2");
  CHECK(ns_of(two, "reduce tails") > 0.2 * ns_of(two, "scan"));
  const Problem many = of(Operation::segmentedScan, problem(1 << 18, 1 << 12));
  CHECK(ns_of(predict(machine(), many, "threads=2"), "reduce tails") < 0.01);
}

TEST_CASE("more threads than cores, a block device and recording are refused") {
  const Problem what = problem(1000, 100);
  CHECK(test::refusal<PlanError>([&] { predict(machine(), what, "threads=9"); }) ==
        "threads: found '9', accepted: 1 to 8, the cores of eight");
  Machine disk = machine();
  disk.storage = test::small_disk();
  CHECK_THROWS_AS(predict(disk, what, "threads=2"), PlanError);
  struct Nowhere : sim::AccessSink {
    void write(std::span<const sim::Access>) override {}
  } nowhere;
  CHECK_THROWS_AS(predict(machine(), what, "threads=2", {.full = true, .record = &nowhere}),
                  PlanError);
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  CHECK_THROWS_AS(stream_kernel(machine(), what, parse_cpu_plan("threads=2"), labels, nowhere),
                  PlanError);
}

TEST_CASE("results that threads write side by side wait for lines of each other") {
  Machine on = machine();
  const auto slower = [&](const std::string& distribution, uint64_t n, uint64_t m) {
    Problem what = problem(n, m, distribution);
    what.operation = Operation::multiscan;
    on.line_transfer_ns = 0;
    const double before = predict(on, what, "sortBits=0,threads=4").ns_per_input;
    on.line_transfer_ns = 200;
    return predict(on, what, "sortBits=0,threads=4").ns_per_input / before;
  };
  constexpr uint64_t kFew = uint64_t{1} << 13;
  constexpr uint64_t kBuckets = uint64_t{1} << 10;
  // Labels in order: each thread writes results that lie side by side, as in the run before
  CHECK(slower("sorted", kFew, kBuckets) < 1.005);
  // Buckets of four threads in one line
  CHECK(slower("uniform", kFew, 8) > 1.005);
}

TEST_CASE("the same plan with another number of threads is another prediction of one predictor") {
  const Problem what = problem(50000, 1 << 10);
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  const Predictor predictor(machine());
  const double four =
      predictor.predict(what, parse_cpu_plan("sortBits=6,threads=4"), labels).ns_per_input;
  const double one = predictor.predict(what, parse_cpu_plan("sortBits=6"), labels).ns_per_input;
  CHECK(one > 2 * four);
}

}  // namespace
}  // namespace presort::predict::threads_test
