// Tests the ways in which devices share a problem: which fit, by going through all buckets, and
// which is chosen, by going through all ways.
#include "presort/gpu/plan/devices/shared_plans.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "presort/core/error.h"
#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/choose_plan.h"

namespace presort::inline v0::gpu::shared_plans_test {
namespace {

const Gpu& h200() {
  return bundled_gpus().front();
}

Problem problem_of(Operation operation, uint64_t n, uint64_t m) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  problem.types = {ScalarType::u32, ScalarType::u32};
  return problem;
}

// Bits of the labels below m, counted one by one.
int bits_below(uint64_t m) {
  int bits = 0;
  while ((uint64_t{1} << bits) < m) {
    ++bits;
  }
  return bits;
}

// True if no part of a pre-sort by `sort_bits` has buckets of two owners.
bool parts_have_one_owner(uint64_t m, int sort_bits, uint64_t devices) {
  const int shift = bits_below(m) - sort_bits;
  if (shift < 0) {
    return false;
  }
  const uint64_t range = (m + devices - 1) / devices;
  for (uint64_t bucket = 1; bucket < m; ++bucket) {
    const bool same_part = bucket >> shift == (bucket - 1) >> shift;
    const bool same_owner = bucket / range == (bucket - 1) / range;
    if (same_part && !same_owner) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("rounds fit where each part of the pre-sort has one owner") {
  int fitting = 0;
  for (const uint64_t m : {1u, 2u, 3u, 7u, 8u, 12u, 64u, 96u, 100u, 255u, 256u, 257u}) {
    for (int bits = 1; bits <= 8; ++bits) {
      for (int devices = 1; devices <= 9; ++devices) {
        CAPTURE(m);
        CAPTURE(bits);
        CAPTURE(devices);
        const GpuPlan plan = {.presort = GpuPresort{.sort_bits = bits, .passes = 1}};
        const bool fits = parts_have_one_owner(m, bits, static_cast<uint64_t>(devices));
        CHECK(rounds_fit_evenly(plan, m, devices) == fits);
        fitting += fits ? 1 : 0;
      }
    }
  }
  CHECK(fitting > 50);
  CHECK_FALSE(rounds_fit_evenly(GpuPlan{.presort = {}}, 256, 2));
  CHECK_FALSE(rounds_fit_evenly(
      {.presort = GpuPresort{.sort_bits = 4, .passes = 1}, .strategy = GpuStrategy::globalSets},
      256, 2));
}

TEST_CASE("the way that is chosen is the fastest, rounds only where they are clearly so") {
  std::mt19937_64 random(11);
  constexpr Operation kOperations[] = {Operation::multireduce, Operation::multireduceInOrder,
                                       Operation::histogram, Operation::scatter, Operation::gather};
  int seen[3] = {};
  for (int i = 0; i < 300; ++i) {
    const Operation operation = kOperations[random() % 5];
    const uint64_t n = (uint64_t{1} << (10 + random() % 20)) + random() % 5;
    const uint64_t m = std::max<uint64_t>((uint64_t{1} << (random() % 29)) - random() % 2, 1);
    const DeviceLink link = {.bandwidth = std::exp2(30 + static_cast<double>(random() % 10)),
                             .latency_ns = 7000};
    const int devices = 2 + static_cast<int>(random() % 15);
    const auto plans = shared_plans(h200(), link, problem_of(operation, n, m), devices);
    const SharedPlan& best = best_shared_plan(plans);
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(devices);
    constexpr double kTie = 1.01;  // a simpler plan is chosen within 1 %
    for (const SharedPlan& other : plans) {
      const double clear = other.scheme == DeviceScheme::rounds ? kClearGain : 1;
      CHECK(best.ns <= other.ns * clear * kTie);
    }
    ++seen[static_cast<int>(best.scheme)];
  }
  CHECK(seen[static_cast<int>(DeviceScheme::tables)] > 30);
  CHECK(seen[static_cast<int>(DeviceScheme::rounds)] > 0);
  CHECK(seen[static_cast<int>(DeviceScheme::inputs)] > 30);
}

TEST_CASE("times are those of scheme_ns, for a device's inputs and an owner's buckets") {
  std::mt19937_64 random(12);
  for (int i = 0; i < 100; ++i) {
    const uint64_t n = 1 + random() % (uint64_t{1} << 28);
    const uint64_t m = 1 + random() % (uint64_t{1} << 26);
    const uint64_t devices = 2 + random() % 7;
    const Problem problem = problem_of(Operation::multireduce, n, m);
    DevicesProblem shared;
    shared.problem = problem_of(Operation::multireduce, (n + devices - 1) / devices, m);
    shared.devices = static_cast<int>(devices);
    shared.plan_of_owner =
        choose_plan(h200(), problem_of(Operation::multireduce, (n + devices - 1) / devices,
                                       (m + devices - 1) / devices));
    shared.fits_rounds = true;
    for (const SharedPlan& one : shared_plans(h200(), kBundledLink, problem, shared.devices)) {
      shared.plan = one.plan;
      CHECK(one.ns == scheme_ns(h200(), kBundledLink, shared, one.scheme));
      CHECK((one.scheme != DeviceScheme::inputs || one.plan == shared.plan_of_owner));
      CHECK((one.scheme != DeviceScheme::rounds || rounds_fit_evenly(one.plan, m, shared.devices)));
    }
  }
}

TEST_CASE("rounds need an operator that commutes, and calls take plans of some schemes") {
  for (const Operation operation :
       {Operation::multireduceInOrder, Operation::scatter, Operation::gather}) {
    const auto plans =
        shared_plans(h200(), kBundledLink, problem_of(operation, 1 << 26, 1 << 24), 2);
    CHECK(best_of_scheme(plans, DeviceScheme::rounds) == nullptr);
    CHECK(best_of_scheme(plans, DeviceScheme::tables) != nullptr);
  }
  CHECK(call_takes_plan(Operation::multireduce, DeviceScheme::rounds));
  CHECK_FALSE(call_takes_plan(Operation::multireduce, DeviceScheme::inputs));
  CHECK_FALSE(call_takes_plan(Operation::scatter, DeviceScheme::tables));
  CHECK_FALSE(call_takes_plan(Operation::gather, DeviceScheme::tables));
}

TEST_CASE("an operation or labels that several devices do not share are refused by name") {
  const auto refusal = [](const Problem& problem) -> std::string {
    try {
      check_shared_problem(problem);
    } catch (const PlanError& error) {
      return error.what();
    }
    return "";
  };
  Problem problem = problem_of(Operation::multiscan, 1024, 16);
  CHECK(refusal(problem).find("op: found 'multiscan', accepted: multireduce, ") == 0);
  problem.operation = Operation::histogram;
  CHECK(refusal(problem).empty());
  problem.types.label = ScalarType::u16;
  CHECK(refusal(problem) == "type: found 'u16' for labels, accepted: u32, u64 on several devices");
}

}  // namespace presort::gpu::shared_plans_test
