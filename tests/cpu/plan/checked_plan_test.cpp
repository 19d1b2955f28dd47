// Tests that a checked plan is checked once, and that calls with it do not check it again.
#include "presort/cpu/checked_plan.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/pages.h"
#include "presort/cpu/partial_sort.h"

namespace presort::inline v0::test::checked_plan_test {
namespace {

// A stand-in for a plan: only a number. A use accepts plans up to its highest number, and counts the
// checks.
struct Counted {
  int number = 0;
};
struct CountingUse {
  int highest = 0;
  int* checks = nullptr;
  bool operator==(const CountingUse&) const = default;
};
void check_use(const Counted& plan, const CountingUse& use) {
  ++*use.checks;
  if (plan.number > use.highest) {
    throw PlanError("too high");
  }
}

TEST_CASE("an argument checks its plan once for each use in a row") {
  int checks = 0;
  const Counted plan{3};
  PlanArgument<Counted, CountingUse> argument(plan);
  CHECK_FALSE(argument.is_checked_for({5, &checks}));
  argument.check_for({5, &checks});
  argument.check_for({5, &checks});
  CHECK(checks == 1);
  argument.check_for({4, &checks});
  CHECK(checks == 2);
  CHECK_THROWS_AS(argument.check_for({2, &checks}), PlanError);
  CHECK(argument.is_checked_for({4, &checks}));
  CHECK(argument->number == 3);
}

TEST_CASE("an argument of a checked plan checks it for other uses alone") {
  int checks = 0;
  const CheckedPlan<Counted, CountingUse> checked({3}, {5, &checks});
  CHECK(checks == 1);
  PlanArgument<Counted, CountingUse> argument(checked);
  argument.check_for({5, &checks});
  CHECK(checks == 1);
  argument.check_for({6, &checks});
  CHECK(checks == 2);
  CHECK_THROWS_AS((CheckedPlan<Counted, CountingUse>({7}, {5, &checks})), PlanError);
}

TEST_CASE("operations take a checked plan, and refuse it where it does not fit") {
  const size_t n = 1000;
  const size_t m = 64;
  std::vector<uint32_t> labels(n);
  std::vector<uint32_t> expected(m);
  for (size_t i = 0; i < n; ++i) {
    labels[i] = static_cast<uint32_t>(i * 37 % m);
    expected[labels[i]] += 1;
  }
  const std::vector<uint32_t> ones(n, 1);
  const CpuPlan plan = parse_cpu_plan("sortBits=6");
  const cpu::CheckedCpuPlan checked(plan, {Operation::multireduce, n, m});
  cpu::PageBuffer scratch(cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(plan, n, m),
                          PageSize::k4KiB);
  std::vector<uint32_t> sums(m);
  cpu::multireduce<uint32_t, uint32_t>(labels, ones, sums, Sum<uint32_t>{}, checked,
                                       scratch.bytes());
  CHECK(sums == expected);
  // A call with fewer buckets checks the plan again and refuses it: labels have fewer than the plan's six
  // bits.
  std::vector<uint32_t> fewer(m / 4);
  CHECK_THROWS_AS((cpu::multireduce<uint32_t, uint32_t>(labels, ones, fewer, Sum<uint32_t>{},
                                                        checked, scratch.bytes())),
                  PlanError);
}

TEST_CASE("a checked plan says what does not fit") {
  const auto checked = [](const std::string& plan, const cpu::CpuUse& use) {
    return cpu::CheckedCpuPlan(parse_cpu_plan(plan), use);
  };
  CHECK_NOTHROW(checked("sortBits=6", {Operation::scatter, 1000, 64}));
  CHECK_THROWS_AS(checked("sortBits=7", {Operation::scatter, 1000, 64}), PlanError);
  CHECK_THROWS_AS(checked("nSets=4", {Operation::scatter, 1000, 64}), PlanError);
  CHECK_NOTHROW(checked("nSets=4", {Operation::histogram, 1000, 64}));
  CHECK_THROWS_AS(checked("sortBits=3", {Operation::partialSort, 1000, 64}), PlanError);
}

}  // namespace
}  // namespace presort::test::checked_plan_test
