#include "presort/probe/load/machine_load.h"

#include <doctest/doctest.h>

#include "presort/probe/load/load_watch.h"

namespace machine_load_test {

using namespace presort::probe;

namespace {

// One second of two processors, in units of processors: `others` for other processes, `own` for
// this one, `stolen` for the hypervisor; the timing thread waits for a part `waited` of it.
struct Second {
  double others = 0;
  double own = 1;
  double stolen = 0;
  double waited = 0;
  double contenders = 0;
};

LoadMoment after(LoadMoment moment, const Second& second) {
  moment.wall_s += 1;
  moment.own_s += second.own;
  moment.processors->busy_s += second.own + second.others;
  moment.processors->stolen_s += second.stolen;
  moment.processors->total_s += 2;
  *moment.waited_s += second.waited;
  moment.pressure->total_s += second.waited;
  moment.contenders = second.contenders;
  return moment;
}

LoadMoment first_moment() {
  return {
      .wall_s = 100,
      .own_s = 5,
      .processors = ProcessorTimes{.processors = 2, .busy_s = 50, .stolen_s = 1, .total_s = 200},
      .waited_s = 3,
      .pressure = Pressure{.recent_part = 0, .total_s = 9},
      .group_pressure = {},
      .contenders = 0};
}

MachineLoad load_of(const Second& second) {
  LoadTotals totals;
  totals.add(first_moment(), after(first_moment(), second));
  return totals.load({});
}

}  // namespace

TEST_CASE("what is busy and not this process is others'") {
  const MachineLoad load = load_of({.others = 0.5, .own = 1, .stolen = 0.1, .waited = 0.2});
  CHECK(load.seconds == doctest::Approx(1));
  CHECK(load.processors == 2);
  CHECK(*load.others == doctest::Approx(0.25));
  CHECK(*load.stolen == doctest::Approx(0.05));
  CHECK(*load.waited == doctest::Approx(0.2));
  CHECK_FALSE(load.pressure.has_value());  // no value: pressure is counted every 2 s only
  CHECK_FALSE(load.group_pressure.has_value());
}

TEST_CASE("pressure is known of some seconds") {
  LoadMoment moment = first_moment();
  LoadTotals totals;
  for (int second = 0; second < 10; ++second) {
    const LoadMoment begin = moment;
    moment = after(begin, {.waited = second < 5 ? 0.6 : 0.0});
    totals.add(begin, moment);
  }
  CHECK(*totals.load({}).pressure == doctest::Approx(0.3));
  CHECK(*totals.load({}).waited == doctest::Approx(0.3));
}

TEST_CASE("stretches add up, whatever lies between them") {
  LoadTotals totals;
  const LoadMoment begin = first_moment();
  const LoadMoment busy = after(begin, {.others = 1});
  totals.add(begin, busy);
  const LoadMoment later = after(after(busy, {.others = 2, .own = 0}), {.others = 2, .own = 0});
  totals.add(later, after(later, {.others = 0}));
  const MachineLoad load = totals.load({});
  CHECK(load.seconds == doctest::Approx(2));
  CHECK(*load.others == doctest::Approx(0.25));
}

TEST_CASE("a tick counted late is made up for by the next stretch") {
  LoadTotals totals;
  const LoadMoment begin = first_moment();
  const LoadMoment middle = after(begin, {.others = -0.1});
  totals.add(begin, middle);
  totals.add(middle, after(middle, {.others = 0.3}));
  CHECK(*totals.load({}).others == doctest::Approx(0.05));
  CHECK(*load_of({.others = -0.1}).others == 0);
}

TEST_CASE("of too short a time nothing is known") {
  LoadMoment end = after(first_moment(), {.others = 1});
  end.wall_s = first_moment().wall_s + 0.05;
  LoadTotals totals;
  totals.add(first_moment(), end);
  const MachineLoad load = totals.load({});
  CHECK_FALSE(load.others.has_value());
  CHECK_FALSE(load.stolen.has_value());
  CHECK_FALSE(load.pressure.has_value());
  CHECK(load.waited.has_value());
  CHECK(load.contenders.has_value());
}

TEST_CASE("what the system hides is not known") {
  LoadTotals totals;
  totals.add({.wall_s = 0}, {.wall_s = 10, .own_s = 9});
  const MachineLoad load = totals.load({.clock_hz = 1e9, .adds_per_cycle = 4});
  CHECK(load.seconds == 10);
  CHECK(load.processors == 0);
  for (const auto& part : {load.others, load.stolen, load.waited, load.pressure,
                           load.group_pressure, load.contenders, load.crowded, load.slowdown}) {
    CHECK_FALSE(part.has_value());
  }
}

TEST_CASE("contenders are the mean over both ends of all stretches") {
  CHECK(*load_of({.contenders = 3}).contenders == doctest::Approx(1.5));
}

TEST_CASE("a core is crowded when it does less than three quarters of its adds") {
  LoadTotals totals;
  for (const double adds_per_cycle : {4.2, 4.0, 3.3, 2.4}) {
    totals.add(CoreState{.cycle_ns = 0.4, .crowding = 1 / adds_per_cycle});
  }
  CHECK(*totals.load({.adds_per_cycle = 4.2}).crowded == doctest::Approx(0.25));
  CHECK(*totals.load({.adds_per_cycle = 4.5}).crowded == doctest::Approx(0.5));
  CHECK_FALSE(totals.load({}).crowded.has_value());
}

TEST_CASE("a clock that is slower than the machine file's") {
  LoadTotals totals;
  for (const double cycle_ns : {0.5, 0.5, 0.5, 9.0}) {
    totals.add(CoreState{.cycle_ns = cycle_ns, .crowding = 0.25});
  }
  CHECK(*totals.load({.clock_hz = 3e9}).slowdown == doctest::Approx(1.5));
  CHECK_FALSE(totals.load({}).slowdown.has_value());
}

TEST_CASE("few looks at the core tell nothing") {
  LoadTotals totals;
  totals.add(CoreState{.cycle_ns = 0.5, .crowding = 1});
  const MachineLoad load = totals.load({.clock_hz = 2e9, .adds_per_cycle = 4});
  CHECK_FALSE(load.crowded.has_value());
  CHECK_FALSE(load.slowdown.has_value());
}

TEST_CASE("a watch looks before, and at both ends of each stretch") {
  int looks = 0;
  LoadMoment moment = first_moment();
  LoadWatch watch([&] {
    ++looks;
    moment = after(moment, {.others = 0.5});
    return moment;
  });
  CHECK(looks == 1);
  CHECK(watch.before().wall_s == doctest::Approx(101));
  int worked = 0;
  watch.during([&] { ++worked; });
  CHECK(worked == 1);
  CHECK(looks == 3);
  CHECK(watch.load({}).seconds == doctest::Approx(1));
  CHECK(*watch.load({}).others == doctest::Approx(0.25));
}

TEST_CASE("a stretch that ends with an exception is left out") {
  LoadMoment moment = first_moment();
  LoadWatch watch([&] { return moment = after(moment, {}); });
  CHECK_THROWS_AS(watch.during([] { throw 1; }), int);
  CHECK(watch.load({}).seconds == 0);
}

TEST_CASE("this machine says something of itself, and never more than all") {
  LoadWatch watch;
  watch.during([] {
    for (int look = 0; look < 3; ++look) {
      core_state();
    }
  });
  const MachineLoad load = watch.load({});
  CHECK(load.seconds > 0);
  for (const auto& part : {load.others, load.stolen, load.waited, load.pressure}) {
    CHECK(part.value_or(0) >= 0);
    CHECK(part.value_or(0) <= 1);
  }
}

}  // namespace machine_load_test
