#include "presort/tuner/gpu_devices_tuner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "presort/core/error.h"
#include "tests/tuner/round_gpu.h"

namespace presort::inline v0::tuner::gpu_devices_tuner_test {
namespace {

using test::problem;

Machine linked_machine() {
  Machine machine = test::machine();
  machine.gpu->link_bandwidth = 3e11;
  machine.gpu->link_latency_ns = 7000;
  return machine;
}

std::string refusal(const Machine& machine, const Problem& of, int devices) {
  try {
    choose_shared_gpu_plan(machine, of, devices);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an entry has the best way, the best of another scheme, and no pre-sort beside") {
  const Machine machine = linked_machine();
  for (const Operation operation :
       {Operation::multireduce, Operation::histogram, Operation::scatter, Operation::gather}) {
    for (int log = 4; log <= 28; log += 4) {
      const Problem one = problem(operation, uint64_t{1} << log);
      CAPTURE(log);
      const GpuTunedEntry entry = choose_shared_gpu_plan(machine, one, 2).entry;
      const auto plans = predict_shared_plans(machine, one, 2);
      const auto n = static_cast<double>(one.n);
      const auto has = [&](DeviceScheme scheme, const GpuPlan& plan, double ns_per_input) {
        return std::any_of(plans.begin(), plans.end(), [&](const gpu::SharedPlan& other) {
          return other.scheme == scheme && other.plan == plan &&
                 ns_per_input == doctest::Approx(other.ns / n);
        });
      };
      CHECK(entry.problem == one);
      CHECK(entry.shared.devices == 2);
      CHECK(has(entry.shared.scheme, entry.plan, entry.predicted_ns_per_input));
      CHECK(has(entry.shared.direct_scheme, entry.direct_plan, entry.direct_ns_per_input));
      CHECK(has(entry.shared.runner_up_scheme, entry.runner_up, entry.runner_up_ns_per_input));
      CHECK(entry.shared.scheme != entry.shared.runner_up_scheme);
      const bool has_direct = std::any_of(
          plans.begin(), plans.end(), [](const gpu::SharedPlan& one) { return !one.plan.presort; });
      CHECK(entry.direct_plan.presort.has_value() == !has_direct);
      for (const gpu::SharedPlan& other : plans) {
        CHECK((other.scheme == entry.shared.scheme ||
               other.ns / n >= entry.runner_up_ns_per_input * (1 - 1e-12)));
        CHECK((other.plan.presort || entry.plan == entry.direct_plan ||
               other.ns / n >= entry.direct_ns_per_input * (1 - 1e-12)));
      }
    }
  }
}

TEST_CASE("a slower link changes the scheme of many buckets") {
  Machine machine = linked_machine();
  Problem one = problem(Operation::multireduce, uint64_t{1} << 28);
  one.n = uint64_t{1} << 24;
  machine.gpu->link_bandwidth = 1e9;  // 0.5 GB of tables, 0.03 GB of inputs
  CHECK(choose_shared_gpu_plan(machine, one, 2).entry.shared.scheme == DeviceScheme::inputs);
  one.m = 1 << 10;
  CHECK(choose_shared_gpu_plan(machine, one, 2).entry.shared.scheme == DeviceScheme::tables);
}

TEST_CASE("a machine without a GPU, a link or memory is refused, naming what lacks") {
  const Problem one = problem(Operation::multireduce, 1 << 10);
  Machine machine = linked_machine();
  CHECK(refusal(machine, one, 2).empty());
  machine.gpu->memory_bytes = uint64_t{1} << 30;  // 1 GiB of inputs for each of two devices
  CHECK(refusal(machine, one, 2).find("on each of 2 devices, the memory of Round") !=
        std::string::npos);
  CHECK(refusal(machine, one, 4).empty());
  machine.gpu->link_bandwidth = 0;
  CHECK(refusal(machine, one, 2).find("round: gpu.linkBandwidth: found none") == 0);
  machine.gpu.reset();
  CHECK(refusal(machine, one, 2).find("round: no section gpu") == 0);
}

}  // namespace presort::tuner::gpu_devices_tuner_test
