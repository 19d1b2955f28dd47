#include "presort/tuner/gpu_tuner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "presort/core/error.h"
#include "presort/gpu/plan/capability.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::tuner::gpu_tuner_test {
namespace {

// A GPU machine with round numbers, so that times can be counted by hand.
Machine machine() {
  Machine machine;
  machine.name = "round";
  machine.gpu = Gpu{.name = "Round",
                    .architecture = "sm_90",
                    .multiprocessors = 100,
                    .clock_hz = 2e9,
                    .threads_of_multiprocessor = 2048,
                    .shared_bytes_of_multiprocessor = 228 << 10,
                    .shared_bytes_of_block = 224 << 10,
                    .l2_bytes = 64 << 20,
                    .l2_effective_bytes = 32 << 20,
                    .memory_bytes = uint64_t{128} << 30,
                    .launch_ns = 0,
                    .step_ns = 0,
                    .read_bandwidth = 4e12,
                    .copy_bandwidth = 4e12,
                    .l2_read_bandwidth = 8e12,
                    .atomics_of_address = 1e9,
                    .atomics_crowded = 32e9,
                    .atomics_in_l2 = 100e9,
                    .atomics_in_memory = 20e9,
                    .reads_in_l2 = 200e9,
                    .reads_in_memory = 40e9,
                    .shared_atomics = 2e12,
                    .shared_reads = 4e12,
                    .table_updates = 1e12,
                    .table_quarters = 1e12,
                    .table_swaps = 0.4e12,
                    .table_swap_quarters = 0.4e12};
  return machine;
}

Problem problem(Operation operation, uint64_t m, const char* distribution = "uniform",
                const char* types = "u32+u32") {
  return {.operation = operation,
          .n = uint64_t{1} << 28,
          .m = m,
          .distribution = parse_distribution("dist", distribution),
          .types = parse_types("types", types)};
}

gpu::PlanTime time_of(const Problem& problem, const char* plan) {
  return gpu::plan_time(*machine().gpu, problem, parse_gpu_plan(plan));
}

TEST_CASE("small tables cost what reading the inputs costs, and what each block brings back") {
  const auto time = time_of(problem(Operation::multireduce, 256), "strategy=sharedSets");
  REQUIRE(time.phases.size() == 1);
  CHECK(time.phases[0].bound == "memory");
  CHECK(time.ns_per_input == doctest::Approx(8 / 4e3).epsilon(0.001));
  // A histogram reads labels alone, so its time is bound by the tables in shared memory.
  const auto counting = time_of(problem(Operation::histogram, 256), "strategy=sharedSets");
  CHECK(counting.phases[0].bound == "memory");
  CHECK(counting.ns_per_input == doctest::Approx(4 / 4e3).epsilon(0.001));
}

TEST_CASE("each range of buckets looks at all inputs") {
  // A block's shared memory fits 57344 buckets, so 2^18 buckets take five ranges; finding an
  // input's range takes 1 ps per input.
  const auto time = time_of(problem(Operation::multireduce, 1 << 18), "strategy=sharedSets");
  CHECK(time.ns_per_input == doctest::Approx(5 * 8 / 8e3).epsilon(0.02));
}

TEST_CASE("atomics hit the L2, meet at few lines, or miss it; hot buckets do not wait") {
  const char* plan = "strategy=globalSets";
  const auto ns = [&](uint64_t m, const char* labels = "uniform") {
    return time_of(problem(Operation::multireduce, m, labels), plan).ns_per_input;
  };
  CHECK(ns(1 << 20) == doctest::Approx(0.01));
  // Each block finds all of a few buckets hot: they meet at no line.
  CHECK(ns(1) == doctest::Approx(0.01));
  CHECK(ns(16) == doctest::Approx(0.01));
  CHECK(ns(1 << 12) == doctest::Approx(1 / 32.0));  // 16 KiB of buckets
  CHECK(ns(1 << 24) == doctest::Approx(0.5 * 0.01 + 0.5 * 0.05).epsilon(0.01));
  // Each block keeps hot buckets to itself: at most one update in 128 waits for one address.
  CHECK(ns(1 << 20, "zipf:4") == doctest::Approx(0.01));
  // A block has words of its own for the only bucket: what is left are instructions.
  // 40 instructions a lane, of which 100 multiprocessors compute 64 a cycle at 2 GHz
  CHECK(ns(1 << 20, "degenerate") == doctest::Approx(40.0 / 64 / 200));
  CHECK(ns(1 << 20, "zipf:1.25") == doctest::Approx(0.01));
}

TEST_CASE("a partition waits for memory, then for its multiprocessor where it has one block") {
  const auto of_bits = [&](const char* plan) {
    const auto time = time_of(problem(Operation::multireduce, 1 << 22), plan);
    REQUIRE(time.phases.size() == 3);
    CHECK(time.phases[0].name == "sample");
    CHECK(time.phases[1].name == "partition");
    CHECK(time.phases[2].name == "tables");
    CHECK(time.phases[0].ns_per_input == doctest::Approx(64 / 512.0 / 4e3));
    return time.phases[1].ns_per_input;
  };
  // By hand, in ps per input: an atomic and three random reads take 1.25, moving a byte 0.25. Runs
  // of inputs with one digit: 192 bytes for 2^8 digits of 6144 pairs, 56 bytes for 2^11 digits of
  // 14336 pairs; each run moves 24 bytes of other runs too.
  CHECK(of_bits("strategy=sharedSets,sortBits=8") ==
        doctest::Approx((8 + 8 * (1 + 24.0 / 192)) / 4e3 + 0.00125 / 2));
  CHECK(of_bits("strategy=sharedSets,sortBits=11") ==
        doctest::Approx((8 + 8 * (1 + 24.0 / 56)) / 4e3 + 0.00125));
}

TEST_CASE("two passes, atomics behind one, and few inputs: all labels are counted") {
  const auto phases = [](uint64_t n, const char* plan) {
    Problem one = problem(Operation::multireduce, 1 << 22);
    one.n = n;
    return gpu::plan_time(*machine().gpu, one, parse_gpu_plan(plan)).phases;
  };
  for (const auto& [n, plan] :
       {std::pair{uint64_t{1} << 28, "strategy=sharedSets,sortBits=12,passes=2"},
        std::pair{uint64_t{1} << 28, "strategy=globalSets,sortBits=8"},
        std::pair{(uint64_t{1} << 24) - 1, "strategy=sharedSets,sortBits=8"}}) {
    const auto found = phases(n, plan);
    CHECK(found[0].name == "histogram");
    // One block sums up counts beside it, 2^12 at most: 8 µs
    CHECK(found[0].ns_per_input == doctest::Approx(0.001).epsilon(0.03));
    CHECK(found[1].name == "partition");
  }
}

TEST_CASE("a scatter looks for the last writers, then takes values at random") {
  const auto time =
      time_of(problem(Operation::scatter, 1 << 26), "strategy=sharedSets,sortBits=11");
  REQUIRE(time.phases.size() == 4);
  CHECK(time.phases[3].name == "assign");
  CHECK(time.phases[3].bound == "values at random");
  // By hand: there are a quarter as many buckets as inputs, and 98.2 % of them get a value, which
  // is read at random; nearly all of the 1 GiB of values lies beyond the L2.
  CHECK(time.phases[3].ns_per_input ==
        doctest::Approx(0.982 / 4 * (31.0 / 32 / 40 + 1.0 / 32 / 200)).epsilon(0.01));
}

TEST_CASE("a scatter of few inputs takes three steps for each, whatever the plan") {
  Problem few = problem(Operation::scatter, 1 << 28);
  few.n = 1 << 20;
  for (const char* plan : {"strategy=globalSets", "strategy=sharedSets,sortBits=14,passes=2"}) {
    const auto time = time_of(few, plan);
    REQUIRE(time.phases.size() == 3);
    // By hand: 1 GiB of words, of which the L2 has 1/32; nearly all inputs are the first of their bucket.
    const double at_random = 1.0 / 32 / 100 + 31.0 / 32 / 20;
    CHECK(time.phases[0].ns_per_input == doctest::Approx(at_random).epsilon(0.005));
    // Nearly 32 MiB were touched, as much as the L2 holds: a table of that size finds 2^(-1/5) of its words.
    const double touched = std::pow(2, -0.2);
    CHECK(time.phases[1].ns_per_input ==
          doctest::Approx(touched / 100 + (1 - touched) / 20).epsilon(0.005));
    CHECK(time.phases[2].ns_per_input == doctest::Approx(at_random).epsilon(0.005));
  }
  few.n = (1 << 24) + 1;  // more than a sixteenth of the buckets
  CHECK(time_of(few, "strategy=globalSets").phases.size() == 2);
}

TEST_CASE("a scatter after two passes has its values with it") {
  const auto time =
      time_of(problem(Operation::scatter, 1 << 28), "strategy=sharedSets,sortBits=14,passes=2");
  REQUIRE(time.phases.size() == 5);
  CHECK(time.phases[0].ns_per_input == doctest::Approx(4 / 4e3));  // a label of 4 bytes is read
  CHECK(time.phases[2].ns_per_input == doctest::Approx(8 / 4e3));  // a pair of 8 bytes is read
  // By hand: an atomic and four random words take 1.5 ps per input, half of which is limited by
  // memory. Runs of one digit have 480 bytes.
  CHECK(time.phases[1].ns_per_input ==
        doctest::Approx((8 + 8 * (1 + 24.0 / 480)) / 4e3 + 0.0015 / 2));
  // By hand: 63 % of the buckets get a value. All sectors of 8 buckets are written: 2.5 % of them
  // whole, the others are read first; tables of 1 GiB are filled.
  CHECK(time.phases[4].name == "assign");
  CHECK(time.phases[4].ns_per_input ==
        doctest::Approx(8 / 4e3 + 4 * (2 - 0.0255) / 4e3 + 4 / 25.6e3).epsilon(0.001));
}

TEST_CASE("values that do not fit beside the places of a part are read from the L2") {
  // Parts of 2^15 buckets do not fit a block's shared memory of 224 KiB: 128 KiB of places and 128
  // KiB of values.
  const auto time =
      time_of(problem(Operation::scatter, 1 << 28), "strategy=sharedSets,sortBits=13,passes=2");
  CHECK(time.phases.at(4).ns_per_input ==
        doctest::Approx(8 / 4e3 + 4 * (2 - 0.0255) / 4e3 + 0.632 * 32 / 8e3 + 4 / 25.6e3)
            .epsilon(0.001));
}

TEST_CASE("histograms of labels of one byte and two have tables of their own") {
  const auto phase = [&](uint64_t m, ScalarType label, const char* plan = "strategy=sharedSets") {
    Problem one = problem(Operation::histogram, m);
    one.types.label = label;
    return time_of(one, plan).phases.at(0);
  };
  const auto of_bytes = phase(256, ScalarType::u8);
  CHECK(of_bytes.bound == "memory");
  CHECK(of_bytes.ns_per_input == doctest::Approx(1 / 4e3).epsilon(0.001));
  // By hand: 2^16 counters of 4 bytes would take two ranges of buckets. Reading 2 bytes takes 0.5
  // ps, as long as an atomic. Each of 100 blocks adds 2^16 counts by atomics, and fills 128 KiB.
  const double inputs = 1 << 28;
  const double waits = 3 * machine().gpu->l2_latency_ns / inputs;
  const double brought = 100 * 2 * 65536 * 4 / inputs / 8e3 + waits;
  CHECK(phase(1 << 16, ScalarType::u16).ns_per_input ==
        doctest::Approx(0.0005 + brought + 100 * 131072 / inputs / 25.6e3).epsilon(1e-6));
  CHECK(phase(1 << 16, ScalarType::u16, "strategy=sharedSets,rangePasses=2").ns_per_input > 0.001);
  // Counters of 4 bytes fit shared memory
  CHECK(phase(1 << 15, ScalarType::u16).ns_per_input > 0.0009);
}

TEST_CASE("a gather is bound by results while its buckets are near") {
  const auto phase = [&](uint64_t m) {
    return time_of(problem(Operation::gather, m), "strategy=globalSets").phases.at(0);
  };
  CHECK(phase(256).bound == "memory");
  CHECK(phase(1 << 16).bound == "memory");  // shared memory holds seven eighths of the buckets
  // By hand: with 102,400 buckets, 45,056 of them are read from the L2, the others from shared
  // memory; with 2^17 buckets, all from the L2.
  CHECK(phase(102400).ns_per_input == doctest::Approx(0.44 / 200));
  CHECK(phase(1 << 17).ns_per_input == doctest::Approx(1 / 200.0));
  CHECK(phase(1 << 18).ns_per_input == doctest::Approx(1 / 200.0));
  CHECK(phase(1 << 22).bound == "L2");
  CHECK(gpu::gpu_plans(problem(Operation::gather, 256), gpu::limits_of(*machine().gpu)).size() ==
        1);
}

TEST_CASE("blocks keep what a gather reads, where it is more than an L1 and at most two tables") {
  const gpu::DeviceLimits device = gpu::limits_of(*machine().gpu);
  CHECK(gpu::kept_buckets(device, 1 << 28, 43776, 4) == 0);
  CHECK(gpu::kept_buckets(device, 1 << 28, 43777, 4) == 43777);
  CHECK(gpu::kept_buckets(device, 1 << 28, uint64_t{2} * 57344, 4) == 57344);
  CHECK(gpu::kept_buckets(device, 1 << 28, uint64_t{2} * 57344 + 1, 4) == 0);
  CHECK(gpu::kept_buckets(device, uint64_t{200} * 57344, 1 << 16, 4) == 57344);
  CHECK(gpu::kept_buckets(device, uint64_t{200} * 57344 - 1, 1 << 16, 4) == 0);
}

TEST_CASE("every plan that is listed is legal, each once, and has a time") {
  for (const Operation operation : {Operation::multireduce, Operation::scatter,
                                    Operation::histogram, Operation::multireduceInOrder}) {
    for (const uint64_t m : {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 16,
                             uint64_t{1} << 22, uint64_t{1} << 28}) {
      const Problem one = problem(operation, m);
      const auto limits = gpu::limits_of(*machine().gpu);
      const std::vector<GpuPlan> plans = gpu::gpu_plans(one, limits);
      const bool in_order = operation == Operation::multireduceInOrder;
      CHECK(plans.size() >= (m > 2 ? 3 : in_order ? 1 : 2));
      for (size_t i = 0; i < plans.size(); ++i) {
        CAPTURE(to_string(plans[i]));
        CHECK(gpu::runs_on(one, plans[i], limits));
        CHECK(std::count(plans.begin(), plans.end(), plans[i]) == 1);
        CHECK(gpu::plan_time(*machine().gpu, one, plans[i]).ns_per_input > 0);
      }
    }
  }
}

TEST_CASE("a multireduce in order has the plans, the times and the rule of calls in order") {
  const auto limits = gpu::limits_of(*machine().gpu);
  for (const uint64_t m : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 16, uint64_t{1} << 24}) {
    for (const uint64_t n : {uint64_t{1} << 12, uint64_t{1} << 22, uint64_t{1} << 28}) {
      Problem one = problem(Operation::multireduceInOrder, m);
      one.n = n;
      const GpuPlan by_rule = gpu::choose_plan(*machine().gpu, one);
      CHECK(by_rule == gpu::ordered_plan({n, m, 4}));
      CHECK(gpu::runs_on(one, by_rule, limits));
      Problem any_order = one;
      any_order.operation = Operation::multireduce;
      const std::vector<GpuPlan> plans = gpu::gpu_plans(one, limits);
      CHECK(plans == gpu::ordered_gpu_plans(any_order));
      for (const GpuPlan& plan : plans) {
        CHECK(gpu::plan_time(*machine().gpu, one, plan).ns_per_input ==
              gpu::ordered_plan_time(*machine().gpu, any_order, plan).ns_per_input);
      }
      CHECK(!gpu::runs_on(one, parse_gpu_plan("sortBits=0,strategy=globalSets"), limits));
    }
  }
}

TEST_CASE("operations on segments have one plan, and take the time of the bytes that they move") {
  const auto ns = [](Operation operation, uint64_t segments) {
    const Problem one = problem(operation, segments);
    const auto plans = gpu::gpu_plans(one, gpu::limits_of(*machine().gpu));
    REQUIRE(plans.size() == 1);
    return gpu::plan_time(*machine().gpu, one, plans.front()).ns_per_input;
  };
  // By hand: values of 4 bytes are read at 4 TB/s; for each segment of eight values, an offset is
  // read and a result written.
  CHECK(ns(Operation::segmentedReduce, 1) == doctest::Approx(0.001));
  CHECK(ns(Operation::segmentedReduce, uint64_t{1} << 25) == doctest::Approx(0.00125));
  // By hand, memory traffic per input: two words, and one bit that is read twice.
  CHECK(ns(Operation::segmentedScan, 1) == doctest::Approx(0.002 + 2 * 0.125 / 4000));
  // Where segments are short, warps read the offsets, one of 4 bytes for four values.
  CHECK(ns(Operation::segmentedScan, uint64_t{1} << 26) == doctest::Approx(0.002 + 1.0 / 4000));
}

TEST_CASE("scans, compactions and reductions over axes take the time of the bytes that they move") {
  const auto ns = [](const Problem& one) {
    const auto plans = gpu::gpu_plans(one, gpu::limits_of(*machine().gpu));
    REQUIRE(plans.size() == 1);
    return gpu::plan_time(*machine().gpu, one, plans.front()).ns_per_input;
  };
  // By hand, at 4 TB/s: a value is read and written.
  CHECK(ns(problem(Operation::scan, 1)) == doctest::Approx(8 / 4e3));
  CHECK(ns(problem(Operation::scan, 1, "uniform", "u32+f64")) == doctest::Approx(16 / 4e3));
  // By hand: a flag and a value are read; of uniform flags below 2 half of the values are written, of
  // equal flags 1 all of them.
  const auto compact = [](uint64_t m, const char* labels) {
    Problem one = problem(Operation::compact, m, labels);
    one.types.label = ScalarType::u8;
    return one;
  };
  CHECK(ns(compact(2, "uniform")) == doctest::Approx((1 + 4 + 2) / 4e3));
  CHECK(ns(compact(2, "degenerate")) == doctest::Approx((1 + 4 + 4) / 4e3));
  // By hand: values are read, and a result written for 512 of them.
  Problem axes = problem(Operation::reduceAxes, 1 << 19);
  axes.shape = parse_extents("shape", "512x512x1024");
  axes.axes = parse_axis_set("axes", "1");
  CHECK(ns(axes) == doctest::Approx((4 + 4 / 512.0) / 4e3));
  CHECK(choose_gpu_plan(machine(), axes).entry.matters == false);
}

TEST_CASE("launches of a scan, a compaction and segments are counted") {
  Machine slow = machine();
  slow.gpu->launch_ns = 1000;
  slow.gpu->step_ns = 4000;
  const auto steps = [&](Operation operation, uint64_t n, uint64_t m) {
    Problem one = problem(operation, m);
    one.n = n;
    const GpuPlan plan = gpu::gpu_plans(one, gpu::limits_of(*slow.gpu)).front();
    const double all = gpu::plan_time(*slow.gpu, one, plan).ns_per_input;
    const double bytes = gpu::plan_time(*machine().gpu, one, plan).ns_per_input;
    return (all - bytes) * static_cast<double>(n) / 5000;
  };
  // Tiles of 4096 values of 4 bytes: up to 8 are one launch.
  CHECK(steps(Operation::scan, 1, 1) == doctest::Approx(1));
  CHECK(steps(Operation::scan, uint64_t{8} * 4096, 1) == doctest::Approx(1));
  CHECK(steps(Operation::scan, uint64_t{8} * 4096 + 1, 1) == doctest::Approx(2));
  // Warps find heads among offsets up to 2^23 values; of more offsets than values bits are made, up to
  // 24 tiles in the launch itself.
  CHECK(steps(Operation::segmentedScan, uint64_t{8} * 4096, 10) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedScan, uint64_t{8} * 4096 + 1, 10) == doctest::Approx(2));
  CHECK(steps(Operation::segmentedScan, 1 << 23, 10) == doctest::Approx(2));
  CHECK(steps(Operation::segmentedScan, (1 << 23) + 1, 10) == doctest::Approx(3));
  constexpr uint64_t kTiles = uint64_t{24} * 4096;
  CHECK(steps(Operation::segmentedScan, kTiles, kTiles) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedScan, kTiles + 1, kTiles + 1) == doctest::Approx(3));
  // A block for each segment up to 2^18 values in at most 2^11 segments
  CHECK(steps(Operation::segmentedReduce, 1 << 18, 1 << 11) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedReduce, (1 << 18) + 1, 1) == doctest::Approx(2));
  // Groups of threads up to 2^21 values, in more segments than that
  CHECK(steps(Operation::segmentedReduce, 1 << 18, (1 << 11) + 1) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedReduce, 1 << 21, 1 << 11) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedReduce, (1 << 21) + 1, 1 << 11) == doctest::Approx(2));
}

TEST_CASE("a multireduce in order has tables, or passes and tables or runs behind them") {
  const auto time = [](uint64_t m, const char* plan, const char* types = "u32+u32") {
    const Problem one = problem(Operation::multireduce, m, "uniform", types);
    return gpu::ordered_plan_time(*machine().gpu, one, parse_gpu_plan(plan));
  };
  // By hand: an input of 8 bytes is read in 2 ps; an atomic and four words take 1.5. 3200 warps leave two
  // tables of 1 KiB, written and read.
  const double inputs = 1 << 28;
  const auto tables = time(256, "sortBits=0");
  REQUIRE(tables.phases.size() == 1);
  CHECK(tables.ns_per_input == doctest::Approx(0.002 + 4 * 3200 * 1024 / inputs / 4e3));
  const auto sorted = time(1 << 16, "sortBits=8");
  REQUIRE(sorted.phases.size() == 3);
  CHECK(sorted.phases[0].name == "histogram");
  CHECK(sorted.phases[1].name == "partition");
  CHECK(sorted.phases[2].name == "tables");
  // By hand: besides, all buckets of 256 KiB are read and written.
  CHECK(sorted.phases[2].ns_per_input ==
        doctest::Approx(tables.ns_per_input + 2 * 4 * 65536 / inputs / 4e3));
  const auto runs = time(1 << 24, "sortBits=24,passes=3");
  REQUIRE(runs.phases.size() == 7);
  CHECK(runs.phases[6].name == "runs");
  CHECK(runs.phases[6].ns_per_input ==
        doctest::Approx((8 + 2 * 4 * 16777216 / inputs) / 4e3).epsilon(0.001));
  // By hand: labels and values of unequal size move as arrays: digits are counted of 4 bytes.
  const auto wide = time(1 << 20, "sortBits=20,passes=2", "u32+u64");
  CHECK(wide.phases[2].ns_per_input == doctest::Approx(4 / 4e3));
  for (const uint64_t m : {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 24}) {
    for (const uint64_t n : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 22, uint64_t{1} << 28}) {
      Problem one = problem(Operation::multireduce, m);
      one.n = n;
      const auto plans = gpu::ordered_gpu_plans(one);
      CHECK(!plans.empty());
      for (const GpuPlan& plan : plans) {
        CAPTURE(to_string(plan));
        CHECK(gpu::ordered_plan_time(*machine().gpu, one, plan).ns_per_input > 0);
        CHECK(std::count(plans.begin(), plans.end(), plan) == 1);
      }
    }
  }
}

TEST_CASE("tables while they fit, a pre-sort when they would be too many, and its crossover") {
  const auto choice = [](uint64_t m) {
    return choose_gpu_plan(machine(), problem(Operation::multireduce, m)).entry;
  };
  const GpuTunedEntry small = choice(1 << 12);
  CHECK(small.plan == parse_gpu_plan("strategy=sharedSets"));
  CHECK_FALSE(small.plan.presort);
  CHECK(small.direct_plan == small.plan);
  CHECK(small.runner_up != small.plan);
  CHECK(small.runner_up_ns_per_input >= small.predicted_ns_per_input);
  CHECK(small.matters);
  const GpuTunedEntry large = choice(1 << 26);
  REQUIRE(large.plan.presort.has_value());
  CHECK(large.plan.strategy == GpuStrategy::sharedSets);
  CHECK(large.direct_plan == parse_gpu_plan("strategy=globalSets"));
  CHECK(large.direct_ns_per_input > large.predicted_ns_per_input);
}

TEST_CASE("scans per bucket are chosen among one pass, tiles and sorts, in closed form") {
  const GpuChoice small = choose_gpu_plan(machine(), problem(Operation::multiscan, 256));
  CHECK_FALSE(small.entry.plan.presort);
  const GpuChoice large =
      choose_gpu_plan(machine(), problem(Operation::multitag, uint64_t{1} << 20));
  REQUIRE(large.entry.plan.presort);
  CHECK(large.entry.plan.presort->sort_bits == 20);
  CHECK(large.entry.predicted_ns_per_input > small.entry.predicted_ns_per_input);
}

TEST_CASE("a sort is by all bits of the labels, in as many passes as take the least time") {
  const GpuTunedEntry entry =
      choose_gpu_plan(machine(), problem(Operation::partialSort, uint64_t{1} << 20)).entry;
  REQUIRE(entry.plan.presort);
  CHECK(entry.plan.presort->sort_bits == 20);
  CHECK(entry.plan.presort->passes >= 2);
  CHECK(entry.plan.presort->passes <= 3);
}

TEST_CASE("without a section gpu, or an operation without a kernel, nothing is chosen") {
  Machine without = machine();
  without.gpu.reset();
  CHECK_THROWS_AS(choose_gpu_plan(machine(), problem(Operation::multireduce, uint64_t{1} << 36)),
                  InputError);  // 256 GiB exceed the 128 GiB of memory
  CHECK_THROWS_AS(choose_gpu_plan(without, problem(Operation::multireduce, 256)), InputError);
}

TEST_CASE("a device is too old below compute capability 7.5") {
  CHECK_NOTHROW(gpu::check_capability(7, 5));
  CHECK_NOTHROW(gpu::check_capability(9, 0));
  CHECK_THROWS_WITH_AS(gpu::check_capability(7, 0),
                       "the CUDA device has compute capability 7.0, accepted: 7.5 or more",
                       EnvironmentError);
}

TEST_CASE("the buckets of a part may have a table each of up to four ranges") {
  // A block's shared memory fits 57,344 buckets
  const gpu::DeviceLimits device = gpu::limits_of(*machine().gpu);
  const auto ranges = [&](int sort_bits, uint64_t m) {
    GpuPlan plan = parse_gpu_plan("strategy=sharedSets");
    plan.presort = GpuPresort{.sort_bits = sort_bits};
    return gpu::ranges_of_part(plan, m, 4, device);
  };
  CHECK(ranges(9, uint64_t{1} << 24) == 1);
  CHECK(ranges(8, uint64_t{1} << 24) == 2);
  CHECK(ranges(7, uint64_t{1} << 24) == 3);
  CHECK(ranges(6, uint64_t{1} << 24) == 5);
  const auto check = [&](const char* plan) {
    gpu::check_gpu_plan(parse_gpu_plan(plan), {1000, uint64_t{1} << 24, 4}, device);
  };
  CHECK_NOTHROW(check("strategy=sharedSets,sortBits=7"));
  CHECK_THROWS_AS(check("strategy=sharedSets,sortBits=6"), PlanError);
}

}  // namespace
}  // namespace presort::tuner::gpu_tuner_test
