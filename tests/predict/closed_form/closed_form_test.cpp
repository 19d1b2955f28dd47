#include "presort/predict/closed_form/closed_form.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict::closed_form_test {
namespace {

Machine small_machine() {
  Machine machine;
  machine.name = "small";
  machine.clock_hz = 2e9;
  machine.window = {.entries = 224, .stores = 56};
  machine.caches = {
      {.name = "L1d", .size_bytes = 32 << 10, .ways = 8, .latency_cycles = 4, .queue = 12},
      {.name = "L2", .size_bytes = 512 << 10, .ways = 8, .latency_cycles = 14, .queue = 16}};
  machine.prefetchers = {
      {.level = "L2", .kind = PrefetcherKind::stream, .degree = 2, .distance = 12}};
  machine.tlb = {{.name = "TLB", .page_bytes = {4096, 2 << 20}, .entries = 64, .ways = 4}};
  machine.memory = {.latency_ns = 90, .bandwidth = 1.2e10};
  return machine;
}

Prediction predict(const Machine& machine, Method method, const Problem& problem,
                   const CpuPlan& plan) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  return Predictor(machine, {.method = method}).predict(problem, plan, labels);
}

Problem problem_of(uint64_t n, uint64_t m, Operation operation = Operation::multireduce) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  return problem;
}

TEST_CASE("the closed form is near the simulator") {
  const Machine machine = small_machine();
  double sum = 0;
  int points = 0;
  for (const uint64_t m : {uint64_t{1} << 10, uint64_t{1} << 16, uint64_t{1} << 22}) {
    for (const char* text : {"sortBits=0", "sortBits=0,prefetchDistance=16", "sortBits=6",
                             "rangePasses=2", "rangePasses=4,inputDistance=512"}) {
      const Problem problem = problem_of(uint64_t{1} << 20, m);
      const CpuPlan plan = parse_cpu_plan(text);
      const double modelled = predict(machine, Method::closedForm, problem, plan).ns_per_input;
      const double simulated = predict(machine, Method::simulation, problem, plan).ns_per_input;
      CAPTURE(m);
      CAPTURE(text);
      CHECK(modelled == doctest::Approx(simulated).epsilon(0.35));
      sum += std::abs(modelled / simulated - 1);
      ++points;
    }
  }
  CHECK(sum / points < 0.12);
}

TEST_CASE("all operations have phases that add up, and a stack that adds up to them") {
  const Machine machine = small_machine();
  for (const auto& [name, operation] : kOperations) {
    for (const char* text : {"sortBits=0", "sortBits=4", "sortBits=8,passes=2"}) {
      Problem problem = problem_of(100000, 5000, operation);
      if (operation == Operation::partialSort) {
        problem.m = 256;  // labels of exactly 8 bits
      }
      if (!can_run(parse_cpu_plan(text), problem) ||
          !in_closed_form(machine, problem, parse_cpu_plan(text))) {
        continue;
      }
      const Prediction prediction =
          predict(machine, Method::closedForm, problem, parse_cpu_plan(text));
      double phases = 0;
      for (const PhasePrediction& phase : prediction.phases) {
        CHECK(phase.ns_per_input >= 0);
        phases += phase.ns_per_input;
      }
      double stack = 0;
      for (const auto& [term, ns] : prediction.stack_ns) {
        CHECK(ns >= 0);
        stack += ns;
      }
      CAPTURE(name);
      CAPTURE(text);
      CHECK(phases == doctest::Approx(prediction.ns_per_input));
      CHECK(stack == doctest::Approx(prediction.ns_per_input).epsilon(0.001));
    }
  }
}

TEST_CASE("partial sorts are near the simulator; counting sorts and segments are refused") {
  const Machine machine = small_machine();
  for (const auto& [m, text] :
       {std::pair(256, "sortBits=8"), std::pair(256, "sortBits=8,passes=2,layout=separate"),
        std::pair(4096, "sortBits=12,passes=2")}) {
    Problem problem = problem_of(1 << 20, static_cast<uint64_t>(m), Operation::partialSort);
    const CpuPlan plan = parse_cpu_plan(text);
    CAPTURE(m);
    CAPTURE(text);
    CHECK(predict(machine, Method::closedForm, problem, plan).ns_per_input ==
          doctest::Approx(predict(machine, Method::simulation, problem, plan).ns_per_input)
              .epsilon(0.35));
  }
  for (const Operation operation : {Operation::segmentedReduce, Operation::partialSort}) {
    const Problem refused = problem_of(1000, 10, operation);
    CHECK(!in_closed_form(machine, refused, CpuPlan{}));
    CHECK_THROWS_AS(predict(machine, Method::closedForm, refused, CpuPlan{}), PlanError);
  }
}

TEST_CASE("pre-sorted zipf labels are near the simulator: parts have their own popular labels") {
  const Machine machine = small_machine();
  for (const char* labels : {"zipf:1.25", "zipf:0.75"}) {
    for (const char* text : {"sortBits=4", "sortBits=8"}) {
      Problem problem = problem_of(uint64_t{1} << 20, uint64_t{1} << 22);
      problem.distribution = parse_distribution("", labels);
      const CpuPlan plan = parse_cpu_plan(text);
      const double modelled = predict(machine, Method::closedForm, problem, plan).ns_per_input;
      const double simulated = predict(machine, Method::simulation, problem, plan).ns_per_input;
      CAPTURE(labels);
      CAPTURE(text);
      CHECK(modelled == doctest::Approx(simulated).epsilon(0.15));
    }
  }
}

// Labels, half of which come from a set of a thousand: core/labels/distribution.h has no formula
// for such a distribution.
std::vector<uint64_t> half_of_a_thousand(uint64_t n, uint64_t m) {
  std::vector<uint64_t> labels(n);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t drawn = random_u64(1, i);
    labels[i] = drawn % 2 == 0 ? bounded(random_u64(2, bounded(drawn, 1000)), m)
                               : bounded(random_u64(3, i), m);
  }
  return labels;
}

std::vector<uint64_t> behind_a_front(uint64_t n, uint64_t m) {
  std::vector<uint64_t> labels(n);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t front = i * (m - 1) / n;
    labels[i] = front - std::min(front, bounded(random_u64(1, i), 2000));
  }
  return labels;
}

// Streams run up to 77 lines ahead, across pages; all lines of three of them may be under way.
Machine machine_with_long_streams() {
  Machine machine = small_machine();
  machine.prefetchers = {{"L1d", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 77, false, 0, 3}};
  machine.clock_hz = 3.7e9;
  machine.window = {.entries = 320, .stores = 64};
  machine.memory.latency_ns = 145;
  machine.memory.row_hit_ns = 0;
  machine.memory.bandwidth = 36e9;
  machine.memory.per_core_bandwidth = 33e9;
  machine.memory.write_bandwidth = 27e9;
  machine.caches[1].queue = 64;
  machine.caches.push_back(
      {.name = "L3", .size_bytes = 4 << 20, .ways = 16, .latency_cycles = 60, .queue = 192});
  machine.caches.back().fill = Fill::onEvict;
  return machine;
}

// The buckets of these labels are a stream of their own beside the inputs. Timed from its start, that
// of labels of cells comes three times as long as the simulator says.
TEST_CASE("streams that go on from page to page are near the simulator") {
  const Machine machine = machine_with_long_streams();
  for (const Operation operation : {Operation::gather, Operation::multiscan}) {
    for (const auto& [labels, most_off] : {std::pair("cells:2", 0.9), std::pair("sorted", 0.2)}) {
      Problem problem = problem_of(1577519, 654212, operation);
      problem.distribution = parse_distribution("", labels);
      const CpuPlan plan = parse_cpu_plan("sortBits=0");
      const double modelled = predict(machine, Method::closedForm, problem, plan).ns_per_input;
      const double simulated = predict(machine, Method::simulation, problem, plan).ns_per_input;
      CAPTURE(labels);
      CAPTURE(static_cast<int>(operation));
      CHECK(std::abs(modelled / simulated - 1) < most_off);
    }
  }
}

TEST_CASE("labels of files are near the simulator, whatever they are") {
  const Machine machine = small_machine();
  const uint64_t n = 1 << 19;
  const uint64_t m = 1 << 18;
  for (const auto make : {half_of_a_thousand, behind_a_front}) {
    for (const char* text : {"sortBits=0", "sortBits=0,prefetchDistance=16", "sortBits=6"}) {
      Problem problem = problem_of(n, m);
      problem.distribution = parse_distribution("", "file:labels.u32");
      const auto labels = make_stored_labels(make(n, m), n, m);
      const auto predict_by = [&](Method method) {
        return Predictor(machine, {.method = method})
            .predict(problem, parse_cpu_plan(text), labels)
            .ns_per_input;
      };
      CAPTURE(text);
      CHECK(predict_by(Method::closedForm) ==
            doctest::Approx(predict_by(Method::simulation)).epsilon(0.2));
    }
  }
}

TEST_CASE("few inputs and few buckets have a prediction") {
  const Machine machine = small_machine();
  for (const uint64_t n : {1, 2, 63, 64, 1023, 1025}) {
    for (const uint64_t m : {1, 2, 17}) {
      const Prediction prediction =
          predict(machine, Method::closedForm, problem_of(n, m), parse_cpu_plan("sortBits=0"));
      CHECK(std::isfinite(prediction.ns_per_input));
      CHECK(prediction.ns_per_input > 0);
    }
  }
}

TEST_CASE("predictions do not depend on what was asked before") {
  const Machine machine = small_machine();
  const Problem problem = problem_of(1 << 20, 1 << 16);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, 1);
  const Predictor predictor(machine, {.method = Method::closedForm});
  predictor.predict(problem, parse_cpu_plan("sortBits=0"), labels);
  CHECK(predictor.predict(problem, parse_cpu_plan("sortBits=6"), labels).ns_per_input ==
        predict(machine, Method::closedForm, problem, parse_cpu_plan("sortBits=6")).ns_per_input);
}

TEST_CASE("what the closed form does not know is refused") {
  Machine machine = small_machine();
  machine.cores = 2;
  const Problem problem = problem_of(1 << 16, 1 << 10);
  CHECK_THROWS_AS(predict(machine, Method::closedForm, problem, parse_cpu_plan("threads=2")),
                  PlanError);
  machine.storage = Storage{};
  CHECK_THROWS_AS(make_closed_form(machine, problem, PageSize::k4KiB, nullptr), PlanError);
}

}  // namespace
}  // namespace presort::predict::closed_form_test
