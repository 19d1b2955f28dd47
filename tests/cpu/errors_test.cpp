// Tests bad arguments of the public functions, and how much scratch the functions need.
#include <doctest/doctest.h>

#include "presort/cpu/detail/check_labels.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::errors_test {
namespace {

struct Call {
  size_t labels = 1000;
  size_t values = 1000;
  size_t m = 100;
  std::string plan = "sortBits=4,bufferBytes=64B";
  size_t missing_bytes = 0;  // bytes missing from the end of the scratch
  size_t offset_bytes = 0;   // offset of the scratch behind an aligned address, bytes

  void run() const {
    const std::vector<uint32_t> label_array(labels, 1);
    const std::vector<uint32_t> value_array(values, 1);
    std::vector<uint32_t> buckets(m);
    const CpuPlan parsed = parse_cpu_plan(plan);
    const size_t needed = cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(parsed, labels, 100);
    GuardedScratch scratch(needed + 64);
    cpu::multireduce(std::span<const uint32_t>(label_array), std::span<const uint32_t>(value_array),
                     std::span<uint32_t>(buckets), Sum<uint32_t>{}, parsed,
                     scratch.bytes().subspan(offset_bytes, needed - missing_bytes));
  }
};

TEST_CASE("arguments that fit are accepted") {
  CHECK_NOTHROW(Call{}.run());
}

TEST_CASE("labels and values of different length are a PlanError") {
  CHECK_THROWS_AS((Call{.values = 999}.run()), PlanError);
  CHECK_THROWS_AS((Call{.values = 0}.run()), PlanError);
  CHECK_THROWS_AS((Call{.labels = 0}.run()), PlanError);
}

TEST_CASE("scratch one byte too small is a PlanError") {
  CHECK_THROWS_AS((Call{.missing_bytes = 1}.run()), PlanError);
  CHECK_THROWS_AS((Call{.plan = "sortBits=4,strategy=plainRadix", .missing_bytes = 1}.run()),
                  PlanError);
}

TEST_CASE("misaligned scratch is a PlanError") {
  CHECK_THROWS_AS((Call{.offset_bytes = 8}.run()), PlanError);
  CHECK_THROWS_AS((Call{.offset_bytes = 32}.run()), PlanError);
}

TEST_CASE("a plan that does not fit the buckets is a PlanError") {
  CHECK_THROWS_AS((Call{.m = 8}.run()), PlanError);
  CHECK_THROWS_AS((Call{.m = 1}.run()), PlanError);
}

TEST_CASE("a pre-sort by more bits than the label type has is a PlanError") {
  const std::vector<uint8_t> labels(10);
  const std::vector<uint32_t> values(10);
  std::vector<uint32_t> buckets(257);
  CHECK_THROWS_AS(cpu::scatter(std::span<const uint8_t>(labels), std::span<const uint32_t>(values),
                               std::span<uint32_t>(buckets), parse_cpu_plan("sortBits=0"), {}),
                  PlanError);
}

TEST_CASE("a plan without pre-sort needs no scratch") {
  CHECK(cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(parse_cpu_plan("sortBits=0"), 1 << 20,
                                                           1 << 20) == 0);
}

// The ratio of scratch bytes to input bytes of a plan, for 2^26 inputs and 2^24 buckets.
template <class Label, class Value>
double scratch_ratio(const std::string& plan) {
  const size_t n = size_t{1} << 26;
  const size_t bytes =
      cpu::multireduce_scratch_bytes<Label, Value>(parse_cpu_plan(plan), n, size_t{1} << 24);
  return static_cast<double>(bytes) / static_cast<double>(n * (sizeof(Label) + sizeof(Value)));
}

TEST_CASE("one pass needs at most 1.1 times the input, several at most 2.2 times") {
  for (const std::string layout : {"pairs", "separate"}) {
    const std::string tail = ",bufferBytes=512B,layout=" + layout;
    const double one = scratch_ratio<uint32_t, uint32_t>("sortBits=12,passes=1" + tail);
    const double two = scratch_ratio<uint32_t, uint32_t>("sortBits=20,passes=2" + tail);
    const double four = scratch_ratio<uint32_t, uint32_t>("sortBits=24,passes=4" + tail);
    MESSAGE(layout << ": scratch / input " << one << " with 1 pass, " << two << " with 2, " << four
                   << " with 4");
    CHECK(one <= 1.1);
    CHECK(two <= 2.2);
    CHECK(four <= 2.2);
  }
  const std::string mixed = "sortBits=10,passes=1,bufferBytes=256B,layout=";
  MESSAGE("u32+u64: " << scratch_ratio<uint32_t, uint64_t>(mixed + "separate") << " separate, "
                      << scratch_ratio<uint32_t, uint64_t>(mixed + "pairs")
                      << " pairs, whose elements are padded to 16 bytes");
  CHECK(scratch_ratio<uint32_t, uint64_t>(mixed + "separate") <= 1.1);
  CHECK(scratch_ratio<uint32_t, uint32_t>("sortBits=8,passes=1,strategy=plainRadix") <= 1.1);
  CHECK(scratch_ratio<uint32_t, uint32_t>("sortBits=24,passes=3,strategy=plainRadix") <= 2.2);
}

TEST_CASE("check_labels names the first label that is not below m") {
  std::vector<uint32_t> labels(5000, 9);
  CHECK_NOTHROW(cpu::check_labels(std::span<const uint32_t>(labels), 10));
  labels[4999] = 11;
  labels[3000] = 10;
  try {
    cpu::check_labels(std::span<const uint32_t>(labels), 10);
    FAIL("a bad label was accepted");
  } catch (const LabelError& error) {
    CHECK(error.index == 3000);
    CHECK(error.label == 10);
    CHECK(error.buckets == 10);
  }
}

TEST_CASE("threads that check labels name the first bad one, whoever finds it") {
  std::vector<uint32_t> labels(5000, 9);
  labels[4999] = labels[3100] = labels[1700] = labels[1699] = 10;
  for (const size_t threads : {1, 2, 3, 5}) {
    CAPTURE(threads);
    cpu::ThreadTeam team(threads);
    const auto check = [&](uint64_t m) {
      cpu::check_labels_if(cpu::Checks::on, std::span<const uint32_t>(labels), m, team);
    };
    CHECK_THROWS_WITH_AS(check(10), doctest::Contains("label 10 at index 1699 "), LabelError);
    CHECK_NOTHROW(check(11));
  }
}

TEST_CASE("check_labels accepts no labels, and no label when there are no buckets") {
  CHECK_NOTHROW(cpu::check_labels(std::span<const uint64_t>(), 0));
  const std::vector<uint64_t> labels(1, 0);
  CHECK_THROWS_AS(cpu::check_labels(std::span<const uint64_t>(labels), 0), LabelError);
}

}  // namespace
}  // namespace presort::test::errors_test
