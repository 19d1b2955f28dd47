// A run finds in the caches what the run before has left there, if all that it touches fits the last
// level; otherwise, or where asked, nothing.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "presort/cpu/plan/phase_list.h"
#include "presort/predict/closed_form/closed_form.h"
#include "presort/predict/phases/phase_inputs.h"
#include "presort/predict/phases/run_bytes.h"
#include "presort/predict/predictor.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::kept_arrays_test {
namespace {

using test::small_level;
using test::small_tlb;

// Caches of 32 KiB, 256 KiB and 4 MiB.
Machine machine() {
  Machine machine = test::small_machine();
  machine.clock_hz = 2.5e9;
  machine.window = {192, 40};
  machine.caches = {small_level("L1d", 64, 8, 4, 10), small_level("L2", 512, 8, 14, 16),
                    small_level("L3", 4096, 16, 45, 32)};
  machine.prefetchers = {{"L1d", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 20}};
  machine.tlb = {small_tlb("L1dTLB", {4096, 2 << 20}, 64, 4, 0),
                 small_tlb("STLB", {4096, 2 << 20}, 1536, 12, 8)};
  machine.memory.latency_ns = 90;
  machine.memory.bandwidth = 6e9;  // slow, so that it shows where lines come from
  return machine;
}

Problem problem(Operation operation, uint64_t n, uint64_t m) {
  Problem result;
  result.operation = operation;
  result.n = n;
  result.m = m;
  return result;
}

Prediction predict(const Problem& what, const std::string& plan, const SimulationOptions& options,
                   const Machine& on = machine()) {
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  return Predictor(on, options).predict(what, parse_cpu_plan(plan), labels);
}

// The machine without prefetchers, on which a line that comes from memory is a miss of the last level.
Machine counting() {
  Machine result = machine();
  result.prefetchers.clear();
  return result;
}

double misses_per_input(const Prediction& prediction) {
  return static_cast<double>(prediction.levels.back().misses) /
         static_cast<double>(prediction.simulated_inputs);
}

TEST_CASE("what a run touches is the sum of its arrays") {
  const auto bytes = [](const Problem& what, const char* plan) {
    return run_bytes(what, cpu::list_phases(what, parse_cpu_plan(plan)));
  };
  constexpr uint64_t kN = 1 << 16;
  CHECK(bytes(problem(Operation::multireduce, kN, 256), "sortBits=0") == kN * 8 + 1024);
  CHECK(bytes(problem(Operation::histogram, kN, 256), "sortBits=0") == kN * 4 + 1024);
  CHECK(bytes(problem(Operation::gather, kN, 256), "sortBits=0") == kN * 8 + 1024);
  CHECK(bytes(problem(Operation::multireduce, kN, 1 << 16), "sortBits=8") ==
        kN * 8 + kN * 8 + (1 << 18));
  // An input touches at most one line of the buckets: 100 inputs of 8 bytes and 100 lines
  CHECK(bytes(problem(Operation::multireduce, 100, 1 << 20), "sortBits=0") == 7200);
}

TEST_CASE("a run that fits reads next to nothing from memory; a cold one reads all of its inputs") {
  for (const Operation operation : {Operation::multireduce, Operation::histogram, Operation::gather,
                                    Operation::segmentedReduce}) {
    CAPTURE(static_cast<int>(operation));
    const Problem what = problem(operation, 1 << 17, 1 << 10);  // at most 1.5 MiB
    const Prediction kept = predict(what, "sortBits=0", {}, counting());
    const Prediction cold = predict(what, "sortBits=0", {.cold = true}, counting());
    const double bytes =
        operation == Operation::histogram || operation == Operation::segmentedReduce ? 4 : 8;
    CHECK(misses_per_input(cold) > 0.8 * bytes / 64);
    CHECK(misses_per_input(kept) < 0.1 * bytes / 64);
    CHECK(kept.ns_per_input < 0.9 * cold.ns_per_input);
  }
}

TEST_CASE("a run that does not fit takes as long as a cold one, to the last bit") {
  for (const char* plan : {"sortBits=0", "sortBits=8", "sortBits=8,streaming=false"}) {
    CAPTURE(plan);
    const Problem what = problem(Operation::multireduce, 1 << 20, 1 << 12);  // 8 MiB
    for (const Method method : {Method::simulation, Method::closedForm}) {
      CHECK(predict(what, plan, {.method = method}).ns_per_input ==
            predict(what, plan, {.method = method, .cold = true}).ns_per_input);
    }
  }
}

TEST_CASE("sampled, a run that fits takes about as long as when all of it is simulated") {
  for (const char* plan : {"sortBits=0", "sortBits=6", "sortBits=6,streaming=false"}) {
    CAPTURE(plan);
    const Problem what = problem(Operation::multireduce, 1 << 17, 1 << 14);
    const double all = predict(what, plan, {.full = true}).ns_per_input;
    const double some = predict(what, plan, {.replayed_inputs = 1 << 12}).ns_per_input;
    CHECK(some == doctest::Approx(all).epsilon(0.12));
  }
}

TEST_CASE("the closed form of a run that fits is near its simulation") {
  for (const char* plan : {"sortBits=0", "sortBits=0,prefetchDistance=16", "sortBits=6",
                           "sortBits=6,streaming=false"}) {
    CAPTURE(plan);
    const Problem what = problem(Operation::multireduce, 1 << 17, 1 << 14);
    const double simulated = predict(what, plan, {}).ns_per_input;
    const double cold = predict(what, plan, {.cold = true}).ns_per_input;
    const double modelled = predict(what, plan, {.method = Method::closedForm}).ns_per_input;
    CHECK(modelled == doctest::Approx(simulated).epsilon(0.15));
    CHECK(modelled < cold);
  }
}

TEST_CASE("what streaming stores have written is read from memory") {
  const Problem what = problem(Operation::multireduce, 1 << 17, 1 << 14);
  const double streamed = misses_per_input(predict(what, "sortBits=6", {.full = true}, counting()));
  const double kept =
      misses_per_input(predict(what, "sortBits=6,streaming=false", {.full = true}, counting()));
  CHECK(streamed > kept + 0.8 * 8 / 64 / 3);  // the pairs, in one phase of three
}

TEST_CASE("with a block device runs are cold") {
  Machine stored = machine();
  stored.storage.emplace();
  CHECK(most_kept_bytes(stored) == 0);
  CHECK(most_kept_bytes(machine()) == 4 << 20);
}

TEST_CASE(
    "setting more buckets than the whole last level holds leaves nothing of the caller's arrays") {
  Machine shared = machine();  // a last level of 4 MiB, of which this core may use a quarter
  shared.caches.back().share = 0.25;
  constexpr uint64_t kWhole = (4 << 20) / 4;
  const Problem fits = problem(Operation::multireduce, 1 << 14, kWhole);
  const Problem more = problem(Operation::multireduce, 1 << 14, kWhole + 1);
  CHECK(!setting_buckets_empties_caches(shared, fits));
  CHECK(setting_buckets_empties_caches(shared, more));
  CHECK(!setting_buckets_empties_caches(shared, problem(Operation::gather, 1 << 14, kWhole + 1)));
  CHECK(most_kept(shared, more).of_call == 0);
  CHECK(most_kept(shared, more).of_passes == 1 << 20);
  CHECK(most_kept(shared, fits).of_call == 1 << 20);
  Machine stored = shared;
  stored.storage.emplace();
  CHECK(!setting_buckets_empties_caches(stored, more));
}

TEST_CASE(
    "a pass still finds what the pass before has written, where the caller's arrays are gone") {
  const Problem more = problem(Operation::multireduce, 1 << 14, 1 << 22);
  const auto phases = cpu::list_phases(more, parse_cpu_plan("sortBits=8,streaming=false"));
  const auto labels = make_labels(more.distribution, more.n, more.m, more.seed);
  const PhaseInputs inputs(more, phases, labels, most_kept(machine(), more));
  CHECK(inputs.since_bytes({0, cpu::Columns::separate, false}) == kFromMemory);
  CHECK(inputs.since_bytes({1, cpu::Columns::pairs, false}) == run_bytes(more, phases));
}

TEST_CASE(
    "after the buckets were set, popular ones are cold as well: closed form and simulation agree") {
  // 64 MiB of buckets; 2^15 inputs, most of them to few buckets that endless runs would keep
  Problem what = problem(Operation::multireduce, 1 << 15, 1 << 24);
  what.distribution = parse_distribution("distribution", "zipf:1");
  Problem read_only = what;
  read_only.operation = Operation::gather;
  for (const char* plan : {"sortBits=0", "sortBits=0,prefetchDistance=16"}) {
    CAPTURE(plan);
    const SimulationOptions model = {.method = Method::closedForm};
    const Prediction simulated = predict(what, plan, {.full = true}, counting());
    const Prediction modelled = predict(what, plan, model, counting());
    CHECK(modelled.ns_per_input == doctest::Approx(simulated.ns_per_input).epsilon(0.25));
    // Buckets that are only read are not set, and stay
    CHECK(misses_per_input(modelled) >
          1.2 * misses_per_input(predict(read_only, plan, model, counting())));
  }
}

}  // namespace
}  // namespace presort::predict::kept_arrays_test
