// A small simulated machine, and problems for it.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "presort/predict/predictor.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::on_laptop {

using presort::test::small_level;
using presort::test::small_tlb;

// A small machine like a laptop of 2015, with caches of 32 KiB, 256 KiB and 1 MiB.
inline Machine laptop() {
  Machine machine = presort::test::small_machine();
  machine.name = "shrunk";
  machine.clock_hz = 2.5e9;
  machine.window = {192, 40};
  machine.caches = {small_level("L1d", 64, 8, 4, 10), small_level("L2", 512, 8, 14, 16),
                    small_level("L3", 1024, 16, 45, 32)};
  machine.prefetchers = {{"L1d", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 20}};
  machine.tlb = {small_tlb("L1dTLB", {4096, 2 << 20}, 64, 4, 0),
                 small_tlb("STLB", {4096, 2 << 20}, 1024, 8, 7)};
  machine.walk.walkers = 2;
  machine.walk.pde_entries = 32;
  machine.frames = Frames::random;
  machine.memory.latency_ns = 90;
  machine.memory.row_hit_ns = -15;
  machine.memory.channels = 2;
  machine.memory.banks = 16;
  machine.memory.bandwidth = 20e9;
  machine.memory.per_core_bandwidth = 12e9;
  return machine;
}

inline Problem problem(uint64_t n, uint64_t m, const std::string& distribution = "uniform",
                       uint64_t seed = 1) {
  Problem result;
  result.n = n;
  result.m = m;
  result.distribution = parse_distribution("dist", distribution);
  result.seed = seed;
  return result;
}

inline Prediction predict(const Machine& on, const Problem& what, const std::string& plan,
                          const SimulationOptions& options = {}) {
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  return Predictor(on, options).predict(what, parse_cpu_plan(plan), labels);
}

// Sum of the terms of a stack, ns, none of which may be negative.
inline double sum_of(const TimeStack& stack) {
  double sum = 0;
  for (const auto& [name, ns] : stack) {
    CHECK(ns >= 0);
    sum += ns;
  }
  return sum;
}

// A problem of any operation.
inline Problem problem_of(Operation operation, uint64_t n, uint64_t m,
                          const char* labels = "uniform") {
  Problem what = problem(n, m, labels);
  what.operation = operation;
  return what;
}

}  // namespace presort::predict::on_laptop
