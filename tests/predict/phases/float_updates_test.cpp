// Updates and sums of floats on the simulated core (presort/predict/phases/slices/update_machine.h).

#include <doctest/doctest.h>

#include <string>

#include "presort/predict/phases/slices/update_machine.h"
#include "presort/predict/predictor.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::float_updates_test {
namespace {

using doctest::Approx;

constexpr uint64_t kInputs = 1 << 14;

// A core that renames memory for integers, whose first level holds all arrays. A float takes nine
// cycles through the store buffer.
Machine machine() {
  Machine machine = test::small_machine();
  machine.clock_hz = 1e9;  // a cycle takes 1 ns
  machine.cores = 2;
  machine.dispatch_width = 8;
  machine.window = {512, 114};
  machine.caches = {test::small_level("L1d", 4096, 16, 4, 16),
                    test::small_level("L2", 8192, 16, 12, 48)};
  machine.store_forward_cycles = 6;
  machine.repeated_forward_cycles = 0;
  machine.repeated_forward_after = 8;
  machine.float_forward_cycles = 8;
  machine.float_add_cycles = 3;
  return machine;
}

// Predicted time of `plan` on inputs of one label, ns an input.
double time_of(const Machine& on, Operation operation, ScalarType value, const std::string& plan,
               const std::string& distribution = "degenerate") {
  Problem problem;
  problem.operation = operation;
  problem.n = kInputs;
  problem.m = 4;
  problem.types.value = value;
  problem.distribution = parse_distribution("dist", distribution);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  return Predictor(on, {}).predict(problem, parse_cpu_plan(plan), labels).ns_per_input;
}

TEST_CASE("an update of one float takes its way through the store buffer, one of an integer not") {
  for (const Operation operation : {Operation::multireduce, Operation::multiscan}) {
    CAPTURE(to_name(kOperations, operation));
    for (const ScalarType value : {ScalarType::f32, ScalarType::f64}) {
      CHECK(time_of(machine(), operation, value, "sortBits=0") == Approx(9).epsilon(0.06));
    }
    CHECK(time_of(machine(), operation, ScalarType::u32, "sortBits=0") < 4);
    CHECK(time_of(machine(), operation, ScalarType::u64, "sortBits=0") < 4);
  }
}

TEST_CASE("a thread that owns the only bucket, and a part of a pre-sort, wait for floats") {
  const auto at = [](ScalarType value, const char* plan) {
    return time_of(machine(), Operation::multireduce, value, plan);
  };
  CHECK(at(ScalarType::f64, "sortBits=0,threads=2") > 8.5);
  CHECK(at(ScalarType::u64, "sortBits=0,threads=2") < 5);
  // The pre-sort moves both types alike, and its counts are integers
  const char* sorted = "sortBits=2,passes=1";
  CHECK(at(ScalarType::f64, sorted) - at(ScalarType::u64, sorted) > 4);
  CHECK(at(ScalarType::f64, sorted) - at(ScalarType::u64, sorted) < 9);
}

TEST_CASE("a machine file without times of floats takes those of integers") {
  Machine plain = machine();
  plain.float_forward_cycles.reset();
  CHECK(time_of(plain, Operation::multireduce, ScalarType::f32, "sortBits=0") ==
        time_of(plain, Operation::multireduce, ScalarType::u32, "sortBits=0"));
  CHECK(update_machine(plain, {}).repeated_forward_cycles == 0);
}

TEST_CASE("a sum of a segment's floats takes an add a value, of integers none") {
  for (const Operation operation : {Operation::segmentedReduce, Operation::segmentedScan}) {
    CAPTURE(to_name(kOperations, operation));
    const double floats =
        time_of(machine(), operation, ScalarType::f32, "sortBits=0", "sequential");
    CHECK(floats > 2.9);
    CHECK(floats < 3.6);
    Machine at_once = machine();
    at_once.float_add_cycles = 0;
    CHECK(time_of(at_once, operation, ScalarType::f32, "sortBits=0", "sequential") < 2.8);
    CHECK(time_of(machine(), operation, ScalarType::u32, "sortBits=0", "sequential") < 2.8);
  }
}

}  // namespace
}  // namespace presort::predict::float_updates_test
