// Plans by rule, where nothing is tuned.
#include "presort/gpu/plan/plan_rule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/written_buckets.h"

namespace presort::inline v0::gpu {
namespace {

// An H200.
constexpr DeviceLimits kDevice = {.multiprocessors = 132,
                                  .shared_bytes_of_block = 227 << 10,
                                  .shared_bytes_of_multiprocessor = 228 << 10,
                                  .threads_of_multiprocessor = 2048};

TEST_CASE("a scatter takes its values along where a bucket has few inputs, of very many buckets") {
  const auto takes_values = [](int n, int m) {
    const GpuPlan plan = scatter_plan_by_rule(uint64_t{1} << n, uint64_t{1} << m, kDevice);
    return plan.presort && plan.presort->passes == 2;
  };
  CHECK(takes_values(28, 28));
  CHECK(takes_values(28, 27));
  CHECK_FALSE(takes_values(28, 26));
  CHECK(takes_values(27, 26));
  CHECK_FALSE(takes_values(27, 25));
  CHECK(takes_values(26, 25));
  CHECK_FALSE(takes_values(24, 24));
}

TEST_CASE(
    "a scatter fetches values from anywhere where it writes few buckets, or beside each other") {
  const auto takes_values = [](const char* distribution, int n, int m) {
    const GpuPlan plan = scatter_plan_by_rule(uint64_t{1} << n, uint64_t{1} << m, kDevice,
                                              parse_distribution("dist", distribution));
    return plan.presort && plan.presort->passes == 2;
  };
  for (const int m : {26, 27, 28}) {
    CAPTURE(m);
    CHECK(takes_values("uniform", 27, m));
    CHECK(takes_values("permutation", 27, m));
    CHECK(takes_values("zipf:0.5", 27, m));
    for (const char* distribution : {"zipf:1.25", "zipf-contiguous:1.25", "degenerate", "sorted",
                                     "sequential", "clustered:8"}) {
      CAPTURE(distribution);
      CHECK_FALSE(takes_values(distribution, 27, m));
    }
  }
}

TEST_CASE("so many buckets are written as are expected") {
  constexpr uint64_t kMost = uint64_t{1} << 20;
  for (const char* name : {"uniform", "zipf:0.5", "zipf:1", "zipf:1.25", "zipf-contiguous:2",
                           "sorted", "sequential", "permutation", "degenerate"}) {
    const Distribution distribution = parse_distribution("dist", name);
    for (const uint64_t m : {uint64_t{1}, uint64_t{300}, uint64_t{70000}, kMost}) {
      for (const uint64_t n : {uint64_t{1}, uint64_t{4096}, kMost}) {
        std::vector<uint64_t> labels(n);
        make_labels(distribution, n, m, 3)->generate(0, labels);
        std::sort(labels.begin(), labels.end());
        const auto written =
            static_cast<double>(std::unique(labels.begin(), labels.end()) - labels.begin());
        const double expected = written_buckets(distribution, n, m);
        CAPTURE(name);
        CAPTURE(m);
        CAPTURE(n);
        CHECK(std::abs(written - expected) <= 5 * std::sqrt(expected) + 1);
        CHECK(sectors_of_last_values(distribution, n, m) <= expected);
      }
    }
  }
}

TEST_CASE("a sort is by all bits, in passes that a GPU has") {
  for (const uint64_t m : {uint64_t{2}, uint64_t{1000}, uint64_t{1} << 11, uint64_t{1} << 32}) {
    Problem sort{
        .operation = Operation::partialSort, .n = 1000, .m = m, .distribution = {}, .types = {}};
    sort.types.label = ScalarType::u64;
    GpuPlan plan = sort_plan_by_rule(m);
    CAPTURE(to_string(plan));
    CHECK_NOTHROW(check_gpu_problem(sort, plan, kDevice));
    plan.presort->sort_bits += 1;
    CHECK_FALSE(runs_on(sort, plan, kDevice));
    CHECK_FALSE(runs_on(sort, parse_gpu_plan("strategy=sharedSets"), kDevice));
  }
  Problem half{
      .operation = Operation::partialSort, .n = 1000, .m = 1000, .distribution = {}, .types = {}};
  CHECK_THROWS_WITH_AS(check_gpu_problem(half, parse_gpu_plan("sortBits=9"), kDevice),
                       "sortBits: found 9, accepted: 10: a partialSort into m=1000 parts is by all "
                       "of their bits",
                       PlanError);
}

TEST_CASE("the plan by rule of an ordered reduction is one that is accepted") {
  for (const uint64_t m : {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 20,
                           (uint64_t{1} << 28) + 1, uint64_t{1} << 40}) {
    for (const size_t value_bytes : {1, 4, 8, 16, 24, 64, 65, 100000}) {
      for (const uint64_t n : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 30}) {
        const GpuProblem problem{n, m, value_bytes};
        CHECK_NOTHROW(check_gpu_order(ordered_plan_by_rule(problem), problem));
      }
    }
  }
}

TEST_CASE("an ordered reduction has tiles of few inputs, and few bits left for tables of many") {
  const auto plan_of = [](int n, int m, size_t bytes) {
    return ordered_plan_by_rule({uint64_t{1} << n, uint64_t{1} << m, bytes});
  };
  CHECK_FALSE(plan_of(12, 16, 4).presort);
  CHECK_FALSE(plan_of(20, 20, 8).presort);
  CHECK_FALSE(plan_of(28, 11, 4).presort);
  CHECK(plan_of(28, 12, 4).presort == GpuPresort{.sort_bits = 4, .passes = 1});
  CHECK(plan_of(28, 16, 4).presort == GpuPresort{.sort_bits = 8, .passes = 1});
  CHECK(plan_of(28, 16, 8).presort == GpuPresort{.sort_bits = 7, .passes = 1});
  CHECK(plan_of(28, 20, 4).presort == GpuPresort{.sort_bits = 9, .passes = 1});
  CHECK(plan_of(22, 20, 4).presort == GpuPresort{.sort_bits = 10, .passes = 1});
  CHECK(plan_of(28, 24, 4).presort == GpuPresort{.sort_bits = 16, .passes = 2});
  CHECK(plan_of(22, 24, 4).presort == GpuPresort{.sort_bits = 24, .passes = 3});
}

TEST_CASE("a scan has one pass of few buckets, tiles of few inputs, and then sorts by all bits") {
  const auto plan_of = [](int n, int m, size_t bytes) {
    return scan_plan_by_rule({uint64_t{1} << n, uint64_t{1} << m, bytes}, kDevice);
  };
  CHECK_FALSE(plan_of(28, 11, 4).presort);
  CHECK_FALSE(plan_of(28, 10, 8).presort);
  CHECK_FALSE(plan_of(20, 16, 4).presort);
  CHECK(plan_of(20, 16, 8).presort == GpuPresort{.sort_bits = 16, .passes = 2});
  CHECK(plan_of(22, 20, 4).presort == GpuPresort{.sort_bits = 20, .passes = 2});
  CHECK(plan_of(28, 20, 4).presort == GpuPresort{.sort_bits = 20, .passes = 3});
  CHECK(plan_of(28, 24, 4).presort == GpuPresort{.sort_bits = 24, .passes = 3});
}

TEST_CASE("plans of scans are checked, and small devices have smaller tables") {
  DeviceLimits small = kDevice;
  small.shared_bytes_of_block = 64 << 10;
  CHECK(scan_table_bits(kDevice, 4) == 11);
  CHECK(scan_table_bits(small, 4) == 9);
  CHECK(scan_table_bits(kDevice, 64) == 7);
  CHECK(scan_table_bits(kDevice, 65) == 0);
  const GpuProblem problem{1000, 4096, 4};
  CHECK_NOTHROW(check_gpu_scan(parse_gpu_plan("strategy=sharedSets"), problem, kDevice));
  CHECK_NOTHROW(check_gpu_scan(parse_gpu_plan("sortBits=12,passes=2"), problem, kDevice));
  for (const char* plan :
       {"sortBits=11", "sortBits=12", "strategy=globalSets", "nSets=2", "rangePasses=2"}) {
    CAPTURE(plan);
    CHECK_THROWS_AS(check_gpu_scan(parse_gpu_plan(plan), problem, kDevice), PlanError);
  }
  CHECK_NOTHROW(check_tiled_inputs(true, kMostTiledInputs));
  CHECK_NOTHROW(check_tiled_inputs(false, kMostTiledInputs + 1));
  CHECK_THROWS_AS(check_tiled_inputs(true, kMostTiledInputs + 1), PlanError);
}

}  // namespace
}  // namespace presort::gpu
