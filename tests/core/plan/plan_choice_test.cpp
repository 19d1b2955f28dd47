#include "presort/core/choice/plan_choice.h"

#include <doctest/doctest.h>

#include <string>

namespace plan_choice_test {

using namespace presort;

namespace {

constexpr CacheSizes kPrivate{uint64_t{2} << 20};

TunedEntry entry_of(const char* distribution, const char* plan, const char* types = "u32+u32",
                    uint64_t m = 1 << 20) {
  TunedEntry entry;
  entry.problem.n = 1 << 26;
  entry.problem.m = m;
  entry.problem.distribution = parse_distribution("", distribution);
  entry.problem.types = parse_types("", types);
  entry.plan = parse_cpu_plan(plan);
  return entry;
}

Problem problem_of(const char* distribution, const char* types = "u32+u32", uint64_t m = 1 << 20) {
  return entry_of(distribution, "sortBits=0", types, m).problem;
}

// Distribution and types of the tuned entry that is chosen for a problem.
std::string taken(const Tuned& tuned, const Problem& problem) {
  const PlanChoice choice = choose_plan(tuned, problem, kPrivate);
  return choice.entry ? to_string(choice.entry->distribution) + " " + to_string(choice.entry->types)
                      : "rule";
}

int rule_bits(const Problem& problem) {
  const CpuPlan plan = plan_by_rule(problem, kPrivate);
  return plan.presort ? plan.presort->sort_bits : 0;
}

}  // namespace

TEST_CASE("the entry of the problem itself is taken exactly") {
  const Tuned tuned{"machine", {}, {}, {entry_of("uniform", "sortBits=9")}};
  const PlanChoice choice = choose_plan(tuned, problem_of("uniform"), kPrivate);
  CHECK(choice.exact());
  CHECK(to_string(choice.plan) == to_string(parse_cpu_plan("sortBits=9")));
  CHECK_FALSE(choose_plan(tuned, problem_of("uniform", "u32+i32"), kPrivate).exact());
  CHECK_FALSE(choose_plan(tuned, problem_of("permutation"), kPrivate).exact());
}

TEST_CASE("the nearest distribution that there is stands in") {
  const Tuned tuned{"machine",
                    {},
                    {},
                    {entry_of("uniform", "sortBits=9"), entry_of("zipf:1", "sortBits=8"),
                     entry_of("clustered:16", "sortBits=7"), entry_of("sorted", "sortBits=0")}};
  CHECK(taken(tuned, problem_of("permutation")) == "uniform u32+u32");
  CHECK(taken(tuned, problem_of("sequential")) == "sorted u32+u32");
  CHECK(taken(tuned, problem_of("zipf:0.4")) == "uniform u32+u32");
  CHECK(taken(tuned, problem_of("zipf:0.6")) == "zipf:1 u32+u32");
  CHECK(taken(tuned, problem_of("zipf:3")) == "zipf:1 u32+u32");
  CHECK(taken(tuned, problem_of("clustered:3")) == "uniform u32+u32");
  CHECK(taken(tuned, problem_of("clustered:5")) == "clustered:16 u32+u32");
  CHECK(taken(tuned, problem_of("clustered:1000")) == "clustered:16 u32+u32");
  CHECK(taken(tuned, problem_of("degenerate")) == "rule");
}

TEST_CASE("types of the same widths stand in before others") {
  const Tuned tuned{
      "machine",
      {},
      {},
      {entry_of("uniform", "sortBits=9", "u64+u32"), entry_of("uniform", "sortBits=8", "u32+f64"),
       entry_of("uniform", "sortBits=7", "u32+i32")}};
  CHECK(taken(tuned, problem_of("uniform", "u32+u32")) == "uniform u32+i32");
  CHECK(taken(tuned, problem_of("uniform", "u32+u64")) == "uniform u32+f64");
  CHECK(taken(tuned, problem_of("uniform", "u64+f64")) == "uniform u64+u32");
}

TEST_CASE("an entry whose plan cannot run the problem is passed over") {
  const Tuned tuned{"machine",
                    {},
                    {},
                    {entry_of("uniform", "threads=2,strategy=privateTables", "u32+u32"),
                     entry_of("uniform", "sortBits=9", "u32+u64")}};
  CHECK(taken(tuned, problem_of("uniform", "u32+u32")) == "uniform u32+u32");
  // another plan for f32: floating-point sums round
  CHECK(taken(tuned, problem_of("uniform", "u32+f32")) == "uniform u32+u64");
  CHECK(taken(tuned, problem_of("uniform", "u32+f32", 1 << 8)) == "rule");
}

TEST_CASE("another operation does not count") {
  const Tuned tuned{"machine", {}, {}, {entry_of("uniform", "sortBits=9")}};
  Problem gather = problem_of("uniform");
  gather.operation = Operation::gather;
  CHECK(taken(tuned, gather) == "rule");
  CHECK(taken(Tuned{}, problem_of("uniform")) == "rule");
}

TEST_CASE("by rule, buckets that outgrow the private caches are prefetched, then pre-sorted") {
  CHECK(to_string(plan_by_rule(problem_of("uniform", "u32+u32", 1 << 19), kPrivate)) ==
        to_string(parse_cpu_plan("sortBits=0,inputDistance=512")));
  CHECK(to_string(plan_by_rule(problem_of("uniform", "u32+u32", 1 << 20), kPrivate)) ==
        to_string(parse_cpu_plan("sortBits=0,prefetchDistance=16")));
  CHECK(rule_bits(problem_of("uniform", "u32+u32", 1 << 22)) == 8);
  CHECK(rule_bits(problem_of("uniform", "u32+u32", 1 << 28)) == 10);
  CHECK(rule_bits(problem_of("uniform", "u32+f64", 1 << 28)) == 11);
  // Pairs of 16 bytes take 2.5 ns more to sort, which 2.6 times as large buckets gain
  for (const char* types : {"u32+u64", "u64+u64"}) {
    CHECK(rule_bits(problem_of("uniform", types, 20 << 17)) == 0);  // 20 MiB
    CHECK(rule_bits(problem_of("uniform", types, 22 << 17)) == 8);
  }
  CHECK(rule_bits(problem_of("uniform", "u64+u32", 20 << 18)) == 0);
  CHECK(rule_bits(problem_of("uniform", "u64+u32", 22 << 18)) == 8);
  Problem counts = problem_of("uniform", "u32+u64", 9 << 17);  // labels alone are sorted
  counts.operation = Operation::histogram;
  CHECK(rule_bits(counts) == 8);
  CHECK(rule_bits(problem_of("zipf:1.25", "u32+u32", 1 << 24)) == 0);
  CHECK(rule_bits(problem_of("zipf:1.25", "u32+u32", 1 << 28)) == 10);
}

TEST_CASE("by rule, labels that stay in place and few inputs are not pre-sorted") {
  for (const char* kind : {"sorted", "sequential", "degenerate", "clustered:16"}) {
    CHECK(rule_bits(problem_of(kind, "u32+u32", 1 << 28)) == 0);
  }
  Problem few = problem_of("uniform", "u32+u32", 1 << 28);
  few.n = 1 << 15;
  CHECK(rule_bits(few) == 0);
}

TEST_CASE("by rule, buckets in half of a small shared cache are not pre-sorted") {
  const auto presorts = [](uint64_t last_level_mib, uint64_t buckets) {
    const CacheSizes caches{uint64_t{1} << 20, last_level_mib << 20};
    const CpuPlan plan = plan_by_rule(problem_of("uniform", "u32+u32", buckets), caches);
    CHECK(plan.base.prefetch_distance == (plan.presort ? 0 : 16));
    return plan.presort.has_value();
  };
  constexpr uint64_t kOfMib = (uint64_t{1} << 20) / sizeof(uint32_t);
  // Half of a cache of up to 96 MiB counts
  CHECK_FALSE(presorts(32, 16 * kOfMib));
  CHECK(presorts(32, 16 * kOfMib + 1));
  CHECK_FALSE(presorts(96, 48 * kOfMib));
  CHECK(presorts(96, 48 * kOfMib + 1));
  // Four times the private cache count without one, beside a smaller one and beside a larger one
  for (const uint64_t last_level_mib : {0U, 2U, 8U, 97U, 480U}) {
    CHECK_FALSE(presorts(last_level_mib, 4 * kOfMib));
    CHECK(presorts(last_level_mib, 4 * kOfMib + 1));
  }
}

TEST_CASE("by rule, fresh scratch counts against what a pre-sort gains beyond the shared cache") {
  const CacheSizes caches{uint64_t{1} << 20, uint64_t{32} << 20};
  const auto presorts = [&](int log2_m, double extra_ns) {
    const Problem problem = problem_of("uniform", "u32+u32", uint64_t{1} << log2_m);
    const auto extra = [&](const CpuPlan& plan) { return plan.presort ? extra_ns : 0; };
    return choose_plan({}, problem, caches, extra).plan.presort.has_value();
  };
  // Buckets of 32 MiB, twice the reach: a gain of 0.72 ns an input
  CHECK(presorts(23, 0.7));
  CHECK_FALSE(presorts(23, 0.8));
  CHECK(presorts(25, 4.0));  // 128 MiB, eight times: 4.3 ns
  CHECK_FALSE(presorts(25, 4.4));
}

TEST_CASE("by rule, parts are chains of chunks, of which the first ones are few of all") {
  const auto chunk_bytes = [](Operation operation, int log2_n, uint64_t m) {
    Problem problem = problem_of("uniform", "u32+u32", m);
    problem.operation = operation;
    problem.n = uint64_t{1} << log2_n;
    return plan_by_rule(problem, kPrivate).presort.value().chunk_bytes;
  };
  for (const Operation operation : {Operation::multireduce, Operation::scatter}) {
    CHECK(chunk_bytes(operation, 26, 1 << 24) == 65536);
    // The first chunks of all parts take 16 of 64 MiB
    CHECK(chunk_bytes(operation, 23, 1 << 24) == 65536);
    CHECK(chunk_bytes(operation, 22, 1 << 24) == 32768);
    CHECK(chunk_bytes(operation, 21, 1 << 24) == 16384);
    CHECK(chunk_bytes(operation, 20, 1 << 24) == 0);
    CHECK(chunk_bytes(operation, 26, 1 << 28) == 65536);
    CHECK(chunk_bytes(operation, 24, 1 << 28) == 32768);  // a pre-sort by 10 bits
  }
  for (const Operation operation : {Operation::gather, Operation::multiscan, Operation::multitag}) {
    CHECK(chunk_bytes(operation, 26, 1 << 24) == 0);
  }
}

TEST_CASE("by rule, every plan can run its problem") {
  for (const Operation operation :
       {Operation::multireduce, Operation::scatter, Operation::gather, Operation::histogram,
        Operation::multiscan, Operation::multitag}) {
    for (int bits = 0; bits <= 32; ++bits) {
      for (const char* kind : {"uniform", "zipf:1", "clustered:16", "sorted", "degenerate"}) {
        Problem problem = problem_of(kind, "u32+u32", uint64_t{1} << bits);
        problem.operation = operation;
        for (const CacheSizes& cache :
             {CacheSizes{1}, CacheSizes{1, uint64_t{32} << 20}, kPrivate,
              CacheSizes{uint64_t{2} << 20, uint64_t{96} << 20}, CacheSizes{uint64_t{1} << 40}}) {
          for (const uint64_t n : {uint64_t{1}, uint64_t{1} << 10, uint64_t{1} << 40}) {
            problem.n = n;
            CHECK_NOTHROW(check_plan(plan_by_rule(problem, cache), problem));
          }
        }
      }
    }
  }
}

}  // namespace plan_choice_test
