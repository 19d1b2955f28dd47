// For every plan and operation, a run gives its team exactly as many rounds as team_rounds() says:
// the rounds are counted by a team whose threads are the caller's.
#include "presort/cpu/plan/team_rounds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/runner/typed_operation.h"

namespace presort::inline v0::team_rounds_test {
namespace {

constexpr size_t kBuckets = 200;

// Runs a plan on n inputs; returns the number of rounds that the team was given.
uint64_t counted_rounds(const Problem& problem, const CpuPlan& plan) {
  uint64_t rounds = 0;
  cpu::ThreadTeam team(static_cast<size_t>(plan.resources.threads),
                       [&](size_t count, const std::function<void(size_t)>& work) {
                         ++rounds;
                         for (size_t t = 0; t < count; ++t) {
                           work(t);
                         }
                       });
  std::vector<uint32_t> labels(problem.n);
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<uint32_t>(i * 7919 % problem.m);
  }
  const std::vector<uint32_t> values(problem.n, 1);
  std::vector<uint32_t> offsets(problem.m + 1, static_cast<uint32_t>(problem.n));
  std::iota(offsets.begin(), offsets.end() - 1, 0U);
  std::vector<uint32_t> buckets(problem.m);
  std::vector<uint32_t> results(std::max<size_t>(problem.n, problem.m));
  std::vector<uint32_t> sorted(problem.n);
  const uint64_t parts =
      plan.presort ? uint64_t{1} << plan.presort->sort_bits : uint64_t{1} << label_bits(problem.m);
  std::vector<size_t> starts(parts + 1);
  const uint64_t result_count =
      problem.operation == Operation::segmentedReduce ? problem.m : problem.n;
  const cpu::OperationArrays<uint32_t, uint32_t> arrays{
      labels,
      values,
      offsets,
      std::span(results).first(has_results(problem.operation) ||
                                       problem.operation == Operation::partialSort ||
                                       is_segmented(problem.operation)
                                   ? result_count
                                   : 0),
      buckets,
      sorted,
      starts};
  cpu::Scratch scratch;
  const std::span<std::byte> reserved = scratch.reserve(
      cpu::operation_scratch_bytes<uint32_t, uint32_t>(problem, plan), PageSize::k4KiB);
  const cpu::CheckedCpuPlan checked(plan, {problem.operation, problem.n, problem.m});
  cpu::run_operation(problem, arrays, checked, reserved, team);
  return rounds;
}

TEST_CASE("a team is given as many rounds as are listed, for all operations and plans") {
  size_t cases = 0;
  for (const Operation operation :
       {Operation::multireduce, Operation::scatter, Operation::gather, Operation::histogram,
        Operation::multiscan, Operation::multitag, Operation::partialSort,
        Operation::segmentedReduce, Operation::segmentedScan}) {
    for (const char* text :
         {"sortBits=0", "prefetchDistance=8", "rangePasses=3", "nSets=4", "strategy=privateTables",
          "sortBits=4", "sortBits=8,passes=2", "sortBits=4,layout=separate,streaming=false",
          "sortBits=4,chunkBytes=1KiB"}) {
      for (const int threads : {2, 3, 5}) {
        const CpuPlan plan = parse_cpu_plan(text + (",threads=" + std::to_string(threads)));
        for (const uint64_t n : {uint64_t{201}, uint64_t{20000}}) {
          Problem problem;
          problem.operation = operation;
          problem.n = n;
          problem.m = kBuckets;
          if (!can_run(plan, problem)) {
            continue;
          }
          CAPTURE(text);
          CAPTURE(threads);
          CAPTURE(to_string(problem));
          CHECK(counted_rounds(problem, plan) == cpu::team_rounds(problem, plan));
          ++cases;
        }
      }
    }
  }
  CHECK(cases > 150);
}

TEST_CASE("a plan of one thread needs no round") {
  Problem problem;
  problem.n = 1000;
  problem.m = kBuckets;
  for (const char* text : {"sortBits=0", "sortBits=4", "strategy=privateTables"}) {
    CHECK(cpu::team_rounds(problem, parse_cpu_plan(text)) == 0);
  }
}

}  // namespace
}  // namespace presort::team_rounds_test
