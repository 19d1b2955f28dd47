#include "presort/app/measure/tuning.h"

#include <doctest/doctest.h>

#include <limits>

namespace tuning_test {

using namespace presort;
using namespace presort::app;

namespace {

Problem with(uint64_t m) {
  Problem problem;
  problem.n = 1 << 20;
  problem.m = m;
  return problem;
}

struct Ratio {
  uint64_t m;
  double direct_over_presorted;
};

std::string line(const std::vector<Ratio>& ratios) {
  std::vector<ProblemTimes> times;
  for (const auto& [m, ratio] : ratios) {
    times.push_back({with(m), {.direct = ratio, .presorted = 1}});
  }
  return crossover_line(times, with(ratios.front().m));
}

}  // namespace

TEST_CASE("a crossover holds for all larger m of the list") {
  CHECK(line({{1 << 18, 0.5}, {1 << 20, 1.1}, {1 << 22, 2}}) == "crossover: m = 2^20");
  CHECK(line({{1 << 22, 2}, {1 << 20, 1.1}, {1 << 18, 0.5}}) == "crossover: m = 2^20");
  CHECK(line({{1 << 18, 2}, {1 << 20, 1}, {1 << 22, 2}}) == "crossover: m = 2^22");
}

TEST_CASE("wins that do not hold up to the largest m are named") {
  CHECK(line({{1 << 20, 1}, {1 << 22, 2}, {1 << 24, 2}, {1 << 26, 1.04}}) ==
        "crossover: none; pre-sorting pays at m = 2^22, 2^24 alone");
  CHECK(line({{1 << 20, 2}, {1 << 22, 1}}) ==
        "crossover: none; pre-sorting pays at m = 2^20 alone");
  CHECK(line({{1 << 20, 1}, {1 << 22, 0.5}}) == "crossover: none up to m = 2^22");
}

TEST_CASE("a single m has no crossover") {
  CHECK(line({{1 << 24, 2}}) == "pre-sorting pays at m = 2^24");
  CHECK(line({{1 << 24, 1.04}}) == "pre-sorting does not pay at m = 2^24");
  CHECK(line({{1 << 24, 2}, {1 << 24, 1}}) == "pre-sorting does not pay at m = 2^24");
  const double none = std::numeric_limits<double>::infinity();
  CHECK(crossover_line({{with(1), {.direct = 1, .presorted = none}}}, with(1)) ==
        "pre-sorting does not pay at m = 1");
}

TEST_CASE("only problems that differ in m alone belong to a crossover") {
  Problem other = with(1 << 22);
  other.n = 1 << 10;
  const std::vector<ProblemTimes> times = {{with(1 << 20), {.direct = 2, .presorted = 1}},
                                           {other, {.direct = 1, .presorted = 2}}};
  CHECK(crossover_line(times, with(1 << 20)) == "pre-sorting pays at m = 2^20");
}

}  // namespace tuning_test
