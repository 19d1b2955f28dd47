#include "presort/fit/pattern_search.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/sim/small_machine.h"

namespace presort::inline v0::fit::pattern_search_test {
namespace {

using doctest::Approx;

const std::function<void(const SearchResult&)> kSilent = [](const SearchResult&) {};

Parameter share(size_t level) {
  return {"share",
          Kind::ratio,
          0.1,
          1,
          [level](const Machine& m) { return m.caches[level].share; },
          [level](Machine& m, double value) { m.caches[level].share = value; },
          {}};
}

Parameter pde() {
  return {"pde",
          Kind::count,
          1,
          100,
          [](const Machine& m) { return static_cast<double>(m.walk.pde_entries); },
          [](Machine& m, double value) { m.walk.pde_entries = static_cast<uint64_t>(value); },
          {}};
}

TEST_CASE("the bottom of a bowl is found within the last step, a count exactly") {
  Machine start = test::small_machine();
  start.walk.pde_entries = 3;
  const auto cost = [](Machine& m) {
    return 1 + std::pow(std::log(m.caches[1].share / 0.3), 2) +
           std::pow(std::log(m.caches[2].share / 0.8), 2) +
           std::pow(static_cast<double>(m.walk.pde_entries) / 20 - 1, 2);
  };
  const SearchResult found = pattern_search(start, {share(1), share(2), pde()}, cost,
                                            {.last_step = 0.01, .least_gain = 1e-6}, kSilent);
  CHECK(found.machine.caches[1].share == Approx(0.3).epsilon(0.02));
  CHECK(found.machine.caches[2].share == Approx(0.8).epsilon(0.02));
  CHECK(found.machine.walk.pde_entries == 20);
}

TEST_CASE("values stay within bounds and choices are all tried") {
  Machine start = test::small_machine();
  Parameter policy{
      "policy",
      Kind::choice,
      0,
      1,
      [](const Machine& m) { return m.caches[1].policy == Replacement::lru ? 0. : 1.; },
      [](Machine& m, double value) {
        m.caches[1].policy = value == 0 ? Replacement::lru : Replacement::random;
      },
      {}};
  const auto cost = [](Machine& m) {
    CHECK(m.caches[2].share >= 0.1);
    CHECK(m.caches[2].share <= 1);
    return m.caches[2].share + (m.caches[1].policy == Replacement::lru ? 1 : 0);
  };
  const SearchResult found = pattern_search(start, {share(2), policy}, cost, {}, kSilent);
  CHECK(found.machine.caches[2].share == Approx(0.1));
  CHECK(found.machine.caches[1].policy == Replacement::random);
}

TEST_CASE("a budget of evaluations is kept, and gains below the least one count as none") {
  int evaluations = 0;
  const auto cost = [&](Machine& m) {
    ++evaluations;
    return 100 + m.caches[2].share;
  };
  const Machine start = test::small_machine();
  pattern_search(start, {share(2)}, cost, {.least_gain = 0, .most_evaluations = 5}, kSilent);
  CHECK(evaluations == 5);
  const SearchResult found = pattern_search(start, {share(2)}, cost, {.least_gain = 10}, kSilent);
  CHECK(found.machine.caches[2].share == 1);
}

}  // namespace
}  // namespace presort::fit::pattern_search_test
