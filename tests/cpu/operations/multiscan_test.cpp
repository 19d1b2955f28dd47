#include "presort/cpu/multiscan.h"

#include <doctest/doctest.h>

#include <cstring>

#include "presort/cpu/multitag.h"
#include "tests/cpu/result_plans.h"

namespace presort::inline v0::test::multiscan_test {
namespace {

using cpu::Scan;

template <class Value>
struct Scanned {
  std::vector<Value> results;
  std::vector<Value> buckets;
  bool operator==(const Scanned&) const = default;
};

template <Scan kScan, class Label, class Value, class M>
Scanned<Value> plain_multiscan(const std::vector<Label>& labels, const std::vector<Value>& values,
                               std::vector<Value> buckets, const M& monoid) {
  std::vector<Value> results;
  for (size_t i = 0; i < labels.size(); ++i) {
    const Value before = buckets[labels[i]];
    buckets[labels[i]] = monoid(before, values[i]);
    results.push_back(kScan == Scan::exclusive ? before : buckets[labels[i]]);
  }
  return {results, buckets};
}

template <Scan kScan, class Label, class Value, class M>
Scanned<Value> presort_multiscan(const std::vector<Label>& labels, const std::vector<Value>& values,
                                 std::vector<Value> buckets, const M& monoid, const CpuPlan& plan) {
  std::vector<Value> results(labels.size());
  GuardedScratch scratch(
      cpu::multiscan_scratch_bytes<Label, Value>(plan, labels.size(), buckets.size()));
  cpu::multiscan<kScan>(std::span<const Label>(labels), std::span<const Value>(values),
                        std::span<Value>(buckets), std::span<Value>(results), monoid, plan,
                        scratch.bytes());
  CHECK(scratch.guards_intact());
  return {results, buckets};
}

template <Scan kScan, class Label, class Value, class M>
bool multiscan_is_right(const CpuPlan& plan, const std::vector<Label>& labels, size_t m, M monoid) {
  const std::vector<Value> values = make_values<Value>(23, labels.size());
  const std::vector<Value> buckets = make_values<Value>(24, m);
  return presort_multiscan<kScan>(labels, values, buckets, monoid, plan) ==
         plain_multiscan<kScan>(labels, values, buckets, monoid);
}

template <class Label, class Value, class M>
void check_multiscan(M monoid, int most_bits = 16) {
  CHECK(rc::check("multiscan equals the plain loop for any plan", [&] {
    const RandomCase shape = random_case(most_bits);
    const CpuPlan plan = random_result_plan(shape.seed, shape.m);
    const auto labels = make_uniform_labels<Label>(shape.seed, shape.n, shape.m);
    RC_LOG() << "n " << shape.n << " m " << shape.m << " plan " << to_string(plan);
    RC_ASSERT((multiscan_is_right<Scan::exclusive, Label, Value>(plan, labels, shape.m, monoid)));
    RC_ASSERT((multiscan_is_right<Scan::inclusive, Label, Value>(plan, labels, shape.m, monoid)));
  }));
}

TEST_CASE("multiscan equals the plain loop for any plan, also of monoids that do not commute") {
  check_multiscan<uint8_t, uint32_t>(Sum<uint32_t>{}, 8);
  check_multiscan<uint16_t, double>(Max<double>{}, 16);
  check_multiscan<uint32_t, Affine<uint32_t>>(Compose<uint32_t>{});
  check_multiscan<uint32_t, Affine<uint64_t>>(Compose<uint64_t>{});
  check_multiscan<uint64_t, Text>(Concatenate{});
}

TEST_CASE("multiscan is right for sizes around buffers, blocks and pages") {
  for (const size_t m : {1, 2, 37, 1025}) {
    for (const size_t n : kEdgeSizes) {
      for (const CpuPlan& plan : result_plans(m)) {
        CAPTURE(to_string(plan));
        CAPTURE(n);
        CAPTURE(m);
        const auto labels = make_uniform_labels<uint32_t>(n, n, m);
        CHECK(multiscan_is_right<Scan::exclusive, uint32_t, Text>(plan, labels, m, Concatenate{}));
      }
    }
  }
}

TEST_CASE("sums that round are those of one fold from left to right, bit for bit") {
  const size_t n = 4000, m = 50;
  const auto labels = make_uniform_labels<uint32_t>(1, n, m);
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = 1.0F / static_cast<float>(1 + bounded(random_u64(5, i), 1000));
  }
  const std::vector<float> buckets(m, 0.1F);
  const auto expected = plain_multiscan<Scan::inclusive>(labels, values, buckets, Sum<float>{});
  for (const CpuPlan& plan : result_plans(m)) {
    CAPTURE(to_string(plan));
    const auto found =
        presort_multiscan<Scan::inclusive>(labels, values, buckets, Sum<float>{}, plan);
    CHECK(std::memcmp(found.results.data(), expected.results.data(), n * sizeof(float)) == 0);
    CHECK(std::memcmp(found.buckets.data(), expected.buckets.data(), m * sizeof(float)) == 0);
  }
}

TEST_CASE("a scan of sums that round is not grouped, and says so before it writes anything") {
  const std::vector<uint32_t> labels = {0, 1};
  const std::vector<float> values = {1, 1};
  std::vector<float> buckets = {7, 7}, results = buckets;
  GuardedScratch scratch(1 << 12);
  CHECK_THROWS_WITH_AS(cpu::multiscan<Scan::inclusive>(
                           std::span<const uint32_t>(labels), std::span<const float>(values),
                           std::span<float>(buckets), std::span<float>(results), Sum<float>{},
                           parse_cpu_plan("strategy=privateTables"), scratch.bytes()),
                       doctest::Contains("the operator does not associate"), PlanError);
  CHECK(buckets == std::vector<float>{7, 7});
  CHECK(results == buckets);
}

template <class Label, class Count>
Scanned<Count> plain_multitag(const std::vector<Label>& labels, std::vector<Count> counts) {
  std::vector<Count> results;
  for (const Label label : labels) {
    results.push_back(counts[label]++);
  }
  return {results, counts};
}

template <class Label, class Count>
bool multitag_is_right(const CpuPlan& plan, const std::vector<Label>& labels, size_t m) {
  Scanned<Count> found{std::vector<Count>(labels.size()), make_values<Count>(25, m)};
  const auto expected = plain_multitag(labels, found.buckets);
  GuardedScratch scratch(cpu::multitag_scratch_bytes<Label, Count>(plan, labels.size(), m));
  cpu::multitag(std::span<const Label>(labels), std::span<Count>(found.buckets),
                std::span<Count>(found.results), plan, scratch.bytes());
  return found == expected && scratch.guards_intact();
}

template <class Label, class Count>
void check_multitag(int most_bits) {
  CHECK(rc::check("multitag equals the plain loop for any plan", [most_bits] {
    const RandomCase shape = random_case(most_bits);
    const CpuPlan plan = random_result_plan(shape.seed, shape.m);
    const auto labels = make_uniform_labels<Label>(shape.seed, shape.n, shape.m);
    RC_LOG() << "n " << shape.n << " m " << shape.m << " plan " << to_string(plan);
    RC_ASSERT((multitag_is_right<Label, Count>(plan, labels, shape.m)));
  }));
}

TEST_CASE("multitag equals the plain loop for any plan") {
  check_multitag<uint8_t, uint32_t>(8);
  check_multitag<uint16_t, uint64_t>(16);
  check_multitag<uint32_t, uint32_t>(16);
  check_multitag<uint64_t, uint32_t>(16);
}

TEST_CASE("multitag is right for sizes around buffers, blocks and pages") {
  for (const size_t n : kEdgeSizes) {
    for (const CpuPlan& plan : result_plans(37)) {
      CAPTURE(to_string(plan));
      CAPTURE(n);
      const auto labels = make_uniform_labels<uint32_t>(n, n, 37);
      CHECK(multitag_is_right<uint32_t, uint32_t>(plan, labels, 37));
    }
  }
}

// Checks that a refused multiscan writes nothing.
template <class Error>
void check_refused(const char* plan, size_t values, size_t results, size_t missing, uint32_t label,
                   const char* message) {
  CAPTURE(plan);
  const std::vector<uint32_t> labels(1000, label);
  const std::vector<uint32_t> ones(values, 1);
  Scanned<uint32_t> found{std::vector<uint32_t>(results, 7), std::vector<uint32_t>(100, 7)};
  const auto before = found;
  GuardedScratch scratch(1 << 20);
  const size_t needed =
      cpu::multiscan_scratch_bytes<uint32_t, uint32_t>(parse_cpu_plan("sortBits=4"), 1000, 100);
  CHECK_THROWS_WITH_AS(
      cpu::multiscan<Scan::exclusive>(
          std::span<const uint32_t>(labels), std::span<const uint32_t>(ones),
          std::span<uint32_t>(found.buckets), std::span<uint32_t>(found.results), Sum<uint32_t>{},
          parse_cpu_plan(plan), scratch.bytes().first(needed - missing), cpu::Checks::on),
      doctest::Contains(message), Error);
  CHECK(found == before);
}

TEST_CASE("multiscan refuses what does not fit, and says what does, before it writes anything") {
  check_refused<PlanError>("sortBits=4", 999, 1000, 0, 1, "labels and values differ in length");
  check_refused<PlanError>("sortBits=4", 1000, 999, 0, 1, "labels and results differ in length");
  check_refused<PlanError>("sortBits=4", 1000, 1000, 1, 1, "scratch: found");
  check_refused<PlanError>("threads=1025", 1000, 1000, 0, 1, "threads: found '1025', accepted: 1");
  check_refused<PlanError>("sortBits=2,strategy=plainRadix", 1000, 1000, 0, 1,
                           "multiscan has no plainRadix");
  check_refused<PlanError>("sortBits=3,passes=3", 1000, 1000, 0, 1, "passes: found '3'");
  check_refused<LabelError>("sortBits=4", 1000, 1000, 0, 100, "label 100 at index 0");
}

}  // namespace
}  // namespace presort::test::multiscan_test
