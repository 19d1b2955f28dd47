// Sampled slices find a last cache level that earlier inputs have filled, so that it evicts buckets:
// compares a sample of the inputs with a simulation of all.
#include <doctest/doctest.h>

#include <cmath>

#include "presort/core/labels/labels.h"
#include "presort/predict/predictor.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::full_last_level_test {
namespace {

// A machine with a last level of 32768 lines, which replaces at random and takes what the second level
// evicts. The buckets below are 8192 lines, the inputs of a problem 131072 or more.
Machine machine(Fill fill) {
  Machine machine = test::small_machine();
  CacheLevel last = test::small_level("L3", 4096, 8, 40, 32);
  last.policy = parse_replacement("policy", "random");
  last.hashed = true;
  last.fill = fill;
  machine.caches.back() = last;
  return machine;
}

double ns_per_input(Fill fill, const char* types, const char* labels,
                    const SimulationOptions& options, const char* plan = "sortBits=0",
                    uint64_t m = uint64_t{1} << 17, uint64_t n = (uint64_t{1} << 20) + 77) {
  Problem problem;
  problem.n = n;
  problem.m = m;
  problem.types = parse_types("types", types);
  problem.distribution = parse_distribution("labels", labels);
  return Predictor(machine(fill), options)
      .predict(problem, parse_cpu_plan(plan),
               make_labels(problem.distribution, problem.n, problem.m, 5))
      .ns_per_input;
}

TEST_CASE("a sampled direct loop evicts as many buckets as one on all inputs") {
  for (const Fill fill : {Fill::onEvict, Fill::onMiss}) {
    for (const char* types : {"u32+u32", "u64+u32"}) {
      for (const char* labels : {"uniform", "zipf:0.5"}) {
        CAPTURE(types);
        CAPTURE(labels);
        const double all = ns_per_input(fill, types, labels, {.full = true});
        const double some =
            ns_per_input(fill, types, labels, {.ci95_relative = 0.01, .replayed_inputs = 1 << 16});
        CAPTURE(all);
        CAPTURE(some);
        CHECK(std::abs(some / all - 1) < 0.03);
      }
    }
  }
}

// Buckets of 36864 to 131072 lines: few lines come into the last level, so it forgets slowly what it
// held before the first inputs that warm it: 0.6 % too fast where it begins empty.
TEST_CASE("a sampled direct loop finds a random last level in its lasting state") {
  for (const Fill fill : {Fill::onEvict, Fill::onMiss}) {
    for (const uint64_t m : {uint64_t{9} << 16, uint64_t{1} << 20, uint64_t{1} << 21}) {
      CAPTURE(m);
      const double all =
          ns_per_input(fill, "u32+u32", "uniform", {.full = true}, "sortBits=0", m, 4 << 20);
      const double some = ns_per_input(fill, "u32+u32", "uniform",
                                       {.ci95_relative = 0.005, .replayed_inputs = 1 << 16},
                                       "sortBits=0", m, 4 << 20);
      CAPTURE(all);
      CAPTURE(some);
      CHECK(std::abs(some / all - 1) < 0.004);
    }
  }
}

// Buckets of 18750 lines and 45000 lines of inputs: a whole run that begins with an empty last level
// evicts none of its buckets at first, and is 7 % faster.
TEST_CASE("a whole run begins with a last level that holds other data") {
  const uint64_t m = 300000;
  const uint64_t n = 360000;
  const auto ns = [&](const SimulationOptions& options) {
    return ns_per_input(Fill::onEvict, "u32+u32", "uniform", options, "sortBits=0", m, n);
  };
  const double all = ns({.full = true});
  const double some = ns({.ci95_relative = 0.005, .replayed_inputs = 1 << 16});
  const double cold = ns({.full = true, .cold = true});
  CAPTURE(all);
  CAPTURE(some);
  CAPTURE(cold);
  CHECK(std::abs(some / all - 1) < 0.015);
  CHECK(cold < 0.96 * all);
}

// Labels in order over buckets that the last level does not hold: what it evicts is dirty in the share
// that buckets have of all lines.
TEST_CASE(
    "sampled loops and passes on labels in order find a last level as earlier inputs left it") {
  const char* plain = "sortBits=2,strategy=plainRadix";
  for (const Fill fill : {Fill::onEvict, Fill::onMiss}) {
    for (const char* labels : {"sorted", "sequential"}) {
      for (const char* plan : {"sortBits=0", plain, "sortBits=4,streaming=false"}) {
        CAPTURE(labels);
        CAPTURE(plan);
        const uint64_t m = uint64_t{1} << 21;
        const double all = ns_per_input(fill, "u64+u64", labels, {.full = true}, plan, m);
        const double some = ns_per_input(
            fill, "u64+u64", labels, {.ci95_relative = 0.01, .replayed_inputs = 1 << 16}, plan, m);
        CAPTURE(all);
        CAPTURE(some);
        CHECK(std::abs(some / all - 1) < 0.015);
      }
    }
  }
}

}  // namespace
}  // namespace presort::predict::full_last_level_test
