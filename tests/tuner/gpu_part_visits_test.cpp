// Visits of parts by blocks with tables (gpu/plan/times/part_visits.h), counted by hand for 132 multiprocessors.
#include "presort/gpu/plan/times/part_visits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "presort/core/problem.h"
#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/plan/times/digit_sums.h"

namespace presort::inline v0::gpu::part_visits_test {
namespace {

constexpr DeviceLimits kDevice{.multiprocessors = 132,
                               .shared_bytes_of_block = 227 << 10,
                               .shared_bytes_of_multiprocessor = 228 << 10,
                               .threads_of_multiprocessor = 2048};

Problem inputs(uint64_t n, const char* distribution = "uniform") {
  Problem problem;
  problem.n = n;
  problem.m = 1000;
  problem.distribution = parse_distribution("dist", distribution);
  return problem;
}

double in_turn(uint64_t n, double parts, double table_bytes, int ranges = 1) {
  return PartVisits::of_tables(kDevice, inputs(n), parts, table_bytes, ranges).in_turn();
}

double ns_of(Operation operation, uint64_t n, uint64_t m, const char* distribution,
             const char* plan) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  problem.types.value = ScalarType::f32;
  problem.distribution = parse_distribution("dist", distribution);
  const LabelFacts labels(problem);
  return plan_ns(bundled_gpus().front(), problem, labels, parse_gpu_plan(plan));
}

}  // namespace

TEST_CASE("a block visits the parts of its slice, up to four slices one after the other") {
  CHECK(in_turn(1, 1, 4) == doctest::Approx(1));
  CHECK(in_turn(511, 1, 4) == doctest::Approx(1));
  // 512 pairs: two slices, each with every second part
  CHECK(in_turn(512, 9, 4) == doctest::Approx(1 + 8.0 / 2));
  // 2112 slices, four for each of 528 blocks of 512 threads; registers leave room for 264 at a time
  CHECK(in_turn(uint64_t{1} << 28, 1, 4) == doctest::Approx(8));
  CHECK(in_turn(uint64_t{1} << 28, 2113, 4) == doctest::Approx(16));
  // 528 slices, one for each block
  CHECK(in_turn(uint64_t{1} << 24, 1, 4) == doctest::Approx(2));
  // Tables of 120,000 bytes: one block of 1024 threads a multiprocessor, two ranges share the slices
  CHECK(in_turn(uint64_t{1} << 28, 1, 120000) == doctest::Approx(4));
  CHECK(in_turn(uint64_t{1} << 28, 265, 120000, 2) == doctest::Approx(4 * 2.0));
}

TEST_CASE("labels that fill slices leave the other parts to fewer slices") {
  // Oracle: shares of 1000 ranks of zipf:1, added up; 400 slices, so that ranks of at least 1/400 fill one
  double all = 0;
  for (int rank = 1; rank <= 1000; ++rank) {
    all += 1.0 / rank;
  }
  double cold = 0;
  for (int rank = 1; rank <= 1000; ++rank) {
    cold += 1 / (rank * all) < 1.0 / 400 ? 1 / (rank * all) : 0;
  }
  CHECK(cold_share(inputs(uint64_t{256} * 399, "zipf:1"), 400) ==
        doctest::Approx(cold).epsilon(0.01));
  const double visits =
      PartVisits::of_tables(kDevice, inputs(uint64_t{256} * 399, "zipf:1"), 1001, 4, 1).in_turn();
  CHECK(visits == doctest::Approx(1 + 1000.0 / 400 / cold).epsilon(0.01));
  CHECK(cold_share(inputs(1 << 20), 400) == 1);
  CHECK(PartVisits::of_assignment(kDevice, inputs(1 << 20), 1025).in_turn() ==
        doctest::Approx(4 * (1 + 1024.0 / 528)));
}

TEST_CASE("the slice at the rarer end of a graph has most parts, as counted") {
  for (const char* graph : {"rmat:0.57:0.19:0.19", "rmat:0.1:0.3:0.2", "rmat:0.25:0.25:0.25"}) {
    const Problem problem = inputs(1 << 20, graph);
    const double zero = RmatLevels(problem, 0).zero();
    for (const int slices : {4, 132, 1056}) {
      CAPTURE(graph);
      CAPTURE(slices);
      constexpr int kBits = 14;
      std::vector<int> parts(static_cast<size_t>(slices) + 1);
      double before = 0;  // share of the inputs in the parts before
      for (uint64_t part = 0; part < uint64_t{1} << kBits; ++part) {
        const int ones = std::popcount(part);
        const double share = std::pow(1 - zero, ones) * std::pow(zero, kBits - ones);
        ++parts[static_cast<size_t>((before + share / 2) * slices)];
        before += share;
      }
      const int most = *std::ranges::max_element(parts);
      const double found = most_parts_of_slice(problem, 1 << kBits, slices);
      CHECK(found > 0.7 * most);
      CHECK(found < 1.5 * most);
    }
  }
}

TEST_CASE("a visit takes the longer of its waits and the instructions of all warps beside it") {
  constexpr double kClock = 1e9;
  const auto visits = [](uint64_t n) { return PartVisits::of_tables(kDevice, inputs(n), 1, 4, 1); };
  // One block on a multiprocessor: 16 warps of 100 instructions, two a cycle
  CHECK(visits(512).ns(0, 0, 100, kClock) == doctest::Approx(800));
  CHECK(visits(512).ns(300, 0, 100, kClock) == doctest::Approx(500));
  CHECK(visits(512).ns(300, 501, 100, kClock) == doctest::Approx(501));
  CHECK(visits(512).ns(1000, 1, 100, kClock) == doctest::Approx(1));
  // 264 slices: two blocks of 256 threads each; 265: three somewhere
  CHECK(visits(512 * 132 - 1).ns(0, 0, 100, kClock) == doctest::Approx(800));
  CHECK(visits(uint64_t{512} * 132).ns(0, 0, 100, kClock) == doctest::Approx(1200));
  // More blocks follow each other: 64 registers a thread leave room for four
  CHECK(visits(512 * 528 - 1).ns(0, 0, 100, kClock) == doctest::Approx(2 * 1600));
}

TEST_CASE("blocks look for hot labels where a visit has two pairs a thread") {
  const auto looks = [](uint64_t n, double parts) {
    return PartVisits::of_tables(kDevice, inputs(n), parts, 4, 1).looks_for_hot(parts);
  };
  const uint64_t fewest = uint64_t{1056} * 2 * 256;
  CHECK_FALSE(looks(fewest - 1, 1));
  CHECK(looks(fewest, 1));
  // A slice that is divided among several parts has fewer pairs of each.
  CHECK_FALSE(looks(fewest, 2113));
  CHECK(looks(16 * fewest, 2113));
}

TEST_CASE("sums of digits ask for a line for each digit once a thread has several") {
  // Oracle: lines of 128 bytes that each warp touches, address by address
  const auto counted = [](int digits, int of_thread) {
    double lines = 0;
    for (const int bytes : {4, 8, 8}) {
      for (int warp = 0; warp < digits / (32 * of_thread); ++warp) {
        for (int item = 0; item < of_thread; ++item) {
          std::set<int> touched;
          for (int lane = 0; lane < 32; ++lane) {
            touched.insert(((warp * 32 + lane) * of_thread + item) * bytes / 128);
          }
          lines += static_cast<double>(touched.size());
        }
      }
    }
    return lines;
  };
  CHECK(lines_of_digit_sums(5, false) == counted(32, 1));
  CHECK(lines_of_digit_sums(10, false) == counted(1024, 1));
  CHECK(lines_of_digit_sums(11, false) == counted(2048, 16));
  CHECK(lines_of_digit_sums(14, false) == counted(16384, 16));
  CHECK(lines_of_digit_sums(14, true) == counted(16384, 16) + 4.0 * 16384 / 32);
  CHECK(lines_of_digit_sums(0, false) == 5);
}

TEST_CASE("counts of few buckets do not wait for each other, sums do") {
  const auto tables = [](Operation operation) {
    Problem problem = inputs(uint64_t{1} << 28);
    problem.operation = operation;
    problem.m = 8;
    const LabelFacts labels(problem);
    return plan_ns(bundled_gpus().front(), problem, labels,
                   parse_gpu_plan("strategy=sharedSets,rangePasses=4"));
  };
  CHECK(tables(Operation::scatter) > 1.2 * tables(Operation::histogram));
}

TEST_CASE("many parts of few pairs take a table plan long; a scatter of equal labels does not") {
  const auto tables = [](const char* plan) {
    return ns_of(Operation::multireduce, 8192, 4096, "uniform", plan);
  };
  CHECK(tables("strategy=sharedSets,sortBits=11,passes=1") >
        3 * tables("strategy=sharedSets,sortBits=4,passes=1"));
  // Measured: 0.0287 ns an input (one H200, 2026-11-26); each label by itself would take 0.12
  CHECK(ns_of(Operation::scatter, 2863967, 50097647, "degenerate", "strategy=globalSets") < 0.05);
}

TEST_CASE("parts of a few buckets: words of one sector are updated side by side") {
  const auto atomics = [](const char* plan) {
    return ns_of(Operation::scatter, uint64_t{1} << 27, 16, "uniform", plan);
  };
  // Measured: 0.195 and 0.377 ns an input with four and two buckets a part (one H200, 2026-11-26)
  CHECK(atomics("strategy=globalSets,sortBits=2,passes=1") == doctest::Approx(0.195).epsilon(0.15));
  CHECK(atomics("strategy=globalSets,sortBits=3,passes=2") == doctest::Approx(0.377).epsilon(0.15));
}

}  // namespace presort::gpu::part_visits_test
