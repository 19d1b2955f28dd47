#include "presort/app/validate/quiet_runs.h"

#include <doctest/doctest.h>

namespace quiet_runs_test {

using namespace presort::app;

namespace {

TimedRun run(double crowding_before, double crowding_after, long preemptions = 0) {
  return {.value_ns = 1,
          .cycle_ns = 0.3,
          .crowding_before = crowding_before,
          .crowding_after = crowding_after,
          .preemptions = preemptions};
}

constexpr double kLevel = 0.25;

}  // namespace

TEST_CASE("quiet runs are kept in their order, and no more than asked for") {
  const std::vector<TimedRun> runs = {run(0.5, 0.25), run(0.25, 0.26), run(0.25, 0.25),
                                      run(0.25, 0.5), run(0.25, 0.25)};
  CHECK(count_quiet(runs, kLevel) == 3);
  CHECK(runs_to_keep(runs, kLevel, 2) == std::vector<size_t>{1, 2});
  CHECK(runs_to_keep(runs, kLevel, 3) == std::vector<size_t>{1, 2, 4});
}

TEST_CASE("where quiet runs do not suffice the least crowded follow, preempted ones last") {
  const std::vector<TimedRun> runs = {run(0.25, 0.25, 1), run(0.5, 0.5), run(0.25, 0.4),
                                      run(0.25, 0.25)};
  CHECK(runs_to_keep(runs, kLevel, 2) == std::vector<size_t>{2, 3});
  CHECK(runs_to_keep(runs, kLevel, 3) == std::vector<size_t>{1, 2, 3});
  CHECK(runs_to_keep(runs, kLevel, 4) == std::vector<size_t>{0, 1, 2, 3});
  CHECK(runs_to_keep(runs, kLevel, 9).size() == 4);
  CHECK(runs_to_keep({}, kLevel, 2).empty());
}

TEST_CASE("a long run may be preempted now and then") {
  const TimedRun preempted = run(0.25, 0.25, 2);
  CHECK(without_harmless_preemptions(preempted, 2 * kHarmlessPreemptionNs).preemptions == 0);
  CHECK(without_harmless_preemptions(preempted, 1.9 * kHarmlessPreemptionNs).preemptions == 2);
}

TEST_CASE("the quiet level is that of the core alone, however rarely it was") {
  std::vector<TimedRun> runs(90, run(0.5, 0.5));
  runs.insert(runs.end(), 10, run(0.25, 0.25));
  CHECK(quiet_level(runs) == doctest::Approx(0.25));
}

TEST_CASE("runs on a core that is always shared are not quiet, however alike they are") {
  std::vector<TimedRun> runs(10);
  for (TimedRun& run : runs) {
    // 2.4 adds per cycle instead of 4.2: a busy sibling
    run.crowding_before = run.crowding_after = 1 / 2.4;
  }
  CHECK(count_quiet(runs, quiet_level(runs)) == 10);
  CHECK(count_quiet(runs, quiet_level(runs, {.adds_per_cycle = 4.2})) == 0);
  CHECK(count_quiet(runs, quiet_level(runs, {.adds_per_cycle = 2.5})) == 10);
  for (TimedRun& run : runs) {
    run.crowding_before = run.crowding_after = 1 / 3.9;  // 3.9 adds per cycle: a little below 4.2
  }
  CHECK(count_quiet(runs, quiet_level(runs, {.adds_per_cycle = 4.2})) == 10);
}

}  // namespace quiet_runs_test
