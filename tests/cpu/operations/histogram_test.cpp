#include "presort/cpu/histogram.h"

#include <doctest/doctest.h>

#include "presort/core/labels/labels.h"
#include "tests/cpu/result_plans.h"

namespace presort::inline v0::test::histogram_test {
namespace {

template <class Label, class Count>
void plain_histogram(const std::vector<Label>& labels, std::vector<Count>& counts) {
  for (const Label label : labels) {
    ++counts[label];
  }
}

template <class Label, class Count>
bool histogram_is_right(const CpuPlan& plan, const std::vector<Label>& labels, size_t m) {
  std::vector<Count> found = make_values<Count>(22, m);
  std::vector<Count> expected = found;
  plain_histogram(labels, expected);
  GuardedScratch scratch(cpu::histogram_scratch_bytes<Label, Count>(plan, labels.size(), m));
  cpu::histogram(std::span<const Label>(labels), std::span<Count>(found), plan, scratch.bytes());
  return found == expected && scratch.guards_intact();
}

// Plans of a histogram: several sets of buckets, several passes, or any plan of operations with results.
CpuPlan random_histogram_plan(uint64_t seed, size_t m) {
  CpuPlan plan = random_plan(seed, m);
  if (plan.base.strategy == CpuStrategy::plainRadix) {
    plan.base.strategy = CpuStrategy::direct;
  }
  if (!plan.presort && m <= kMaxSetBuckets && seed % 2 == 0) {
    plan.base.strategy = CpuStrategy::direct;
    plan.base.n_sets = kHistogramSets;
    plan.base.prefetch_distance = 0;
    plan.base.range_passes = 1;
  }
  return plan;
}

template <class Label, class Count>
void check_histogram(int most_bits) {
  CHECK(rc::check("histogram equals the plain loop for any plan", [most_bits] {
    const RandomCase shape = random_case(most_bits);
    const CpuPlan plan = random_histogram_plan(shape.seed, shape.m);
    const auto labels = make_uniform_labels<Label>(shape.seed, shape.n, shape.m);
    RC_LOG() << "n " << shape.n << " m " << shape.m << " plan " << to_string(plan);
    RC_ASSERT((histogram_is_right<Label, Count>(plan, labels, shape.m)));
  }));
}

TEST_CASE("histogram equals the plain loop, keys of 8 to 64 bits, counts of 32 and 64") {
  check_histogram<uint8_t, uint32_t>(8);
  check_histogram<uint8_t, uint64_t>(8);
  check_histogram<uint16_t, uint32_t>(16);
  check_histogram<uint32_t, uint32_t>(17);
  check_histogram<uint64_t, uint64_t>(17);
}

std::vector<CpuPlan> histogram_plans(size_t m) {
  std::vector<CpuPlan> plans = result_plans(m);
  plans.push_back(parse_cpu_plan("nSets=4"));
  plans.push_back(parse_cpu_plan("rangePasses=3"));
  plans.push_back(parse_cpu_plan("rangePasses=2,prefetchDistance=3"));
  plans.push_back(parse_cpu_plan("rangePasses=64,inputDistance=40"));
  for (int passes = 3; passes <= label_bits(m); passes += 3) {
    plans.push_back(parse_cpu_plan("sortBits=" + std::to_string(label_bits(m)) +
                                   ",passes=" + std::to_string(passes)));
  }
  return plans;
}

TEST_CASE("histogram is right for sizes around buffers, blocks and pages") {
  for (const size_t m : {1, 2, 37, 1023, 1024, 1025}) {
    for (const size_t n : kEdgeSizes) {
      for (const CpuPlan& plan : histogram_plans(m)) {
        CAPTURE(to_string(plan));
        CAPTURE(n);
        CAPTURE(m);
        const auto labels = make_uniform_labels<uint32_t>(n, n, m);
        CHECK(histogram_is_right<uint32_t, uint32_t>(plan, labels, m));
      }
    }
  }
}

TEST_CASE("histogram of equal, sorted and skewed labels is right") {
  for (const char* name : {"degenerate", "sorted", "zipf:1", "clustered:16"}) {
    CAPTURE(name);
    const auto source = make_labels(parse_distribution("dist", name), 3000, 700, 5);
    std::vector<uint16_t> labels(source->size());
    generate_as<uint16_t>(*source, 0, labels);
    for (const CpuPlan& plan : histogram_plans(700)) {
      CAPTURE(to_string(plan));
      CHECK(histogram_is_right<uint16_t, uint64_t>(plan, labels, 700));
    }
  }
}

TEST_CASE("all 256 values of a byte are buckets") {
  std::vector<uint8_t> labels(5000);
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<uint8_t>(mix64(i));
  }
  for (const CpuPlan& plan : histogram_plans(256)) {
    CAPTURE(to_string(plan));
    CHECK(histogram_is_right<uint8_t, uint32_t>(plan, labels, 256));
  }
}

TEST_CASE("a one-pass histogram needs scratch of at most 1.1 times its labels") {
  const size_t n = size_t{1} << 26;
  const auto ratio = [&](const char* plan) {
    const size_t bytes = cpu::histogram_scratch_bytes<uint32_t>(parse_cpu_plan(plan), n, 1 << 24);
    return static_cast<double>(bytes) / static_cast<double>(4 * n);
  };
  CHECK(ratio("sortBits=0") == 0);
  CHECK(ratio("sortBits=10,bufferBytes=512B") <= 1.1);
  CHECK(ratio("sortBits=24,passes=4,bufferBytes=512B") <= 2.2);
}

template <class Error>
void check_refused(const char* plan_text, size_t m, size_t missing, uint32_t label,
                   const char* message) {
  CAPTURE(plan_text);
  const std::vector<uint32_t> labels(1000, label);
  std::vector<uint32_t> counts(m, 7);
  GuardedScratch scratch(1 << 20);
  const size_t needed =
      cpu::histogram_scratch_bytes<uint32_t>(parse_cpu_plan("sortBits=4"), labels.size(), m);
  CHECK_THROWS_WITH_AS(cpu::histogram(std::span<const uint32_t>(labels),
                                      std::span<uint32_t>(counts), parse_cpu_plan(plan_text),
                                      scratch.bytes().first(needed - missing), cpu::Checks::on),
                       doctest::Contains(message), Error);
  CHECK(counts == std::vector<uint32_t>(m, 7));
}

TEST_CASE("histogram refuses what does not fit, and says what does, before it writes anything") {
  check_refused<PlanError>("sortBits=8", 100, 0, 1, "sortBits: found '8', accepted: 0 to 7");
  check_refused<PlanError>("sortBits=4", 100, 1, 1, "scratch: found");
  check_refused<PlanError>("threads=0", 100, 0, 1, "threads: found '0', accepted: 1 to 1024");
  check_refused<PlanError>("sortBits=4,strategy=plainRadix", 100, 0, 1, "histogram has no plainR");
  check_refused<PlanError>("strategy=privateTables,nSets=4", 100, 0, 1, "nor strategy=private");
  check_refused<PlanError>("nSets=2", 100, 0, 1, "nSets: found '2', accepted: 1 or 4");
  check_refused<PlanError>("nSets=4,sortBits=2", 100, 0, 1, "nSets: found '4', accepted: 1; with");
  check_refused<PlanError>("nSets=4", (1 << 16) + 1, 0, 1, "several sets have at most");
  check_refused<LabelError>("sortBits=4", 100, 0, 100, "label 100 at index 0 is not below");
}

TEST_CASE("a scatter does not have several sets of buckets") {
  Problem problem;
  problem.operation = Operation::scatter;
  problem.n = 1000;
  problem.m = 100;
  CHECK_THROWS_WITH_AS(check_plan(parse_cpu_plan("nSets=4"), problem),
                       "nSets: found '4', accepted: 1; scatter has one set of buckets", PlanError);
}

}  // namespace
}  // namespace presort::test::histogram_test
