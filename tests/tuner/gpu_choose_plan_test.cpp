// Tests that the plan chosen on a GPU has the least predicted time of all plans that fit.
#include "presort/gpu/plan/choose_plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/io/machine/machine_file.h"

namespace presort::inline v0::gpu::gpu_choose_plan_test {
namespace {

const Gpu& h200() {
  return bundled_gpus().front();
}

constexpr Operation kChoosing[] = {Operation::multireduce, Operation::histogram, Operation::scatter,
                                   Operation::partialSort};
constexpr ScalarType kValues[] = {ScalarType::u32, ScalarType::f32, ScalarType::u64,
                                  ScalarType::f64};

Problem random_problem(std::mt19937_64& random) {
  const auto below = [&](double most) {
    return static_cast<uint64_t>(std::exp2(std::uniform_real_distribution(1.0, most)(random)));
  };
  Problem problem;
  problem.operation = kChoosing[random() % std::size(kChoosing)];
  problem.n = below(31);
  problem.m = below(28);
  problem.types.value = kValues[random() % std::size(kValues)];
  problem.distribution = parse_distribution(
      "dist", std::vector{"uniform", "zipf:0.75", "zipf:1.25", "degenerate"}[random() % 4]);
  return problem;
}

// Every combination of keys that any plan has, whether it fits or not.
std::vector<GpuPlan> all_combinations() {
  std::vector<GpuPlan> all;
  for (const GpuStrategy strategy : {GpuStrategy::sharedSets, GpuStrategy::globalSets}) {
    for (const int sets : {1, 2, 4, 8, 16, 32}) {
      for (const int ranges : {1, 2, 4}) {
        all.push_back(
            {.presort = {}, .strategy = strategy, .range_passes = ranges, .n_sets = sets});
      }
    }
    for (int passes = 1; passes <= 10; ++passes) {
      for (int bits = 1; bits <= 30; ++bits) {
        all.push_back(
            {.presort = GpuPresort{.sort_bits = bits, .passes = passes}, .strategy = strategy});
      }
    }
  }
  return all;
}

TEST_CASE("plans are listed that fit, and all of them but repetitions") {
  std::mt19937_64 random(20261125);
  const DeviceLimits device = limits_of(h200());
  const std::vector<GpuPlan> all = all_combinations();
  for (int round = 0; round < 300; ++round) {
    const Problem problem = random_problem(random);
    CAPTURE(to_string(problem));
    const std::vector<GpuPlan> listed = gpu_plans(problem, device);
    for (const GpuPlan& plan : listed) {
      CAPTURE(to_string(plan));
      CHECK(runs_on(problem, plan, device));
    }
    for (const GpuPlan& plan : all) {
      const bool repeats =
          !plan.presort && plan.strategy == GpuStrategy::sharedSets && plan.range_passes > 1 &&
          ranges_of(plan, problem.m, table_entry_bytes(problem), device) > plan.range_passes;
      const bool is_sort = problem.operation == Operation::partialSort;
      const size_t bytes = table_entry_bytes(problem);
      const bool is_float =
          problem.types.value == ScalarType::f32 || problem.types.value == ScalarType::f64;
      // True for plans that are not listed: sorts with another strategy, which means nothing for
      // a sort, sorts in many passes, and copies of floats that take more ranges than one copy.
      const bool is_left_out =
          (is_sort && plan.presort &&
           (plan.strategy == GpuStrategy::globalSets || plan.presort->passes > 8)) ||
          (!is_sort && is_float && !plan.presort && plan.n_sets > 1 &&
           plan.strategy == GpuStrategy::sharedSets &&
           ranges_of(plan, problem.m, bytes, device) > ranges_of({}, problem.m, bytes, device));
      if (!repeats && !is_left_out && runs_on(problem, plan, device)) {
        CAPTURE(to_string(plan));
        CHECK(std::ranges::count(listed, plan) == 1);
      }
    }
  }
}

TEST_CASE("no plan that fits is predicted faster than the chosen one by more than a tie") {
  std::mt19937_64 random(20261126);
  for (int round = 0; round < 300; ++round) {
    const Problem problem = random_problem(random);
    if (label_bits(problem.m) == 0) {
      continue;
    }
    CAPTURE(to_string(problem));
    const double chosen = plan_time(h200(), problem, choose_plan(h200(), problem)).ns_per_input;
    double least = chosen;
    for (const GpuPlan& plan : gpu_plans(problem, limits_of(h200()))) {
      const PlanTime time = plan_time(h200(), problem, plan);
      CHECK(plan_ns(h200(), problem, LabelFacts(problem), plan) == time.ns_per_input);
      least = std::min(least, time.ns_per_input);
    }
    // Each simpler plan that was preferred in a near tie may cost the width of a tie.
    CHECK(chosen <= least * (1 + kTieOfPlans) * (1 + kTieOfPlans));
  }
}

TEST_CASE("a safe plan loses little, whatever the labels are") {
  std::mt19937_64 random(20261127);
  for (int round = 0; round < 200; ++round) {
    const Problem problem = random_problem(random);
    if (problem.operation == Operation::scatter || label_bits(problem.m) == 0) {
      continue;  // for a scatter, the labels decide whether values move with them
    }
    const GpuPlan safe = choose_safe_plan(h200(), problem);
    CAPTURE(to_string(problem));
    CAPTURE(to_string(safe));
    CHECK(runs_on(problem, safe, limits_of(h200())));
    const bool is_update =
        problem.operation == Operation::multireduce || problem.operation == Operation::histogram;
    // Atomics may take up to twice the time of a pre-sort, where inputs are fewer than buckets, and of
    // tables, where these wait as long as few inputs take.
    constexpr uint64_t kFewInputs = uint64_t{1} << 16;
    const bool is_few = problem.n < problem.m || problem.n < kFewInputs;
    const double most = is_update && is_few ? 2 : 1.6;
    // Many inputs of one label cost atomics nothing, by which other labels would lose several times. A
    // plan that is safe for those takes no longer than uniform labels of the same number.
    Problem judged = problem;
    if (problem.distribution.kind == DistributionKind::degenerate && problem.n > (1 << 20)) {
      judged.distribution.kind = DistributionKind::uniform;
    }
    const double best = plan_time(h200(), judged, choose_plan(h200(), judged)).ns_per_input;
    CHECK(plan_time(h200(), problem, safe).ns_per_input <= most * best);
  }
}

TEST_CASE(
    "for labels that are known the plan is the safe one or one that is clearly faster for them") {
  std::mt19937_64 random(20261128);
  int others = 0;
  for (int round = 0; round < 300; ++round) {
    const Problem problem = random_problem(random);
    if (label_bits(problem.m) == 0) {
      continue;
    }
    CAPTURE(to_string(problem));
    const GpuPlan found = choose_plan_for_labels(h200(), problem);
    if (problem.operation != Operation::multireduce && problem.operation != Operation::histogram) {
      CHECK(found == choose_plan(h200(), problem));
      continue;
    }
    const GpuPlan safe = choose_safe_plan(h200(), problem);
    if (found == safe) {
      continue;
    }
    ++others;
    const double ns = plan_time(h200(), problem, found).ns_per_input;
    const double of_safe = plan_time(h200(), problem, safe).ns_per_input;
    const bool is_spread = problem.distribution.kind == DistributionKind::uniform ||
                           problem.distribution.kind == DistributionKind::permutation;
    CHECK(of_safe > (safe.presort && is_spread ? 1 + kTieOfPlans : 1.5) * ns);
  }
  CHECK(others > 0);
}

TEST_CASE("a pre-sort against skew is left out where labels have none") {
  Problem problem;
  problem.n = uint64_t{1} << 26;
  problem.m = uint64_t{1} << 20;
  problem.types = {ScalarType::u64, ScalarType::f32};
  problem.distribution.kind = DistributionKind::uniform;
  CHECK(choose_safe_plan(h200(), problem).presort);
  CHECK_FALSE(choose_plan_for_labels(h200(), problem).presort);
  problem.distribution.kind = DistributionKind::zipf;
  problem.distribution.parameter = 1.25;
  CHECK(choose_plan_for_labels(h200(), problem).presort);
}

// By hand: the first part's atomic may miss the L2, the others find the sector there; a table has
// an update for each part; a pre-sort moves a label with its parts instead of with one.
double ns_of_parts(const Problem& problem, int parts, const GpuPlan& plan) {
  Problem all = problem;
  all.m *= parts;
  const double ns = plan_time(h200(), all, plan).ns_per_input;
  if (plan.presort) {
    const auto label = static_cast<double>(size_bytes(problem.types.label));
    const auto part = static_cast<double>(size_bytes(problem.types.value));
    return ns * (label + parts * part) / (label + part);
  }
  if (plan.strategy == GpuStrategy::sharedSets) {
    return parts * ns;
  }
  Problem near = all;
  near.m = std::min(all.m, h200().l2_effective_bytes / 2 / size_bytes(problem.types.value));
  return ns + (parts - 1) * plan_time(h200(), near, plan).ns_per_input;
}

TEST_CASE("values in parts have the plan with the least predicted time, or one that is safer") {
  int presorted = 0;
  for (int round = 0; round < 200; ++round) {
    std::mt19937_64 random(20261126 + round);
    Problem problem;
    problem.n = random() % (uint64_t{1} << (10 + random() % 18)) + 1;
    problem.m = random() % (uint64_t{1} << (1 + random() % 24)) + 1;
    problem.types.value = random() % 2 == 0 ? ScalarType::u64 : ScalarType::f64;
    CAPTURE(to_string(problem));
    const GpuPlan chosen = choose_plan_of_parts(h200(), problem, 2, false);
    presorted += chosen.presort ? 1 : 0;
    Problem parts = problem;
    parts.m *= 2;
    CHECK(runs_on(parts, chosen, limits_of(h200())));
    CHECK_NOTHROW(check_gpu_plan(chosen, {problem.n, problem.m, 16}, limits_of(h200())));
    const double ns = ns_of_parts(problem, 2, chosen);
    const bool is_risky = problem.n < std::max(problem.m, kFewestInputsOfLearning);
    // A pre-sort may take up to the root of 2.1 times what atomics take, or must take half of it.
    const double most = chosen.presort ? (is_risky ? 0.5 : std::sqrt(2.1)) : 1;
    for_each_gpu_plan(parts, limits_of(h200()), [&](const GpuPlan& plan) {
      if (!plan.presort || plan.presort->sort_bits <= label_bits(problem.m)) {
        const double other = ns_of_parts(problem, 2, plan);
        const double refused =
            is_risky ? 2 : 1;  // how much faster a pre-sort may be that is not taken
        CHECK(ns <= 1.02 * other * (!plan.presort ? most : chosen.presort ? 1 : refused));
      }
    });
  }
  CHECK(presorted > 0);
}

TEST_CASE("the plans that were measured to be fastest are chosen for values in parts") {
  // 2^26 inputs of uniform labels, u32 + two u64: ns an input of atomics, tables, a pre-sort by 9
  // bits (one H200, 2026-11-27)
  struct Fastest {
    int log2_m;
    bool presorts;
    GpuStrategy strategy;
  };
  for (const Fastest& fastest : {Fastest{14, false, GpuStrategy::sharedSets},    // 0.023, 0.007
                                 Fastest{22, true, GpuStrategy::sharedSets},     // 0.047, 0.024
                                 Fastest{24, true, GpuStrategy::sharedSets}}) {  // 0.065, 0.034
    Problem problem;
    problem.n = uint64_t{1} << 26;
    problem.m = uint64_t{1} << fastest.log2_m;
    problem.types.value = ScalarType::u64;
    const GpuPlan chosen = choose_plan_of_parts(h200(), problem, 2, false);
    CHECK(chosen.presort.has_value() == fastest.presorts);
    CHECK(chosen.strategy == fastest.strategy);
  }
}

TEST_CASE("known labels spare a pre-sort of values in parts where atomics are clearly faster") {
  const GpuPlan atomics = {.presort = {}, .strategy = GpuStrategy::globalSets};
  Problem problem;
  problem.n = uint64_t{1} << 26;
  problem.m = uint64_t{1} << 26;
  problem.types.value = ScalarType::u64;
  CHECK(choose_plan_of_parts(h200(), problem, 2, true).presort);
  // Measured: 0.019 ns an input by atomics, 0.048 by a pre-sort (one H200, 2026-11-27)
  problem.distribution = parse_distribution("dist", "sorted");
  CHECK(choose_plan_of_parts(h200(), problem, 2, true) == atomics);
  CHECK(choose_plan_of_parts(h200(), problem, 2, false).presort);
}

TEST_CASE("fewer inputs than buckets are pre-sorted only where that is far faster than atomics") {
  Problem problem;
  problem.m = uint64_t{1} << 26;
  problem.n = problem.m / 16;
  CHECK_FALSE(choose_safe_plan(h200(), problem).presort);
  problem.n = problem.m / 2;
  CHECK(choose_safe_plan(h200(), problem).presort);
}

TEST_CASE("atomics of many inputs give way to plans that are nearly as fast for uniform labels") {
  constexpr GpuPlan kAtomics = {.presort = {}, .strategy = GpuStrategy::globalSets};
  Gpu of_same_kind = h200();
  of_same_kind.name = "NVIDIA H100 80GB HBM3";
  const Gpu h100 = with_bundled_ceilings(of_same_kind, 3.35e12);
  Problem problem;
  problem.m = uint64_t{1} << 22;
  problem.n = uint64_t{1} << 27;
  // Uniform labels take atomics, by a few percent; skewed ones would take twice as long by them.
  CHECK(choose_plan(h100, problem) == kAtomics);
  CHECK(choose_safe_plan(h100, problem).presort);
  problem.types.value = ScalarType::u64;
  CHECK(choose_safe_plan(h100, problem).presort);  // 32 MiB of buckets fill the L2
  problem.m = uint64_t{1} << 21;  // half of it; a pre-sort moves 36 bytes an input instead of 24
  CHECK(choose_safe_plan(h100, problem) == kAtomics);
  problem.m = uint64_t{1} << 22;
  problem.types.value = ScalarType::u32;
  problem.n = uint64_t{1} << 22;
  CHECK(choose_safe_plan(h100, problem) == kAtomics);
}

TEST_CASE("few inputs into many buckets are updated by atomics, in one launch") {
  for (const int n : {12, 16, 18}) {
    for (const int m : {18, 20, 24}) {
      CAPTURE(n);
      CAPTURE(m);
      Problem problem;
      problem.n = uint64_t{1} << n;
      problem.m = uint64_t{1} << m;
      CHECK(choose_safe_plan(h200(), problem) ==
            GpuPlan{.presort = {}, .strategy = GpuStrategy::globalSets});
    }
  }
}

TEST_CASE("labels in order meet in few sectors, so that atomics take them") {
  Problem problem;
  problem.n = uint64_t{1} << 24;
  problem.m = uint64_t{1} << 24;
  CHECK(choose_plan(h200(), problem).presort);
  for (const char* labels : {"sorted", "sequential"}) {
    problem.distribution = parse_distribution("dist", labels);
    CHECK(choose_plan(h200(), problem) ==
          GpuPlan{.presort = {}, .strategy = GpuStrategy::globalSets});
    // By hand: 32 consecutive inputs access 32 buckets of 4 bytes: four sectors, and one more for
    // alignment.
    CHECK(LabelFacts(problem).sectors_share(4) == doctest::Approx(5.0 / 32));
  }
  problem.m *= 16;
  CHECK(LabelFacts(problem).sectors_share(4) == 1);
}

TEST_CASE("the bundled ceilings are those of the machine file, and scale with another device") {
  const Machine machine = io::read_machine(std::string(PRESORT_SOURCE_DIR) +
                                           "/configs/machines/emerald-rapids-host.yaml");
  REQUIRE(machine.gpu);
  CHECK(h200() == *machine.gpu);
  CHECK(with_bundled_ceilings(h200(), 1) == h200());
  Gpu half = h200();
  half.name = "another";
  half.multiprocessors /= 2;
  const Gpu scaled = with_bundled_ceilings(half, 2.4e12);
  CHECK(scaled.name == "another");
  CHECK(scaled.read_bandwidth == doctest::Approx(h200().read_bandwidth / 2));
  CHECK(scaled.shared_atomics == doctest::Approx(h200().shared_atomics / 2));
  CHECK(scaled.l2_effective_bytes == h200().l2_effective_bytes);
}

TEST_CASE("an operation that a GPU does not have is refused") {
  Problem problem;
  problem.n = 1000;
  problem.m = 10;
  problem.types.label = ScalarType::u16;
  CHECK_THROWS_AS(choose_plan(h200(), problem), PlanError);
  CHECK_THROWS_AS(choose_safe_plan(h200(), problem), PlanError);
}

TEST_CASE("a sort is by all bits, in passes that a GPU has") {
  for (const uint64_t m : {uint64_t{2}, uint64_t{1000}, uint64_t{1} << 11, uint64_t{1} << 32}) {
    Problem sort{
        .operation = Operation::partialSort, .n = 1000, .m = m, .distribution = {}, .types = {}};
    sort.types.label = ScalarType::u64;
    const DeviceLimits device = limits_of(h200());
    GpuPlan plan = choose_plan(h200(), sort);
    CAPTURE(to_string(plan));
    CHECK_NOTHROW(check_gpu_problem(sort, plan, device));
    plan.presort->sort_bits += 1;
    CHECK_FALSE(runs_on(sort, plan, device));
    CHECK_FALSE(runs_on(sort, parse_gpu_plan("strategy=sharedSets"), device));
  }
  Problem half{
      .operation = Operation::partialSort, .n = 1000, .m = 1000, .distribution = {}, .types = {}};
  CHECK_THROWS_WITH_AS(check_gpu_problem(half, parse_gpu_plan("sortBits=9"), limits_of(h200())),
                       "sortBits: found 9, accepted: 10: a partialSort into m=1000 parts is by all "
                       "of their bits",
                       PlanError);
}

}  // namespace
}  // namespace presort::gpu::gpu_choose_plan_test
