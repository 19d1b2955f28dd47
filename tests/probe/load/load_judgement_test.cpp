#include "presort/probe/load/load_judgement.h"

#include <doctest/doctest.h>

namespace load_judgement_test {

using namespace presort::probe;

namespace {

MachineLoad two_processors(double others) {
  return {.seconds = 10, .processors = 2, .others = others, .stolen = 0.0};
}

Busyness busyness_of(const MachineLoad& load, int threads = 1) {
  return judge_load(load, threads).busyness;
}

}  // namespace

TEST_CASE("a machine of which nothing is known, or nothing bad, is quiet") {
  CHECK(busyness_of({}) == Busyness::quiet);
  CHECK(judge_load({}, 1).reasons.empty());
  CHECK(busyness_of(two_processors(0.03)) == Busyness::quiet);
  CHECK(reasons_text(judge_load(two_processors(0.03), 1)).empty());
}

TEST_CASE("one of two processors busy is shared for one thread and too busy for two") {
  CHECK(busyness_of(two_processors(0.5)) == Busyness::shared);
  CHECK(busyness_of(two_processors(0.5), 2) == Busyness::tooBusy);
}

TEST_CASE("what was measured beside no busy loop, one and two is judged by what it did to times") {
  const auto beside = [](double others, double waited) {
    MachineLoad load = two_processors(others);
    load.waited = waited;
    return busyness_of(load);
  };
  CHECK(beside(0.05, 0.03) == Busyness::quiet);
  CHECK(beside(0.12, 0.05) == Busyness::shared);
  CHECK(beside(0.57, 0.18) == Busyness::shared);  // medians of times were as on an idle machine
  CHECK(beside(0.57, 0.17) == Busyness::shared);
  CHECK(beside(0.77, 0.57) == Busyness::tooBusy);  // medians of times were twice as long
  CHECK(beside(0.75, 0.49) == Busyness::tooBusy);
}

TEST_CASE("both of two processors busy are too busy for anything") {
  const LoadJudgement judgement = judge_load(two_processors(0.96), 1);
  CHECK(judgement.busyness == Busyness::tooBusy);
  CHECK(reasons_text(judgement) == "other processes used 96 % of the 2 processors");
}

TEST_CASE("of many processors one thread needs one") {
  MachineLoad load = two_processors(0.5);
  load.processors = 16;
  CHECK(busyness_of(load) == Busyness::shared);
  CHECK(busyness_of(load, 8) == Busyness::shared);
  CHECK(busyness_of(load, 12) == Busyness::tooBusy);
  load.others = 1.0 / 16;
  CHECK(busyness_of(load) == Busyness::quiet);
}

TEST_CASE("more threads than processors are not others' fault") {
  CHECK(busyness_of(two_processors(0.03), 64) == Busyness::quiet);
  CHECK(busyness_of(two_processors(0.2), 64) == Busyness::shared);
}

TEST_CASE("each sign alone makes a machine shared, and too busy when it is strong") {
  struct Row {
    std::optional<double> MachineLoad::*part;
    double quiet;
    double shared;
    double too_busy;
    const char* word;
  };
  const Row rows[] = {
      {&MachineLoad::waited, 0.03, 0.18, 0.5, "the timing thread waited for a processor 50 %"},
      {&MachineLoad::stolen, 0.01, 0.05, 0.3, "the hypervisor took 30 %"},
      {&MachineLoad::crowded, 0.05, 0.3, 0.9, "something shared the core in 90 % of the looks"},
      {&MachineLoad::slowdown, 1.05, 1.2, 2.0, "the core's clock was 2.0 times slower"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.word);
    MachineLoad load;
    load.*row.part = row.quiet;
    CHECK(busyness_of(load) == Busyness::quiet);
    load.*row.part = row.shared;
    CHECK(busyness_of(load) == Busyness::shared);
    load.*row.part = row.too_busy;
    const LoadJudgement judgement = judge_load(load, 1);
    CHECK(judgement.busyness == Busyness::tooBusy);
    REQUIRE(judgement.reasons.size() == 1);
    CHECK(judgement.reasons[0].find(row.word) == 0);
  }
}

TEST_CASE("waiting somewhere in the system says that it is shared, not more") {
  for (const auto part :
       {&MachineLoad::pressure, &MachineLoad::group_pressure, &MachineLoad::contenders}) {
    MachineLoad load;
    load.*part = 0.05;
    CHECK(busyness_of(load) == Busyness::quiet);
    load.*part = 1;
    CHECK(busyness_of(load) == Busyness::shared);
  }
}

TEST_CASE("the gravest reason comes first") {
  MachineLoad load = two_processors(0.3);
  load.waited = 0.4;
  const LoadJudgement judgement = judge_load(load, 1);
  REQUIRE(judgement.reasons.size() == 2);
  CHECK(judgement.reasons[0].find("the timing thread waited") == 0);
  CHECK(reasons_text(judgement) ==
        "the timing thread waited for a processor 40 % of the time; other processes used 30 % of "
        "the 2 processors");
}

TEST_CASE("a busy machine is told before anything is timed") {
  LoadMoment moment;
  CHECK(busy_before(moment).empty());
  moment.contenders = 2.25;
  CHECK(busy_before(moment) ==
        "2.3 threads of other processes were ready to run for each processor");
  moment.pressure = Pressure{.recent_part = 0.54, .total_s = 1};
  CHECK(busy_before(moment) == "threads waited for a processor 54 % of the last 10 s");
  moment.pressure = Pressure{.recent_part = 0.01, .total_s = 1};
  moment.contenders = 0.1;
  CHECK(busy_before(moment).empty());
}

}  // namespace load_judgement_test
