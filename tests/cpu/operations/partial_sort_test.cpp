#include "presort/cpu/partial_sort.h"

#include <doctest/doctest.h>

#include <numeric>

#include "tests/cpu/result_plans.h"

namespace presort::inline v0::test::partial_sort_test {
namespace {

template <class Label>
struct Sorted {
  std::vector<Label> labels;
  std::vector<uint32_t> values;
  std::vector<size_t> part_starts;
  bool operator==(const Sorted&) const = default;
};

// Expected result: std::stable_sort by the labels without their lowest bits.
template <class Label>
Sorted<Label> plain_partial_sort(const std::vector<Label>& labels, size_t m, int sort_bits) {
  const int rest = label_bits(m) - sort_bits;
  Sorted<Label> sorted{{}, std::vector<uint32_t>(labels.size()), {}};
  std::iota(sorted.values.begin(), sorted.values.end(), 0U);
  std::ranges::stable_sort(sorted.values, {}, [&](uint32_t i) { return labels[i] >> rest; });
  for (const uint32_t i : sorted.values) {
    sorted.labels.push_back(labels[i]);
  }
  for (size_t part = 0; part <= size_t{1} << sort_bits; ++part) {
    const auto first = std::ranges::partition_point(
        sorted.labels, [&](Label label) { return static_cast<size_t>(label >> rest) < part; });
    sorted.part_starts.push_back(static_cast<size_t>(first - sorted.labels.begin()));
  }
  return sorted;
}

template <class Label>
Sorted<Label> presort_partial_sort(const std::vector<Label>& labels, size_t m,
                                   const CpuPlan& plan) {
  const size_t n = labels.size();
  std::vector<uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0U);
  Sorted<Label> found{std::vector<Label>(n), std::vector<uint32_t>(n),
                      std::vector<size_t>(cpu::partial_sort_parts(plan, m) + 1, 99)};
  GuardedScratch scratch(cpu::partial_sort_scratch_bytes<Label, uint32_t>(plan, n, m));
  cpu::partial_sort(std::span<const Label>(labels), std::span<const uint32_t>(values), m,
                    std::span<Label>(found.labels), std::span<uint32_t>(found.values),
                    std::span<size_t>(found.part_starts), plan, scratch.bytes());
  CHECK(scratch.guards_intact());
  return found;
}

int sorted_bits(const CpuPlan& plan, size_t m) {
  return plan.presort ? plan.presort->sort_bits : label_bits(m);
}

template <class Label>
void check_partial_sorts(int most_bits) {
  CHECK(rc::check("a partial sort is a stable sort by the top bits", [most_bits] {
    const RandomCase shape = random_case(most_bits);
    CpuPlan plan = random_result_plan(shape.seed, shape.m);
    if (plan.presort) {
      plan.presort->sort_bits = std::min(plan.presort->sort_bits, 8);
      plan.presort->passes = std::min(plan.presort->passes, plan.presort->sort_bits);
    } else {
      plan = CpuPlan{};
    }
    const auto labels = make_uniform_labels<Label>(shape.seed, shape.n, shape.m);
    RC_LOG() << "n " << shape.n << " m " << shape.m << " plan " << to_string(plan);
    RC_ASSERT(presort_partial_sort(labels, shape.m, plan) ==
              plain_partial_sort(labels, shape.m, sorted_bits(plan, shape.m)));
  }));
}

TEST_CASE("a partial sort is a stable sort by the top bits, with labels of 8 to 64 bits") {
  check_partial_sorts<uint8_t>(8);
  check_partial_sorts<uint16_t>(16);
  check_partial_sorts<uint32_t>(16);
  check_partial_sorts<uint64_t>(16);
}

TEST_CASE("a partial sort is right for sizes around buffers, blocks and pages") {
  for (const size_t n : kEdgeSizes) {
    for (const char* text : {"sortBits=0", "sortBits=1", "sortBits=6,passes=3,bufferBytes=64B",
                             "sortBits=4,layout=separate,streaming=false"}) {
      const CpuPlan plan = parse_cpu_plan(text);
      CAPTURE(text);
      CAPTURE(n);
      const auto labels = make_uniform_labels<uint32_t>(n, n, 37);
      CHECK((presort_partial_sort(labels, 37, plan) ==
             plain_partial_sort(labels, 37, sorted_bits(plan, 37))));
    }
  }
}

// Labels of which part 0 of 2^4 has `first` and the other parts a few each.
std::vector<uint32_t> labels_with_parts(size_t first, size_t others, size_t m) {
  std::vector<uint32_t> labels;
  for (size_t i = 0; i < first + 15 * others; ++i) {
    const size_t part = i < 15 * others ? 1 + i % 15 : 0;
    labels.push_back(static_cast<uint32_t>(part * m / 16 + random_u64(7, i) % (m / 16)));
  }
  return labels;
}

TEST_CASE(
    "parts of few and of many inputs are sorted alike, at and around the limit between them") {
  constexpr size_t kM = 1 << 14;
  for (const char* text :
       {"sortBits=9,passes=2", "sortBits=14,passes=3", "sortBits=14,passes=2,layout=separate",
        "sortBits=10,passes=2,layout=separate,streaming=false", "sortBits=12,passes=2,threads=3",
        "sortBits=14,passes=5,bufferBytes=64B"}) {
    const CpuPlan plan = parse_cpu_plan(text);
    const size_t digits = size_t{1} << (plan.presort->sort_bits / plan.presort->passes);
    for (const size_t around : {cpu::kMostInserted, digits, cpu::kFewInputsPerDigit * digits}) {
      for (const size_t others : {size_t{0}, size_t{1}, around - 1, around, around + 1}) {
        CAPTURE(text);
        CAPTURE(around);
        CAPTURE(others);
        const auto labels = labels_with_parts(7 * digits, others, kM);
        CHECK((presort_partial_sort(labels, kM, plan) ==
               plain_partial_sort(labels, kM, plan.presort->sort_bits)));
      }
    }
  }
}

TEST_CASE("few equal labels stay in their order") {
  const CpuPlan plan = parse_cpu_plan("sortBits=10,passes=2");
  for (const size_t n : {size_t{1}, cpu::kMostInserted, cpu::kMostInserted + 1, size_t{100}}) {
    const std::vector<uint32_t> labels(n, 777);
    CHECK((presort_partial_sort(labels, 1024, plan) == plain_partial_sort(labels, 1024, 10)));
  }
}

TEST_CASE("a partial sort refuses what does not fit, before it writes anything") {
  const std::vector<uint32_t> labels(100, 40);
  const std::vector<uint32_t> values(100);
  Sorted<uint32_t> found{std::vector<uint32_t>(100, 7), std::vector<uint32_t>(100, 7),
                         std::vector<size_t>(17, 7)};
  const auto before = found;
  GuardedScratch scratch(1 << 16);
  const auto sort = [&](const char* plan, size_t m) {
    cpu::partial_sort(std::span<const uint32_t>(labels), std::span<const uint32_t>(values), m,
                      std::span<uint32_t>(found.labels), std::span<uint32_t>(found.values),
                      std::span<size_t>(found.part_starts), parse_cpu_plan(plan), scratch.bytes(),
                      cpu::Checks::on);
  };
  CHECK_THROWS_WITH_AS(sort("sortBits=0", 64), doctest::Contains("part_starts"), PlanError);
  CHECK_THROWS_WITH_AS(sort("sortBits=0,threads=2", 16),
                       doctest::Contains("sortBits=0 runs on one thread"), PlanError);
  CHECK_THROWS_WITH_AS(sort("sortBits=0,prefetchDistance=4", 16),
                       doctest::Contains("partialSort fetches nothing ahead"), PlanError);
  CHECK_THROWS_WITH_AS(sort("sortBits=4,threads=0", 64), doctest::Contains("accepted: 1"),
                       PlanError);
  CHECK_THROWS_WITH_AS(sort("sortBits=4,strategy=plainRadix", 64),
                       doctest::Contains("accepted: direct"), PlanError);
  CHECK_THROWS_WITH_AS(sort("sortBits=3", 64), doctest::Contains("part_starts"), PlanError);
  CHECK_THROWS_WITH_AS(sort("sortBits=4", 40),
                       "label 40 at index 0 is not below the number of "
                       "buckets, 40",
                       LabelError);
  CHECK(found == before);
  sort("sortBits=4", 64);
  CHECK(found.part_starts[10] == 0);
  CHECK(found.part_starts[11] == 100);
}

}  // namespace
}  // namespace presort::test::partial_sort_test
