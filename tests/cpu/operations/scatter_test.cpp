// Tests the variants of scatter, and refused labels. scatter itself is tested in kernels_test.cpp.
#include "presort/cpu/scatter.h"

#include <doctest/doctest.h>

#include "tests/cpu/support.h"

namespace presort::inline v0::test::scatter_test {
namespace {

constexpr const char* kPlans[] = {"threads=1",
                                  "threads=3",
                                  "threads=3,prefetchDistance=4",
                                  "threads=3,rangePasses=2",
                                  "threads=2,strategy=privateTables",
                                  "threads=2,sortBits=4",
                                  "sortBits=5,passes=2,strategy=plainRadix"};

// Checks that every bucket holds a value of one of its inputs, or its old value if it has none.
template <class Value>
bool some_input_won(const std::vector<uint32_t>& labels, const std::vector<Value>& values,
                    const std::vector<Value>& before, const std::vector<Value>& found) {
  std::vector<bool> has_input(found.size());
  std::vector<bool> holds_input(found.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    has_input[labels[i]] = true;
    holds_input[labels[i]] = holds_input[labels[i]] || found[labels[i]] == values[i];
  }
  for (size_t k = 0; k < found.size(); ++k) {
    if (has_input[k] ? !holds_input[k] : found[k] != before[k]) {
      return false;
    }
  }
  return true;
}

template <class Value>
void check_scatter_any(size_t n, size_t m) {
  const auto labels = make_uniform_labels<uint32_t>(n, n, m);
  const auto values = make_values<Value>(1, n);
  const auto before = make_values<Value>(2, m);
  for (const char* text : kPlans) {
    CAPTURE(text);
    CAPTURE(n);
    const CpuPlan plan = parse_cpu_plan(text);
    auto found = before;
    GuardedScratch scratch(cpu::scatter_scratch_bytes<uint32_t, Value>(plan, n, m));
    cpu::scatter_any(std::span<const uint32_t>(labels), std::span<const Value>(values),
                     std::span<Value>(found), plan, scratch.bytes());
    CHECK(some_input_won(labels, values, before, found));
    CHECK(scratch.guards_intact());
  }
}

TEST_CASE("of scatter_any some input of each bucket wins, with values of 4, 8, 12 and 16 bytes") {
  for (const size_t n : {0, 1, 2, 63, 64, 65, 5000}) {
    check_scatter_any<uint32_t>(n, 300);
    check_scatter_any<double>(n, 300);
    check_scatter_any<Text>(n, 300);
    check_scatter_any<Affine<uint64_t>>(n, 300);
  }
}

TEST_CASE("scatter_or_default sets buckets without a label, also when there are no inputs") {
  for (const size_t n : {0, 1, 100, 5000}) {
    const size_t m = 300;
    const auto labels = make_uniform_labels<uint32_t>(n, n, m);
    const auto values = make_values<uint32_t>(1, n);
    std::vector<uint32_t> expected(m, 42);
    plain_scatter(labels, values, expected);
    for (const char* text : kPlans) {
      CAPTURE(text);
      const CpuPlan plan = parse_cpu_plan(text);
      std::vector<uint32_t> found = make_values<uint32_t>(2, m);
      GuardedScratch scratch(cpu::scatter_scratch_bytes<uint32_t, uint32_t>(plan, n, m));
      cpu::scatter_or_default(std::span<const uint32_t>(labels), std::span<const uint32_t>(values),
                              42U, std::span<uint32_t>(found), plan, scratch.bytes());
      CHECK(found == expected);
    }
  }
}

TEST_CASE("with checked labels a bad one is named before any bucket is written") {
  std::vector<uint32_t> labels = make_uniform_labels<uint32_t>(3, 5000, 300);
  labels[4321] = 300;
  labels[4400] = 301;
  const std::vector<uint32_t> values(labels.size(), 1);
  std::vector<uint32_t> buckets(300, 7);
  const std::span<const uint32_t> l(labels);
  const std::span<const uint32_t> v(values);
  const std::span<uint32_t> b(buckets);
  constexpr const char* kMessage =
      "label 300 at index 4321 is not below the number of buckets, 300";
  for (const char* text : kPlans) {
    CAPTURE(text);
    const CpuPlan plan = parse_cpu_plan(text);
    GuardedScratch memory(cpu::scatter_scratch_bytes<uint32_t, uint32_t>(plan, labels.size(), 300));
    const auto scratch = memory.bytes();
    const auto on = cpu::Checks::on;
    CHECK_THROWS_WITH_AS(cpu::multireduce(l, v, b, Sum<uint32_t>{}, plan, scratch, on), kMessage,
                         LabelError);
    CHECK_THROWS_WITH_AS(cpu::scatter(l, v, b, plan, scratch, on), kMessage, LabelError);
    CHECK_THROWS_WITH_AS(cpu::scatter_any(l, v, b, plan, scratch, on), kMessage, LabelError);
    CHECK_THROWS_WITH_AS(cpu::scatter_or_default(l, v, 1U, b, plan, scratch, on), kMessage,
                         LabelError);
  }
  CHECK(buckets == std::vector<uint32_t>(300, 7));
}

TEST_CASE("checked labels that are all below m change nothing") {
  const auto labels = make_uniform_labels<uint8_t>(3, 5000, 256);
  const auto values = make_values<uint32_t>(4, labels.size());
  std::vector<uint32_t> found(256), expected(256);
  plain_multireduce(labels, values, expected, Sum<uint32_t>{});
  cpu::multireduce(std::span<const uint8_t>(labels), std::span<const uint32_t>(values),
                   std::span<uint32_t>(found), Sum<uint32_t>{}, parse_cpu_plan("sortBits=0"), {},
                   cpu::Checks::on);
  CHECK(found == expected);
}

}  // namespace
}  // namespace presort::test::scatter_test
