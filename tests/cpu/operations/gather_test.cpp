#include "presort/cpu/gather.h"

#include <doctest/doctest.h>

#include "tests/cpu/result_plans.h"

namespace presort::inline v0::test::gather_test {
namespace {

template <class Label, class Value>
std::vector<Value> plain_gather(const std::vector<Label>& labels, const std::vector<Value>& table) {
  std::vector<Value> results(labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    results[i] = table[labels[i]];
  }
  return results;
}

template <class Label, class Value>
void gather_into(std::vector<Value>& results, const std::vector<Label>& labels,
                 const std::vector<Value>& table, const CpuPlan& plan, std::span<std::byte> scratch,
                 cpu::Checks checks = cpu::Checks::off) {
  cpu::gather(std::span<const Label>(labels), std::span<const Value>(table),
              std::span<Value>(results), plan, scratch, checks);
}

template <class Label, class Value>
bool gather_is_right(const CpuPlan& plan, const std::vector<Label>& labels, size_t m) {
  const std::vector<Value> table = make_values<Value>(21, m);
  std::vector<Value> found(labels.size());
  GuardedScratch scratch(cpu::gather_scratch_bytes<Label, Value>(plan, labels.size(), m));
  gather_into(found, labels, table, plan, scratch.bytes());
  return found == plain_gather(labels, table) && scratch.guards_intact();
}

template <class Label, class Value>
void check_gather(int most_bits) {
  CHECK(rc::check("gather equals the plain loop for any plan", [most_bits] {
    const RandomCase shape = random_case(most_bits);
    const CpuPlan plan = random_result_plan(shape.seed, shape.m);
    const auto labels = make_uniform_labels<Label>(shape.seed, shape.n, shape.m);
    RC_LOG() << "n " << shape.n << " m " << shape.m << " plan " << to_string(plan);
    RC_ASSERT((gather_is_right<Label, Value>(plan, labels, shape.m)));
  }));
}

TEST_CASE("gather equals the plain loop, labels of 8 to 64 bits, values of 4 to 16 bytes") {
  check_gather<uint8_t, uint32_t>(8);
  check_gather<uint16_t, double>(16);
  check_gather<uint32_t, uint32_t>(16);
  check_gather<uint32_t, Text>(16);
  check_gather<uint32_t, Affine<uint64_t>>(16);
  check_gather<uint64_t, float>(16);
}

TEST_CASE("gather is right for sizes around buffers, blocks and pages") {
  for (const size_t m : {1, 2, 37, 1023, 1024, 1025}) {
    for (const size_t n : kEdgeSizes) {
      for (const CpuPlan& plan : result_plans(m)) {
        CAPTURE(to_string(plan));
        CAPTURE(n);
        CAPTURE(m);
        CHECK(gather_is_right<uint32_t, uint32_t>(plan, make_uniform_labels<uint32_t>(n, n, m), m));
      }
    }
  }
}

TEST_CASE("gather is right when all inputs are in one part, the first, middle or last") {
  const size_t m = 5000;
  for (const uint32_t label : {0U, 2500U, 4999U}) {
    for (const CpuPlan& plan : result_plans(m)) {
      CAPTURE(to_string(plan));
      CHECK(gather_is_right<uint32_t, uint64_t>(plan, std::vector<uint32_t>(3000, label), m));
    }
  }
}

TEST_CASE("gather needs scratch of at most 1.1 times labels and results, 2.2 with two passes") {
  const size_t n = size_t{1} << 26;
  const auto ratio = [&](const char* plan) {
    const size_t bytes =
        cpu::gather_scratch_bytes<uint32_t, uint32_t>(parse_cpu_plan(plan), n, 1 << 24);
    return static_cast<double>(bytes) / static_cast<double>(8 * n);
  };
  CHECK(ratio("sortBits=0") == 0);
  CHECK(ratio("sortBits=12,bufferBytes=512B") <= 1.1);
  CHECK(ratio("sortBits=20,passes=2,bufferBytes=512B") <= 2.2);
}

// Checks that a refused gather writes nothing.
template <class Error>
void check_refused(const char* plan_text, size_t results, size_t missing, uint32_t bad_label,
                   const char* message) {
  CAPTURE(plan_text);
  const CpuPlan plan = parse_cpu_plan(plan_text);
  std::vector<uint32_t> labels(1000, 1);
  labels[700] = bad_label;
  const std::vector<uint32_t> table(100, 5);
  std::vector<uint32_t> found(results, 7);
  GuardedScratch scratch(1 << 20);
  const size_t needed =
      cpu::gather_scratch_bytes<uint32_t, uint32_t>(parse_cpu_plan("sortBits=4"), 1000, 100);
  CHECK_THROWS_WITH_AS(gather_into(found, labels, table, plan,
                                   scratch.bytes().first(needed - missing), cpu::Checks::on),
                       doctest::Contains(message), Error);
  CHECK(found == std::vector<uint32_t>(results, 7));
}

TEST_CASE("gather refuses what does not fit, and says what does, before it writes anything") {
  check_refused<PlanError>("sortBits=4", 999, 0, 1, "labels and results differ in length");
  check_refused<PlanError>("sortBits=8", 1000, 0, 1, "sortBits: found '8', accepted: 0 to 7");
  check_refused<PlanError>("sortBits=4", 1000, 1, 1, "scratch: found");
  check_refused<PlanError>("threads=0", 1000, 0, 1, "threads: found '0', accepted: 1 to 1024");
  check_refused<PlanError>("sortBits=6,passes=3", 1000, 0, 1,
                           "passes: found '3', accepted: 1 to 2");
  check_refused<PlanError>("sortBits=6,strategy=plainRadix", 1000, 0, 1,
                           "accepted: direct; gather");
  check_refused<PlanError>("strategy=privateTables", 1000, 0, 1, "accepted: direct; gather");
  check_refused<LabelError>("sortBits=4", 1000, 0, 100, "label 100 at index 700 is not below");
  check_refused<LabelError>("sortBits=0", 1000, 0, 101, "label 101 at index 700 is not below");
}

}  // namespace
}  // namespace presort::test::gather_test
