// Which parts of a pre-sort are partitioned again and which stay whole, against a count of every
// label; and what the prediction of a partial sort makes of it.
#include "presort/predict/phases/part_shares.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "presort/cpu/plan/phase_list.h"
#include "presort/cpu/presort/few_inputs.h"
#include "presort/cpu/threads/shares.h"
#include "presort/predict/predictor.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::part_shares_test {
namespace {

Problem problem(Operation operation, uint64_t n, uint64_t m,
                const std::string& labels = "uniform") {
  Problem result;
  result.operation = operation;
  result.n = n;
  result.m = m;
  result.distribution = parse_distribution("labels", labels);
  return result;
}

std::shared_ptr<const LabelSource> labels_of(const Problem& what) {
  return make_labels(what.distribution, what.n, what.m, what.seed);
}

// The shares of the second of two passes, counted one by one.
PassShare counted(const Problem& what, int first_bits, int second_bits) {
  std::vector<uint64_t> labels(what.n);
  labels_of(what)->generate(0, labels);
  std::map<uint64_t, size_t> inputs_of;
  for (const uint64_t label : labels) {
    ++inputs_of[label >> (label_bits(what.m) - first_bits)];
  }
  PassShare share;
  share.parts = 0;
  for (const auto& [part, inputs] : inputs_of) {
    const auto count = static_cast<double>(inputs);
    if (inputs > cpu::kFewInputsPerDigit << second_bits) {
      share.parts += 1;
      share.inputs += count;
    } else {
      PartsOfKind& few = inputs <= cpu::kMostInserted ? share.inserted : share.in_runs;
      few.parts += 1;
      few.inputs += count;
    }
  }
  return share;
}

TEST_CASE("parts of all labels are those that a count of every label finds") {
  for (const char* labels : {"uniform", "zipf:1", "words:1.265:7.883", "sorted"}) {
    for (const uint64_t n : {1, 2, 255, 4096, 65536}) {
      CAPTURE(labels);
      CAPTURE(n);
      const Problem what = problem(Operation::partialSort, n, 1 << 12, labels);
      const PassShare found =
          pass_shares(what, parse_cpu_plan("sortBits=12,passes=2"), sorted_sample(*labels_of(what)))
              .at(1);
      const PassShare expected = counted(what, 6, 6);
      CHECK(found.parts == expected.parts);
      CHECK(found.inputs == doctest::Approx(expected.inputs));
      CHECK(found.inserted.parts == expected.inserted.parts);
      CHECK(found.inserted.inputs == doctest::Approx(expected.inserted.inputs));
      CHECK(found.in_runs.parts == expected.in_runs.parts);
      CHECK(found.in_runs.inputs == doctest::Approx(expected.in_runs.inputs));
    }
  }
}

TEST_CASE("of more labels than are looked at, every input is in some part of every pass") {
  const Problem what = problem(Operation::partialSort, 5000000, 1 << 24, "zipf:0.8");
  const auto shares =
      pass_shares(what, parse_cpu_plan("sortBits=24,passes=3"), sorted_sample(*labels_of(what)));
  REQUIRE(shares.size() == 3);
  for (size_t pass = 1; pass < 3; ++pass) {
    const PassShare& share = shares[pass];
    CHECK(share.inputs + share.inserted.inputs + share.in_runs.inputs ==
          doctest::Approx(shares[pass - 1].inputs));
  }
}

std::vector<WeighedPhase> weighed(const Problem& what, const CpuPlan& plan) {
  return weigh_phases(cpu::list_phases(what, plan), what, plan, sorted_sample(*labels_of(what)));
}

TEST_CASE("parts of many inputs leave every weight as it is, and nothing to sort in the caches") {
  const Problem what = problem(Operation::partialSort, 1 << 16, 1 << 10);
  for (const char* text : {"sortBits=10", "sortBits=10,passes=2", "sortBits=0"}) {
    CAPTURE(text);
    const CpuPlan plan = parse_cpu_plan(text);
    for (const auto& [phase, items, threads] : weighed(what, plan)) {
      CHECK(threads == 1);
      CHECK(!std::holds_alternative<cpu::phase::SortFew>(phase));
      CHECK(items == doctest::Approx(cpu::items_per_input(phase, what)));
    }
  }
}

TEST_CASE("parts of few inputs take no second pass; sorts of them hold all inputs") {
  const Problem what = problem(Operation::partialSort, 1 << 12, 1 << 20);
  double sorted = 0;
  for (const auto& [phase, items, threads] :
       weighed(what, parse_cpu_plan("sortBits=20,passes=2"))) {
    CHECK(threads == 1);
    CHECK(!(std::holds_alternative<cpu::phase::Partition>(phase) &&
            std::get<cpu::phase::Partition>(phase).pass.from.passes > 0));
    if (const auto* few = std::get_if<cpu::phase::SortFew>(&phase)) {
      sorted += items * static_cast<double>(few->inputs);
    }
  }
  CHECK(sorted == doctest::Approx(1));
}

// The most inputs of the second pass that one of several threads partitions, by a team that is run
// step by step: at every step each busy thread does one input, free threads draw the next group.
double counted_longest(const Problem& what, int first_bits, int second_bits, size_t threads) {
  std::vector<uint64_t> labels(what.n);
  labels_of(what)->generate(0, labels);
  std::vector<size_t> parts(size_t{1} << first_bits);
  for (const uint64_t label : labels) {
    ++parts[label >> (label_bits(what.m) - first_bits)];
  }
  const size_t groups = cpu::share_count(what.n, threads);
  std::vector<size_t> all(groups);
  std::vector<size_t> partitioned(groups);
  size_t before = 0;
  for (const size_t inputs : parts) {
    if (inputs > 0) {
      const size_t group = cpu::owner_of_part(before, inputs, what.n, groups);
      all[group] += inputs;
      partitioned[group] += inputs > cpu::kFewInputsPerDigit << second_bits ? inputs : 0;
    }
    before += inputs;
  }
  std::vector<size_t> left(threads);
  std::vector<size_t> done(threads);
  size_t next = 0;
  while (next < groups || std::ranges::any_of(left, [](size_t inputs) { return inputs > 0; })) {
    for (size_t t = 0; t < threads; ++t) {
      while (left[t] == 0 && next < groups) {
        left[t] = all[next];
        done[t] += partitioned[next++];
      }
    }
    for (size_t& inputs : left) {
      inputs -= inputs > 0 ? 1 : 0;
    }
  }
  return static_cast<double>(std::ranges::max(done));
}

TEST_CASE("the longest share of a pass is that of a team that is run step by step") {
  for (const char* labels : {"uniform", "zipf:1", "degenerate", "sorted", "zipf-contiguous:1.4"}) {
    for (const uint64_t n : {1, 1023, 16384, 65536}) {
      for (const int threads : {1, 2, 3, 7, 16}) {
        CAPTURE(labels);
        CAPTURE(n);
        CAPTURE(threads);
        const Problem what = problem(Operation::multireduce, n, 1 << 12, labels);
        CpuPlan plan = parse_cpu_plan("sortBits=8,passes=2");
        plan.resources.threads = threads;
        const PassShare share = pass_shares(what, plan, sorted_sample(*labels_of(what))).at(1);
        const double longest = counted_longest(what, 4, 4, static_cast<size_t>(threads));
        CHECK(share.longest.inputs == doctest::Approx(longest));
        CHECK(share.longest.inputs * threads >= doctest::Approx(share.inputs));
        CHECK(share.longest.parts <= share.parts);
      }
    }
  }
}

TEST_CASE("a second pass over one part is the work of one thread, over many that of all") {
  int at_work = 0;  // threads at work in the last phase that was looked for
  // Weight of a phase of the second pass, by four threads over by one
  const auto ratio = [&](const char* labels, const std::string& name) {
    const Problem what = problem(Operation::multireduce, 1 << 16, 1 << 12, labels);
    CpuPlan plan = parse_cpu_plan("sortBits=10,passes=2");
    const auto weight = [&](int of_team) {
      plan.resources.threads = of_team;
      for (const auto& [phase, items, threads] : weighed(what, plan)) {
        if (cpu::name_of(phase, what.operation) == name) {
          at_work = threads;
          return items;
        }
      }
      return 0.0;
    };
    const double alone = weight(1);
    return weight(4) / alone;
  };
  // Estimates of inputs are those of the threads at work, estimates of drains those of each thread
  CHECK(ratio("degenerate", "partition 2") == doctest::Approx(1));
  CHECK(at_work == 1);
  CHECK(ratio("degenerate", "drain 2") == doctest::Approx(1));
  CHECK(at_work == 1);
  CHECK(ratio("uniform", "partition 2") == doctest::Approx(1).epsilon(0.1));
  CHECK(at_work == 4);
  CHECK(ratio("uniform", "drain 2") == doctest::Approx(0.25).epsilon(0.1));
  CHECK(ratio("uniform", "partition 1") == 1);
  CHECK(at_work == 4);
  CHECK(ratio("degenerate", "drain 1") == 1);
  CHECK(at_work == 4);
}

TEST_CASE(
    "a later pass over one part is predicted as one thread of the team does it, beside idle ones") {
  Machine machine = test::small_machine();
  machine.cores = 4;
  machine.caches.back().shared_by = 4;
  machine.memory.bandwidth = 4e9;  // so little that four threads at work are four times as slow
  const Problem what = problem(Operation::multireduce, 1 << 15, 1 << 12, "degenerate");
  const Predictor predictor(machine);
  const auto second_pass = [&](const std::string& plan) {
    double ns = 0;
    for (const PhasePrediction& phase :
         predictor.predict(what, parse_cpu_plan(plan), labels_of(what)).phases) {
      ns += phase.name == "partition 2" || phase.name == "histogram 2" ? phase.ns_per_input : 0;
    }
    return ns;
  };
  const double one = second_pass("sortBits=10,passes=2");
  CHECK(one > 0);
  CHECK(second_pass("sortBits=10,passes=2,threads=4") == doctest::Approx(one));
}

double predicted_ns(const Problem& what, const std::string& plan, Method method) {
  Machine machine = test::small_machine();
  machine.clock_hz = 2e9;
  SimulationOptions options;
  options.method = method;
  return Predictor(machine, options)
      .predict(what, parse_cpu_plan(plan), labels_of(what))
      .ns_per_input;
}

TEST_CASE("a partial sort of few inputs by many bits costs its table of parts, by either method") {
  // 2^12 inputs, 2^20 parts: each input stands for 256 entries of eight bytes, cleared and summed.
  const Problem what = problem(Operation::partialSort, 1 << 12, 1 << 20);
  const double simulated =
      predicted_ns(what, "sortBits=20,passes=2,bufferBytes=64B", Method::simulation);
  const double modelled =
      predicted_ns(what, "sortBits=20,passes=2,bufferBytes=64B", Method::closedForm);
  CHECK(simulated > 256 / 2.0 / 4);  // at least a cycle for four entries
  CHECK(modelled == doctest::Approx(simulated).epsilon(0.3));
  const Problem small = problem(Operation::partialSort, 1 << 12, 1 << 12);
  CHECK(predicted_ns(small, "sortBits=12,passes=2,bufferBytes=64B", Method::simulation) <
        simulated / 2);
}

}  // namespace
}  // namespace presort::predict::part_shares_test
