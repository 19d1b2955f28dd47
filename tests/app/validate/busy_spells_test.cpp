#include "presort/app/validate/busy_spells.h"

#include <doctest/doctest.h>

#include <vector>

#include "presort/core/base/stop.h"

namespace busy_spells_test {

using namespace presort;
using namespace presort::app;

namespace {

// The load at second `at` on two processors: this process has used `own` seconds, all processes
// together `busy`.
probe::LoadMoment moment(double at, double own, double busy, double stolen = 0) {
  return {.wall_s = at,
          .own_s = own,
          .processors = probe::ProcessorTimes{
              .processors = 2, .busy_s = busy, .stolen_s = stolen, .total_s = 2 * at}};
}

// A clock that advances only by sleeping; another program keeps a processor busy until `quiet_at`.
struct World {
  double now_s = 0;
  double quiet_at_s = 0;
  probe::LoadMoment moment_now() const {
    return moment(now_s, 0, now_s < quiet_at_s ? now_s : quiet_at_s);
  }
};

}  // namespace

TEST_CASE("what others used is what the processors did less what this process used") {
  CHECK(*processors_of_others(moment(0, 0, 0), moment(2, 2, 4)) == doctest::Approx(1));
  CHECK(*processors_of_others(moment(0, 0, 0), moment(2, 2, 2.02)) == doctest::Approx(0.01));
  // Busy time may lag behind this process' own by a clock tick
  CHECK(*processors_of_others(moment(1, 1, 1), moment(2, 2, 1.99)) == 0);
  CHECK(*processors_of_others(moment(0, 0, 0, 0), moment(1, 1, 1, 0.5)) == doctest::Approx(0.5));
  CHECK_FALSE(processors_of_others({.wall_s = 0}, {.wall_s = 1}));
  CHECK_FALSE(processors_of_others(moment(1, 0, 0), moment(1, 0, 0)));
}

TEST_CASE("one fully busy program disturbs, on two processors and on 16; daemons do not") {
  for (const int processors : {1, 2, 4, 16}) {
    CHECK(disturbs(1.0, processors));
    CHECK_FALSE(disturbs(0.05, processors));
  }
  CHECK_FALSE(disturbs(1.0, 64));
  CHECK(disturbs(4.0, 64));
}

TEST_CASE("a wait ends with the other program, or with its time, and never begins without any") {
  const auto waited = [](double most_s, double quiet_at_s) {
    World world{.quiet_at_s = quiet_at_s};
    QuietWait wait(
        most_s, [&] { return world.moment_now(); }, [&](double s) { world.now_s += s; });
    wait.wait(StopToken{});
    return std::pair{world.now_s, wait.ran_out()};
  };
  CHECK(waited(0, 100) == std::pair{0.0, false});
  CHECK(waited(60, 0) == std::pair{kShortestSpell_s, false});
  const auto [until_quiet, in_vain] = waited(60, 10);
  CHECK(until_quiet >= 10);
  CHECK(until_quiet <= 10 + 2 * kShortestSpell_s);
  CHECK_FALSE(in_vain);
  CHECK(waited(5, 10) == std::pair{5.0, true});
}

}  // namespace busy_spells_test
