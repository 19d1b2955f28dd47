#include "presort/gpu/plan/plan_time.h"

#include <doctest/doctest.h>

#include <cmath>

#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "tests/tuner/round_gpu.h"

namespace presort::inline v0::tuner::gpu_plan_time_test {
namespace {

using test::machine;
using test::problem;

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
  // Each block keeps hot buckets to itself: of the third label, of a share of 1.1 %, some blocks do
  // not, and its updates come on top of the others, one after the other.
  CHECK(ns(1 << 20, "zipf:4") > 0.01);
  CHECK(ns(1 << 20, "zipf:4") < 0.01 + 0.0114);
  // A block has words of its own for the only bucket: what is left are instructions.
  // 40 instructions a lane, of which 100 multiprocessors compute 64 a cycle at 2 GHz
  CHECK(ns(1 << 20, "degenerate") == doctest::Approx(40.0 / 64 / 200));
  // Labels that are too seldom for a block's look meet at the places where they lie.
  CHECK(ns(1 << 20, "zipf:1.25") > 1.5 * ns(1 << 20));
  CHECK(ns(1 << 20, "zipf:1.25") < 3 * ns(1 << 20));
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

TEST_CASE("tables that swap look up each bucket among hot ones, in every range, where one is hot") {
  const auto ns = [](const char* labels, const char* types, uint64_t m) {
    return time_of(problem(Operation::multireduce, m, labels, types), "strategy=sharedSets")
        .ns_per_input;
  };
  // By hand: 12 instructions a lane, of which 100 multiprocessors compute 64 a cycle at 2 GHz, in
  // each of five ranges of 2^18 floats
  const double looks = 5 * 12.0 / 64 / 200;
  const double uniform = ns("uniform", "u32+f32", 1 << 18);
  CHECK(ns("zipf:0.75", "u32+f32", 1 << 18) == doctest::Approx(uniform + looks).epsilon(0.02));
  // No label of these is as frequent as 1/512, and integers of 4 bytes swap nothing.
  CHECK(ns("zipf:0.3", "u32+f32", 1 << 18) == doctest::Approx(uniform).epsilon(0.02));
  CHECK(ns("zipf:0.75", "u32+u32", 1 << 18) ==
        doctest::Approx(ns("uniform", "u32+u32", 1 << 18)).epsilon(0.02));
}

TEST_CASE("a gather is bound by results while its buckets are near") {
  const auto phase = [&](uint64_t m) {
    return time_of(problem(Operation::gather, m), "strategy=globalSets").phases.at(0);
  };
  CHECK(phase(256).bound == "memory");
  CHECK(phase(1 << 16).bound == "memory");  // shared memory holds seven eighths of the buckets
  // By hand: with 102,400 buckets, 45,056 of them are read from the L2, the others from shared
  // memory; with 2^17 buckets, all from the L2. Of 32 results four sectors are written.
  CHECK(phase(102400).ns_per_input == doctest::Approx((0.44 + 0.125) / 200));
  CHECK(phase(1 << 17).ns_per_input == doctest::Approx(1.125 / 200));
  CHECK(phase(1 << 18).ns_per_input == doctest::Approx(1.125 / 200));
  CHECK(phase(1 << 22).bound == "L2");
  CHECK(gpu::gpu_plans(problem(Operation::gather, 256), gpu::limits_of(*machine().gpu)).size() ==
        1);
}

TEST_CASE("a gather finds frequent buckets in caches, however large the table is") {
  const auto ns = [](const char* labels, uint64_t m = uint64_t{1} << 28) {
    return time_of(problem(Operation::gather, m, labels), "strategy=globalSets").ns_per_input;
  };
  // Nearly all reads are of a few buckets.
  CHECK(ns("zipf:4") == doctest::Approx(ns("uniform", 256)).epsilon(0.01));
  CHECK(ns("zipf:1.25") < ns("zipf:0.75"));
  CHECK(ns("zipf:0.75") < ns("uniform"));
  CHECK(ns("rmat:0.57:0.19:0.19") < ns("uniform"));
  CHECK(ns("zipf:0.01") == doctest::Approx(ns("uniform")).epsilon(0.02));
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

}  // namespace
}  // namespace presort::tuner::gpu_plan_time_test
