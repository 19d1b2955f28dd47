// Tests that phases of equal key (predict/phases/phase_key.h) take equal time: a prediction then
// depends on its problem and plan alone, not on what a predictor was asked before, nor by whom.
#include "presort/predict/phases/phase_key.h"

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <thread>
#include <vector>

#include "presort/predict/closed_form/closed_form.h"
#include "presort/predict/predictor.h"
#include "presort/predict/size_limits.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::phase_key_test {
namespace {

using test::small_level;
using test::small_tlb;

// Caches and TLBs so small that a few thousand inputs miss all of them.
Machine machine() {
  Machine machine = test::small_machine();
  machine.caches = {small_level("L1d", 32, 4, 4, 10), small_level("L2", 64, 8, 14, 16)};
  machine.prefetchers = {{"L1d", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 20}};
  machine.tlb = {small_tlb("TLB", {4096, 2 << 20}, 16, 4, 0)};
  machine.cores = 2;
  machine.memory.bandwidth = 1.2e10;
  return machine;
}

struct Asked {
  Problem problem;
  CpuPlan plan;
};

Problem problem(Operation operation, uint64_t n, uint64_t m, const std::string& distribution) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  problem.distribution = parse_distribution("", distribution);
  return problem;
}

// All fields of a prediction but the time that predicting took.
std::string text_of(const Prediction& prediction) {
  std::string text;
  const auto add = [&text](const auto&... numbers) {
    ((text += std::to_string(numbers) + " "), ...);
  };
  const auto add_stack = [&](const TimeStack& stack) {
    for (const auto& [term, ns] : stack) {
      text += term + " " + std::to_string(std::bit_cast<uint64_t>(ns)) + " ";
    }
  };
  add(std::bit_cast<uint64_t>(prediction.ns_per_input),
      std::bit_cast<uint64_t>(prediction.ci95_relative), prediction.walks,
      prediction.simulated_inputs, prediction.simulated_accesses);
  for (const PhasePrediction& phase : prediction.phases) {
    text += "\n" + phase.name + " ";
    add(std::bit_cast<uint64_t>(phase.ns_per_input));
    add_stack(phase.stack_ns);
  }
  for (const LevelCounts& level : prediction.levels) {
    add(level.accesses, level.hits, level.misses, level.writebacks, level.prefetches);
  }
  for (const TlbCounts& level : prediction.tlb) {
    add(level.accesses, level.hits, level.misses);
  }
  return text;
}

std::string ask(const Predictor& predictor, const Asked& asked) {
  const Problem& what = asked.problem;
  return text_of(predictor.predict(what, asked.plan,
                                   make_labels(what.distribution, what.n, what.m, what.seed)));
}

// Plans with equal numbers of bits, digits and passes in every combination that a key could mix up.
constexpr const char* kPlans[] = {
    "sortBits=0",
    "sortBits=0,prefetchDistance=16",
    "rangePasses=2",
    "rangePasses=3",
    "nSets=4",
    "strategy=privateTables",
    "sortBits=4,passes=1,strategy=plainRadix",
    "sortBits=8,passes=2,strategy=plainRadix",
    "sortBits=8,passes=1,strategy=plainRadix",
    "sortBits=8,passes=3,strategy=plainRadix",
    "sortBits=4,passes=1",
    "sortBits=8,passes=1",
    "sortBits=8,passes=2",
    "sortBits=9,passes=2",
    "sortBits=7,passes=2",
    "sortBits=8,passes=2,layout=separate",
    "sortBits=8,passes=1,layout=separate",
    "sortBits=8,passes=1,streaming=false",
    "sortBits=8,passes=1,bufferBytes=512B",
    "sortBits=8,passes=1,chunkBytes=64KiB",
    "sortBits=8,passes=2,threads=2",
    "sortBits=0,threads=2",
};

std::vector<Asked> asked_for(Method method, uint64_t n,
                             const std::vector<std::string>& distributions) {
  std::vector<Asked> all;
  for (const auto& [name, operation] : kOperations) {
    if (!is_simulated(operation)) {
      continue;
    }
    const std::vector<uint64_t> sizes = operation == Operation::scan
                                            ? std::vector<uint64_t>{1}
                                            : std::vector<uint64_t>{1000, 1 << 10, 1 << 12};
    for (const std::string& distribution : distributions) {
      for (const uint64_t m : sizes) {
        for (const char* text : kPlans) {
          const Asked asked{problem(operation, n, m, distribution), parse_cpu_plan(text)};
          const bool known =
              method == Method::simulation || in_closed_form(machine(), asked.problem, asked.plan);
          if (known && can_run(asked.plan, asked.problem)) {
            all.push_back(asked);
          }
        }
      }
    }
  }
  return all;
}

std::string name_of(const Asked& asked) {
  return to_string(asked.problem) + ", " + to_string(asked.plan);
}

// Orders in which a shared predictor is asked for several predictions.
std::vector<size_t> forwards(size_t count) {
  std::vector<size_t> order;
  for (size_t i = 0; i < count; ++i) {
    order.push_back(i);
  }
  return order;
}
std::vector<size_t> backwards(size_t count) {
  std::vector<size_t> order;
  for (size_t i = count; i-- > 0;) {
    order.push_back(i);
  }
  return order;
}

void check_order_does_not_matter(const SimulationOptions& options, const std::vector<Asked>& all) {
  std::vector<std::string> alone;
  alone.reserve(all.size());
  for (const Asked& asked : all) {
    alone.push_back(ask(Predictor(machine(), options), asked));
  }
  for (const auto order : {forwards, backwards}) {
    const Predictor shared(machine(), options);
    for (const size_t i : order(all.size())) {
      INFO(name_of(all[i]));
      CHECK(ask(shared, all[i]) == alone[i]);
    }
  }
  const Predictor shared(machine(), options);
  std::vector<std::string> by_threads(all.size());
  const auto ask_every_second = [&](size_t first) {
    for (size_t i = first; i < all.size(); i += 2) {
      by_threads[i] = ask(shared, all[i]);
    }
  };
  std::thread other(ask_every_second, 1);
  ask_every_second(0);
  other.join();
  for (size_t i = 0; i < all.size(); ++i) {
    INFO(name_of(all[i]), ", with another thread");
    CHECK(by_threads[i] == alone[i]);
  }
}

TEST_CASE("closed form: a prediction is the same bits whatever was asked before, and by whom") {
  const SimulationOptions options{.method = Method::closedForm};
  check_order_does_not_matter(
      options, asked_for(options.method, 1 << 16,
                         {"uniform", "zipf:1", "sorted", "clustered:16", "degenerate"}));
}

TEST_CASE("simulation: a prediction is the same bits whatever was asked before, and by whom") {
  check_order_does_not_matter({}, asked_for(Method::simulation, 1 << 10, {"uniform"}));
}

TEST_CASE("sampled simulation: a prediction is the same bits whatever was asked before") {
  const SimulationOptions options{.ci95_relative = 1, .replayed_inputs = 1 << 14};
  std::vector<Asked> all = asked_for(options.method, 1 << 15, {"uniform"});
  std::erase_if(all, [](const Asked& asked) {
    return asked.problem.operation != Operation::multireduce || asked.problem.m == 1000 ||
           !asked.plan.presort;
  });
  check_order_does_not_matter(options, all);
}

TEST_CASE("plainRadix: a pass by one digit is another pass by another digit") {
  const Asked low{problem(Operation::multireduce, 1 << 14, 1 << 12, "zipf-contiguous:1"),
                  parse_cpu_plan("sortBits=4,passes=1,strategy=plainRadix")};
  Asked both = low;
  both.plan = parse_cpu_plan("sortBits=8,passes=2,strategy=plainRadix");
  const Predictor shared(machine());
  ask(shared, low);
  CHECK(ask(shared, both) == ask(Predictor(machine()), both));
}

}  // namespace
}  // namespace presort::predict::phase_key_test
