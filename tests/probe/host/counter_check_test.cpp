#include "presort/probe/host/counter_check.h"

#include <doctest/doctest.h>

#include "presort/probe/workloads/meter.h"

namespace counter_check_test {

using namespace presort::probe;

namespace {

constexpr double kCycle = 0.25;
constexpr uint64_t kKiB = 1 << 10;
constexpr uint64_t kMiB = 1 << 20;

// A step of a pointer chase: its time, and the hardware events counted in it.
Slice step(double ns, const Counts& counts) {
  return {.value_ns = ns, .cycle_ns = kCycle, .counts = counts};
}

// Events per step that hardware counters show when all is well: cycles, misses of the first and the last
// level, walks.
Samples well_counted() {
  return {{{Quantity::chaseHuge, 16 * kKiB}, {step(1.25, {5.02, 0.001, 0, 0})}},
          {{Quantity::chaseHuge, 64 * kMiB}, {step(100, {400, 1, 0.9, 0.004})}},
          {{Quantity::uncachedChase, 0}, {step(100, {400, 1, 1.01, 0})}},
          {{Quantity::chaseSmall, kReferenceFootprint}, {step(170, {680, 1, 1, 0.97})}}};
}

Slice& only_slice(Samples& samples, Quantity quantity, uint64_t at) {
  return samples.at({quantity, at}).front();
}

}  // namespace

TEST_CASE("workloads that do what they should raise no doubt") {
  const auto checks = check_counters(well_counted(), 1);
  CHECK(checks.size() == 5);
  CHECK(warnings_of(checks).empty());
  CHECK(summary_of(checks) == "5 of 5 agree");
}

TEST_CASE("without counters nothing is checked, and that is said") {
  Samples samples = well_counted();
  for (auto& [key, slices] : samples) {
    slices.front().counts = kNotCounted;
  }
  CHECK(check_counters(samples, 1).empty());
  CHECK(summary_of({}) == "none");
}

TEST_CASE("an event that is not offered leaves the others") {
  Samples samples = well_counted();
  for (auto& [key, slices] : samples) {
    slices.front().counts[static_cast<size_t>(Event::lastMisses)] = -1;
  }
  CHECK(check_counters(samples, 1).size() == 4);
}

TEST_CASE("a chase that a cache answers puts memory's latency in doubt") {
  Samples samples = well_counted();
  only_slice(samples, Quantity::uncachedChase, 0).counts = {400, 1, 0.42, 0};
  const auto warnings = warnings_of(check_counters(samples, 1));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings.front() ==
        "hardware counters disagree: 0.42 lastLevelMisses a step of a chase over flushed lines, "
        "expected at least 0.90; memory.latency is in doubt");
}

TEST_CASE("a clock that the adds tell wrongly is found out") {
  Samples samples = well_counted();
  only_slice(samples, Quantity::chaseHuge, 16 * kKiB).counts[0] = 7;
  const auto warnings = warnings_of(check_counters(samples, 1));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings.front().find("1.40 counted cycles") != std::string::npos);
}

TEST_CASE("walks are expected of 2 MiB pages only where there are none") {
  Samples samples = well_counted();
  only_slice(samples, Quantity::chaseHuge, 64 * kMiB).counts[3] = 0.8;
  CHECK(warnings_of(check_counters(samples, 1)).size() == 1);
  CHECK(warnings_of(check_counters(samples, 0.5)).empty());
}

TEST_CASE("one slice among three that was disturbed decides nothing") {
  Samples samples = well_counted();
  auto& slices = samples.at({Quantity::uncachedChase, 0});
  slices.insert(slices.end(), {step(100, {400, 1, 1, 0}), step(5, {20, 0, 0, 0})});
  CHECK(warnings_of(check_counters(samples, 1)).empty());
}

TEST_CASE("counts between two looks are per operation, or none") {
  const Counts between = counts_between({100, -1, 5, 7}, {300, 4, -1, 7}, 100);
  CHECK(between == Counts{2, -1, -1, 0});
}

TEST_CASE("a slice has counts where this machine offers them, and none elsewhere") {
  uint64_t value = 1;
  const Slice slice = take_slice(1000000, [&value] {
    for (int i = 0; i < 1000000; ++i) {
      value = value * 3 + 1;
      keep(value);
    }
  });
  const double cycles = slice.counts[static_cast<size_t>(Event::cycles)];
  MESSAGE("cycles a step: ", cycles);
  CHECK((cycles < 0 || cycles >= 1));
}

}  // namespace counter_check_test
