// Tests predictions of problems that do not fit into memory.
#include <doctest/doctest.h>

#include "presort/core/error.h"
#include "presort/predict/predictor.h"
#include "tests/core/refusal.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::storage_test {
namespace {

using doctest::Approx;

// A machine with caches of 1, 4 and 16 KiB and an SSD; `page_cache_bytes` of its memory hold pages
// of the SSD.
Machine machine(uint64_t page_cache_bytes) {
  Machine machine = test::small_machine();
  machine.storage = Storage{.kind = DeviceKind::ssd,
                            .page_cache_bytes = page_cache_bytes,
                            .latency_ns = 50e3,
                            .read_bandwidth = 500e6,
                            .write_bandwidth = 400e6,
                            .erase_block_bytes = 1 << 20,
                            .over_provisioning = 0.1};
  return machine;
}

Prediction scatter(const Machine& on, uint64_t n, uint64_t m, const char* plan) {
  Problem problem;
  problem.operation = Operation::scatter;
  problem.n = n;
  problem.m = m;
  const auto labels = make_labels(problem.distribution, n, m, problem.seed);
  return Predictor(on, {}).predict(problem, parse_cpu_plan(plan), labels);
}

TEST_CASE("out of core, random places cost a page fault each that memory does not save") {
  const Machine on = machine(1 << 20);
  const Prediction prediction = scatter(on, 1 << 15, 1 << 20, "sortBits=0");
  REQUIRE(prediction.storage.has_value());
  // A problem with 4 MiB of buckets, of which memory holds a quarter.
  CHECK(static_cast<double>(prediction.storage->page_faults) / (1 << 15) ==
        Approx(0.75).epsilon(0.05));
  // Expected time: a fault waits for latency and transfer of the page, and for the write of the
  // page that it evicts; nothing else counts. 58.2 us + 10.2 us times the write amplification, up
  // to the overlap of the two.
  const double write_ns = 4096 / 400e6 * 1e9 * prediction.storage->flash_bytes /
                          static_cast<double>(prediction.storage->written_bytes);
  CHECK(prediction.ns_per_input > 0.75 * 58.2e3);
  CHECK(prediction.ns_per_input < 0.8 * (58.2e3 + write_ns));
  CHECK(prediction.stack_ns.back().first == "storage");
  CHECK(prediction.stack_ns.back().second > 0.99 * prediction.ns_per_input);
}

TEST_CASE("sorted into parts that fit into memory, each page is read and written once") {
  const Machine on = machine(1 << 20);
  const Prediction direct = scatter(on, 1 << 15, 1 << 20, "sortBits=0");
  const Prediction sorted = scatter(on, 1 << 15, 1 << 20, "sortBits=4");
  CHECK(sorted.ns_per_input < direct.ns_per_input / 10);
  // Bound on page faults: 1024 pages of buckets, 64 pages of inputs, and twice as many for pairs
  // that are written and read again.
  CHECK(sorted.storage->page_faults < 1024 + 4 * 64);
  CHECK(sorted.storage->flash_bytes < direct.storage->flash_bytes / 20);
}

TEST_CASE("what fits into memory is neither read twice nor written") {
  const Machine on = machine(64 << 20);
  const Prediction prediction = scatter(on, 1 << 15, 1 << 20, "sortBits=0");
  CHECK(prediction.storage->writes == 0);
  CHECK(prediction.storage->read_bytes <= (2 * (1 << 17)) + (1 << 22));
}

TEST_CASE("with storage all inputs are simulated") {
  const Prediction prediction = scatter(machine(1 << 20), 1 << 17, 1 << 10, "sortBits=0");
  CHECK(prediction.simulated_inputs == 1 << 17);
}

}  // namespace
TEST_CASE(
    "so many inputs that all of them would take minutes are refused unless asked for in full") {
  Problem problem;
  problem.operation = Operation::gather;
  problem.m = 1 << 10;
  const auto refusal_of = [&](uint64_t n, bool full) {
    problem.n = n;
    const auto labels = make_labels(problem.distribution, n, problem.m, problem.seed);
    return test::refusal<InputError>(
        [&] { Predictor(machine(1 << 20), {.full = full}).predict(problem, CpuPlan{}, labels); });
  };
  CHECK(refusal_of(1 << 12, false).empty());
  CHECK(
      refusal_of((1 << 21) + 1, false) ==
      "n: found '2097153', accepted by predictions: at most 2^21 inputs on a machine with a block "
      "device, all of which are simulated; a full simulation (simulate --full) takes more");
  CHECK(refusal_of((uint64_t{1} << 32) + 1, true) ==
        "n: found '4294967297', accepted by predictions: at most 2^32 inputs on a machine with a "
        "block device");
}

}  // namespace presort::predict::storage_test
