// Waits for a block device by pages alone (predict/storage) against simulations of every access.
#include <doctest/doctest.h>

#include <string>

#include "presort/core/error.h"
#include "presort/cpu/plan/phase_list.h"
#include "presort/predict/closed_form/closed_form.h"
#include "presort/predict/phases/simulate_phase.h"
#include "presort/predict/predictor.h"
#include "presort/predict/size_limits.h"
#include "presort/predict/storage/stored_phases.h"
#include "tests/core/refusal.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::stored_phases_test {
namespace {

using doctest::Approx;

// A machine with small caches, whose memory holds `page_cache_bytes` of an SSD or a disk.
Machine machine(DeviceKind kind, uint64_t page_cache_bytes) {
  Machine machine = test::small_machine();
  machine.storage = Storage{.kind = kind,
                            .page_cache_bytes = page_cache_bytes,
                            .latency_ns = 50e3,
                            .read_bandwidth = 500e6,
                            .write_bandwidth = 400e6,
                            .seek_ns = kind == DeviceKind::disk ? 1e6 : 0,
                            .rotation_ns = kind == DeviceKind::disk ? 1e6 : 0,
                            .erase_block_bytes = 1 << 20,
                            .over_provisioning = 0.1};
  return machine;
}

Problem problem_of(Operation operation, uint64_t n, uint64_t m) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  return problem;
}

// Time of a plan, ns per input, with waits by pages. `whole_items` as for make_stored_phases.
double stored_ns(const Machine& on, const Problem& problem, const CpuPlan& plan,
                 uint64_t whole_items) {
  Machine in_memory = on;
  in_memory.storage.reset();
  const PageSize page_size = plan.resources.page_size;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const auto simulator = make_stored_phases(
      on, {}, problem, page_size, labels,
      make_phase_simulator(in_memory, {.full = true}, problem, page_size), whole_items);
  const auto phases = cpu::list_phases(problem, plan);
  const PhaseInputs inputs(problem, phases, labels);
  double sum = 0;
  for (const cpu::PhaseSpec& phase : phases) {
    sum += cpu::items_per_input(phase, problem) *
           simulate_phase(*simulator, phase, inputs).ns_per_item;
  }
  return sum;
}

double simulated_ns(const Machine& on, const Problem& problem, const CpuPlan& plan) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  return Predictor(on, {.full = true}).predict(problem, plan, labels).ns_per_input;
}

TEST_CASE("waits by pages are those of every access within a tenth") {
  for (const DeviceKind kind : {DeviceKind::ssd, DeviceKind::disk}) {
    for (const char* text :
         {"sortBits=0", "sortBits=4", "sortBits=5,layout=separate", "sortBits=5,streaming=false",
          "rangePasses=2", "strategy=plainRadix,sortBits=4"}) {
      for (const Operation operation : {Operation::scatter, Operation::multireduce}) {
        const Machine on = machine(kind, 1 << 20);
        const CpuPlan plan = parse_cpu_plan(text);
        const Problem problem = problem_of(operation, 1 << 17, 1 << 20);
        if (!can_run(plan, problem)) {
          continue;
        }
        REQUIRE(in_stored_phases(problem, plan));
        CHECK_MESSAGE(stored_ns(on, problem, plan, kWholeStoredItems) ==
                          Approx(simulated_ns(on, problem, plan)).epsilon(0.1),
                      std::string(text) << " on " << to_name(kDeviceKinds, kind));
      }
    }
  }
}

TEST_CASE("a window tells the waits of all items within a tenth") {
  for (const DeviceKind kind : {DeviceKind::ssd, DeviceKind::disk}) {
    for (const char* text : {"sortBits=0", "sortBits=4", "sortBits=5,streaming=false"}) {
      const Machine on = machine(kind, 1 << 19);
      const CpuPlan plan = parse_cpu_plan(text);
      const Problem problem = problem_of(Operation::scatter, 1 << 20, 1 << 20);
      CHECK_MESSAGE(stored_ns(on, problem, plan, 0) ==
                        Approx(stored_ns(on, problem, plan, kWholeStoredItems)).epsilon(0.1),
                    std::string(text) << " on " << to_name(kDeviceKinds, kind));
    }
  }
}

TEST_CASE("random buckets fault as often as memory lacks their page") {
  // Buckets of 64 MiB, of which memory holds a quarter less what inputs take.
  const Machine on = machine(DeviceKind::ssd, 16 << 20);
  const Problem problem = problem_of(Operation::scatter, uint64_t{1} << 26, 1 << 24);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const Prediction prediction = Predictor(on).predict(problem, CpuPlan{}, labels);
  REQUIRE(prediction.storage.has_value());
  CHECK(static_cast<double>(prediction.storage->page_faults) / static_cast<double>(problem.n) ==
        Approx(0.75).epsilon(0.06));
  CHECK(prediction.ci95_relative > 0);
  CHECK(prediction.ci95_relative < 0.1);
}

TEST_CASE("large problems on a device are predicted, in closed form too, and sorting wins") {
  const Machine on = machine(DeviceKind::disk, 16 << 20);
  const Problem problem = problem_of(Operation::multireduce, uint64_t{1} << 26, 1 << 26);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const CpuPlan sorted = parse_cpu_plan("sortBits=6");
  CHECK(in_closed_form(on, problem, sorted));
  const auto ns = [&](Method method, const CpuPlan& plan) {
    return Predictor(on, {.method = method}).predict(problem, plan, labels).ns_per_input;
  };
  const double direct_ns = ns(Method::simulation, {});
  const double sorted_ns = ns(Method::simulation, sorted);
  CHECK(sorted_ns < direct_ns / 10);
  CHECK(ns(Method::closedForm, {}) == Approx(direct_ns).epsilon(0.01));
  CHECK(ns(Method::closedForm, sorted) == Approx(sorted_ns).epsilon(0.01));
}

TEST_CASE("plans whose waits are not known by pages are refused for many inputs") {
  const Machine on = machine(DeviceKind::ssd, 1 << 20);
  const Problem problem = problem_of(Operation::multireduce, kMostStoredInputs + 1, 1 << 10);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  for (const char* text : {"sortBits=4,chunkBytes=64KiB", "sortBits=8,passes=2", "nSets=4"}) {
    const CpuPlan plan = parse_cpu_plan(text);
    CHECK(!in_stored_phases(problem, plan));
    CHECK(test::refusal<InputError>([&] { Predictor(on).predict(problem, plan, labels); }) ==
          "n: found '2097153', accepted by predictions: at most 2^21 inputs on a machine with a "
          "block device, all of which are simulated; a full simulation (simulate --full) takes "
          "more");
  }
}

}  // namespace
}  // namespace presort::predict::stored_phases_test
