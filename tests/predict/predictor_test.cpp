#include "presort/predict/predictor.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "tests/predict/laptop.h"
#include "tests/some_of.h"

namespace presort::inline v0::predict::predictor_test {
namespace {

using doctest::Approx;
using on_laptop::laptop;
using on_laptop::predict;
using on_laptop::problem;
using on_laptop::problem_of;
using on_laptop::sum_of;
using presort::test::small_level;

TEST_CASE("phases and the terms of the time stack add up to the total") {
  for (const char* plan :
       {"sortBits=0", "sortBits=10,passes=2", "sortBits=8,strategy=plainRadix"}) {
    const Prediction found = predict(laptop(), problem(1 << 18, 1 << 18), plan);
    double sum = 0;
    for (const PhasePrediction& phase : found.phases) {
      sum += phase.ns_per_input;
      CHECK(sum_of(phase.stack_ns) == Approx(phase.ns_per_input));
    }
    CHECK(sum == Approx(found.ns_per_input));
    CHECK(sum_of(found.stack_ns) == Approx(found.ns_per_input));
  }
}

TEST_CASE("the phases are those of the kernel, in its order") {
  const auto names = [](const char* plan, Operation operation = Operation::multireduce) {
    Problem what = problem(1 << 16, 1 << 16);
    what.operation = operation;
    std::string all;
    for (const PhasePrediction& phase : predict(laptop(), what, plan).phases) {
      all += phase.name + ";";
    }
    return all;
  };
  CHECK(names("sortBits=0") == "reduce;");
  CHECK(names("sortBits=0", Operation::scatter) == "scatter;");
  CHECK(names("rangePasses=2") == "range 1 of 2: reduce;range 2 of 2: reduce;");
  CHECK(names("rangePasses=3", Operation::histogram) ==
        "range 1 of 3: count;range 2 of 3: count;range 3 of 3: count;");
  CHECK(names("sortBits=8,passes=1") == "histogram 1;partition 1;drain 1;reduce;");
  CHECK(names("sortBits=8,passes=1,chunkBytes=64KiB") == "partition 1;drain 1;reduce;");
  CHECK(names("sortBits=8,passes=1,chunkBytes=64KiB", Operation::histogram) ==
        "partition 1;drain 1;count;");
  CHECK(names("sortBits=8,passes=2") ==
        "histogram 1;partition 1;drain 1;histogram 2;partition 2;drain 2;reduce;");
  CHECK(names("sortBits=8,passes=2,strategy=plainRadix") ==
        "count 1;radix 1;count 2;radix 2;reduce;");
  CHECK(names("sortBits=0", Operation::gather) == "gather;");
  CHECK(names("sortBits=8,passes=2", Operation::gather) ==
        "histogram 1;partition 1;drain 1;histogram 2;partition 2;drain 2;gather;"
        "permute back 2;permute back 1;");
  CHECK(names("sortBits=0", Operation::histogram) == "count;");
  CHECK(names("nSets=4", Operation::histogram) == "clear sets;count in sets;add sets;");
  CHECK(names("nSets=4") == "clear sets;reduce in sets;add sets;");
  CHECK(names("sortBits=8,passes=1", Operation::histogram) ==
        "histogram 1;partition 1;drain 1;count;");
  CHECK(names("sortBits=8,passes=1", Operation::multiscan) ==
        "histogram 1;partition 1;drain 1;scan;permute back 1;");
  CHECK(names("sortBits=0", Operation::multitag) == "tag;");
}

TEST_CASE("range passes find their range where a loop on so few buckets finds all of them") {
  const auto level_misses = [](const char* plan, uint64_t m) {
    const Prediction found = predict(laptop(), problem(1 << 17, m), plan);
    double last = 0;
    for (const LevelCounts& level : found.levels) {
      last = static_cast<double>(level.misses);
    }
    return last;
  };
  // 2 MiB of buckets, twice as large as the second cache level; each of two ranges has half of
  // them.
  const double whole = level_misses("sortBits=0", 1 << 19);
  const double ranges = level_misses("rangePasses=4", 1 << 19);
  CHECK(ranges < whole / 2);
}

TEST_CASE("range passes choose among all inputs each, wherever the labels of a range are") {
  for (const char* name : {"uniform", "zipf:1", "sorted", "clustered:16"}) {
    CAPTURE(name);
    Problem what = problem(1 << 16, 1 << 10);
    what.distribution = parse_distribution("dist", name);
    const Prediction once = predict(laptop(), what, "sortBits=0");
    const Prediction two = predict(laptop(), what, "rangePasses=2");
    const Prediction four = predict(laptop(), what, "rangePasses=4");
    CHECK(two.ns_per_input > 1.2 * once.ns_per_input);
    CHECK(four.ns_per_input > 1.2 * two.ns_per_input);
    CHECK(four.ns_per_input < 2.5 * two.ns_per_input);
  }
}

TEST_CASE("the same plan gives the same prediction, from the same predictor or another") {
  const Problem what = problem(1 << 18, 1 << 18);
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  const CpuPlan plan = parse_cpu_plan("sortBits=8,passes=1");
  const Predictor predictor(laptop());
  const Prediction a = predictor.predict(what, plan, labels);
  const Prediction b = predictor.predict(what, plan, labels);
  const Prediction c = Predictor(laptop()).predict(what, plan, labels);
  for (const Prediction* other : {&b, &c}) {
    CHECK(a.ns_per_input == other->ns_per_input);
    CHECK(a.ci95_relative == other->ci95_relative);
    CHECK(a.stack_ns == other->stack_ns);
    CHECK(a.walks == other->walks);
    CHECK(a.simulated_accesses == other->simulated_accesses);
  }
}

TEST_CASE("a plan is given up after the phase that says so, updates first in closed form") {
  const Problem what = problem(1 << 16, 1 << 14);
  CpuPlan plan;
  plan.presort.emplace();
  plan.presort->sort_bits = 6;
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  const Predictor predictor(laptop(), {.method = Method::closedForm});
  std::vector<std::string> told;
  const auto until = [&](const std::string& last) {
    told.clear();
    return predictor.predict_unless(what, plan, labels, [&](const Prediction& so_far) {
      told.push_back(so_far.phases.back().name);
      return told.back() == last;
    });
  };
  CHECK(!until("partition 1").has_value());
  CHECK(told == std::vector<std::string>{"reduce", "histogram 1", "partition 1"});
  const std::optional<Prediction> whole = until("");
  REQUIRE(whole.has_value());
  CHECK(told.size() == whole->phases.size());
  // The prediction lists phases in the plan's order
  CHECK(whole->phases.front().name == "histogram 1");
  CHECK(whole->phases.back().name == "reduce");
  CHECK(whole->ns_per_input == predictor.predict(what, plan, labels).ns_per_input);
}

TEST_CASE("a predictor asked for many plans says of each what one asked for it alone says") {
  const Predictor shared(laptop());
  for (const uint64_t m : {1 << 16, 1 << 18}) {
    const Problem what = problem(1 << 18, m);
    const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
    for (const char* plan : {"sortBits=6,passes=1", "sortBits=8,passes=1", "sortBits=8,passes=2",
                             "sortBits=8,passes=1,layout=separate", "sortBits=0"}) {
      CHECK(shared.predict(what, parse_cpu_plan(plan), labels).ns_per_input ==
            Approx(predict(laptop(), what, plan).ns_per_input).epsilon(0.03));
    }
  }
}

TEST_CASE("scattering sequential labels, the number of buckets does not matter") {
  const auto time_of = [](uint64_t m) {
    Problem what = problem(1 << 20, m, "sequential");
    what.operation = Operation::scatter;
    return predict(laptop(), what, "sortBits=0").ns_per_input;
  };
  for (const uint64_t m : {1 << 10, 1 << 14, 1 << 17}) {
    CHECK(time_of(m) == Approx(time_of(1 << 6)).epsilon(0.08));
  }
}

// All inputs update one bucket: each sum waits for the one before it. Updates of different buckets
// overlap.
TEST_CASE("reducing equal labels takes store forwarding and the store's cycle per input") {
  const Machine on = laptop();
  const double step_ns = (on.store_forward_cycles + 1) / on.clock_hz * 1e9;
  CHECK(predict(on, problem(1 << 18, 1 << 10, "degenerate"), "sortBits=0").ns_per_input ==
        Approx(step_ns).epsilon(0.02));
  CHECK(predict(on, problem(1 << 18, 1 << 10), "sortBits=0").ns_per_input < 0.8 * step_ns);
}

TEST_CASE("reducing equal labels on a core that renames memory takes two cycles per input") {
  Machine on = laptop();
  on.repeated_forward_cycles = 0.5;
  const double plain_ns = (on.store_forward_cycles + 1) / on.clock_hz * 1e9;
  CHECK(predict(on, problem(1 << 18, 1 << 10, "degenerate"), "sortBits=0").ns_per_input <
        0.5 * plain_ns);
}

TEST_CASE("uniform labels cost more the further out their buckets are") {
  double before = 0;
  for (const uint64_t m : {1 << 10, 1 << 15, 1 << 17, 1 << 21}) {
    const double now = predict(laptop(), problem(1 << 18, m), "sortBits=0").ns_per_input;
    CHECK(now > before);
    before = now;
  }
}

TEST_CASE("a larger second level is not slower") {
  for (const char* plan : {"sortBits=0", "sortBits=6,passes=1"}) {
    double before = 1e9;
    for (const uint64_t sets : {512, 1024, 4096}) {
      Machine grown = laptop();
      grown.caches[1] = small_level("L2", sets, 8, 14, 16);
      const double now = predict(grown, problem(1 << 18, 1 << 18), plan).ns_per_input;
      CHECK(now < before * 1.02);
      before = now;
    }
  }
}

TEST_CASE("dependent memory is never faster than pipelined") {
  for (const char* plan : {"sortBits=0", "sortBits=8,passes=1", "sortBits=0,prefetchDistance=8"}) {
    const Problem what = problem(1 << 17, 1 << 18);
    CHECK(predict(laptop(), what, plan, {.dependent = true}).ns_per_input >=
          predict(laptop(), what, plan).ns_per_input);
  }
}

TEST_CASE("parts with less than one input each, and n that is no power of two, give finite times") {
  for (const auto& [n, m] : {std::pair<uint64_t, uint64_t>{100, 1 << 20},
                             {77777, 1 << 20},
                             {1, 2},
                             {100000, 1000},
                             {99999, 4097}}) {
    const Prediction found = predict(laptop(), problem(n, m), "sortBits=1,passes=1");
    CAPTURE(n);
    CHECK(std::isfinite(found.ns_per_input));
    CHECK(found.ns_per_input > 0.5);
  }
  const Prediction fine = predict(laptop(), problem(1000, 1 << 20), "sortBits=20,passes=2");
  CHECK(fine.phases.back().ns_per_input > 0.5);
}

TEST_CASE("a later pass of fewer inputs than parts has an input to order") {
  struct Few {
    const char* labels;
    uint64_t n;
    const char* plan;
    Operation operation;
  };
  std::vector<Few> cases;
  for (const char* labels : {"uniform", "zipf:1", "clustered:16", "sorted", "permutation"}) {
    for (const uint64_t n : {1, 2, 3, 7, 20}) {
      for (const char* plan : {"sortBits=4,passes=2", "sortBits=16,passes=2", "sortBits=8"}) {
        cases.push_back({labels, n, plan, Operation::multireduce});
        cases.push_back({labels, n, plan, Operation::multiscan});
      }
    }
  }
  for (const auto& [labels, n, plan, operation] : presort::test::some_of(cases, 30)) {
    CAPTURE(labels);
    CAPTURE(n);
    CAPTURE(plan);
    Problem what = problem(n, 1 << 16, labels);
    what.operation = operation;
    const Prediction prediction = predict(laptop(), what, plan);
    CHECK(std::isfinite(prediction.ns_per_input));
    CHECK(prediction.ns_per_input > 0);
  }
}

TEST_CASE("a plan that does not fit the problem and a machine that contradicts itself are errors") {
  CHECK_THROWS_AS(predict(laptop(), problem(1 << 16, 1 << 8), "sortBits=9,passes=1"), PlanError);
  Machine wrong = laptop();
  wrong.caches[0].ways = 7;
  CHECK_THROWS_AS(Predictor{wrong}, InputError);
}

TEST_CASE(
    "segments are streams: as fast as memory hands them up, or as the core goes through them") {
  const double stream_ns = 4 / 12e9 * 1e9;  // time to read a value of 4 bytes from memory, ns
  const auto ns = [](Operation operation, uint64_t m, const char* labels = "uniform") {
    return predict(laptop(), problem_of(operation, 1 << 20, m, labels), "sortBits=0").ns_per_input;
  };
  const double reduced = ns(Operation::segmentedReduce, 1 << 8);
  CHECK(reduced > stream_ns);
  CHECK(reduced < 3 * stream_ns);
  CHECK(ns(Operation::segmentedReduce, 1, "degenerate") == Approx(reduced).epsilon(0.05));
  // Short segments take longer per value: offsets are read, results are written, and each segment's
  // end is a branch that is hard to predict.
  CHECK(ns(Operation::segmentedReduce, 1 << 20) > 3 * reduced);
  // Operations with results take longer per input: results are read and written in memory, and
  // evict each other from the caches.
  CHECK(ns(Operation::segmentedScan, 1 << 8) > 1.5 * reduced);
}

TEST_CASE(
    "a counting sort is one until its places outgrow the caches, then slower than two passes") {
  const auto ns = [](uint64_t m, const char* plan) {
    return predict(laptop(), problem_of(Operation::partialSort, 1 << 20, m), plan).ns_per_input;
  };
  const double few = ns(16, "sortBits=0");
  CHECK(few < ns(1 << 14, "sortBits=0"));
  CHECK(ns(1 << 16, "sortBits=16,passes=2") < ns(1 << 16, "sortBits=0"));
}

}  // namespace
}  // namespace presort::predict::predictor_test
