#include "presort/predict/calibrate/core_fit.h"

#include <doctest/doctest.h>

#include <cmath>

#include "presort/core/error.h"
#include "presort/predict/trace/hot_kernel.h"
#include "tests/sim/small_machine.h"

namespace core_fit_test {

using namespace presort;
using namespace presort::predict;
using presort::test::small_level;
using presort::test::small_machine;

namespace {

// A machine whose nearest cache holds all data of the timed kernels.
Machine roomy_machine() {
  Machine machine = small_machine();
  machine.dispatch_width = 6;
  machine.window = {512, 114};
  machine.caches = {small_level("L1", 1024, 16, 4, 16), small_level("L2", 2048, 16, 12, 48)};
  return machine;
}

CalibrationPoint point(const char* plan, Operation operation, ScalarType value) {
  CalibrationPoint result;
  result.problem = {
      .operation = operation, .n = 1 << 12, .m = 1 << 8, .distribution = {}, .types = {}};
  result.problem.types.value = value;
  result.plan = parse_cpu_plan(plan);
  return result;
}

std::vector<CalibrationPoint> all_points() {
  std::vector<CalibrationPoint> points;
  for (const Operation operation : {Operation::multireduce, Operation::scatter}) {
    for (const ScalarType value : {ScalarType::u32, ScalarType::u64}) {
      for (const char* plan :
           {"sortBits=0", "prefetchDistance=16", "sortBits=4,bufferBytes=64,streaming=false",
            "sortBits=6,bufferBytes=256,streaming=false"}) {
        points.push_back(point(plan, operation, value));
      }
    }
  }
  return points;
}

std::vector<CalibrationPoint> measured_with(Machine machine, const CoreCosts& costs) {
  machine.costs = costs;
  std::vector<CalibrationPoint> points = all_points();
  for (CalibrationPoint& each : points) {
    each.measured_ns = simulate_hot(machine, each.problem, each.plan).ns_per_input;
  }
  return points;
}

}  // namespace

TEST_CASE("the counts of the plain loop are those of its code") {
  const CalibrationPoint plain = point("sortBits=0", Operation::multireduce, ScalarType::u32);
  const HotKernel kernel = simulate_hot(roomy_machine(), plain.problem, plain.plan);
  // Three loads per input: label, value, bucket
  CHECK(kernel.micro_ops[static_cast<size_t>(MicroOp::load)] == 3);
  CHECK(kernel.micro_ops[static_cast<size_t>(MicroOp::store)] == 1);
  CHECK(kernel.micro_ops[static_cast<size_t>(MicroOp::branch)] == 0);
  CHECK(kernel.micro_ops[static_cast<size_t>(MicroOp::lineMove)] == 0);
  CHECK(kernel.micro_ops[static_cast<size_t>(MicroOp::plain)] ==
        // Four other micro-operations per input: address, ⊙, index, compare and jump
        doctest::Approx(4).epsilon(0.001));
  CHECK(core_share(roomy_machine(), plain.problem, plain.plan) > 0.95);
}

TEST_CASE("costs that made the times are found again: no residual is left") {
  CoreCosts costs;
  costs.slots = {1.1, 1.6, 1.3, 2, 3, 2.5};
  const Machine machine = roomy_machine();
  const CoreCalibration found = fit_core_costs(machine, measured_with(machine, costs), 2);
  CHECK(found.points.size() + found.left_out.size() == all_points().size());
  CHECK(found.points.size() >= 8);
  for (const CalibrationPoint& each : found.points) {
    CAPTURE(to_string(each.plan));
    CHECK(std::abs(each.residual()) < 0.03);
  }
  // Checks only costs that the points, with and without prefetch, can tell apart.
  CHECK(found.costs[MicroOp::prefetch] + found.costs[MicroOp::load] ==
        doctest::Approx(4.6).epsilon(0.1));
}

TEST_CASE("a few points that the simulator gets wrong hardly move the costs of the others") {
  CoreCosts costs;
  costs.slots = {1.1, 1.6, 1.3, 2, 3, 2.5};
  const Machine machine = roomy_machine();
  std::vector<CalibrationPoint> points = measured_with(machine, costs);
  for (const size_t wrong : {1, 6, 11}) {
    points[wrong].measured_ns /= 2;
  }
  int close = 0;
  const CoreCalibration found = fit_core_costs(machine, points, 2);
  for (const CalibrationPoint& each : found.points) {
    close += std::abs(each.residual()) < 0.05 ? 1 : 0;
  }
  CHECK(found.points.size() - static_cast<size_t>(close) <= 4);
}

TEST_CASE("a line move takes no longer than one core takes for a line of memory") {
  Machine machine = roomy_machine();
  CoreCosts costs;
  costs[MicroOp::lineMove] = 50;
  const auto measured = measured_with(machine, costs);
  const auto line_move = [&] {
    return fit_core_costs(machine, measured, 2).costs[MicroOp::lineMove];
  };
  // Moving a cache line takes five cycles
  machine.memory.per_core_bandwidth = 64 * machine.clock_hz / 5;
  CHECK(line_move() <= 5 * machine.dispatch_width);
  machine.memory.per_core_bandwidth = 64 * machine.clock_hz / 100;
  CHECK(line_move() > 5 * machine.dispatch_width);
}

TEST_CASE("times of one slot for each micro-operation give back one slot") {
  const Machine machine = roomy_machine();
  const CoreCalibration found = fit_core_costs(machine, measured_with(machine, {}), 1);
  for (const double slots : found.costs.slots) {
    CHECK(slots == doctest::Approx(1).epsilon(0.001));
  }
}

TEST_CASE("points that wait for the memory are left out, and a fit of none is refused") {
  Machine machine = roomy_machine();
  machine.caches = {small_level("L1", 1, 1, 4, 1)};  // an L1 of one line
  CHECK_THROWS_AS(fit_core_costs(machine, measured_with(machine, {}), 2), InputError);

  Machine cached = roomy_machine();
  std::vector<CalibrationPoint> points = measured_with(cached, {});
  points[0].problem.m = 1 << 22;  // the buckets exceed the caches
  points[0].problem.n = 1 << 16;
  const CoreCalibration found = fit_core_costs(cached, points, 2);
  REQUIRE(!found.left_out.empty());
  CHECK(found.left_out.front().problem.m == 1 << 22);
  CHECK(found.left_out.front().core_share < kCoreBound);
}

}  // namespace core_fit_test
