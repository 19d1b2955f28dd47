// Tests the list of a plan's phases (cpu/plan/phase_list.h).
#include "presort/cpu/plan/phase_list.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "presort/cpu/presort/buffered_presort.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::phase_list_test {
namespace {

Problem problem_of(Operation operation, uint64_t n = 1 << 20, uint64_t m = 1 << 16) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  return problem;
}

std::string names_of(Operation operation, const std::string& plan) {
  std::string names;
  for (const cpu::PhaseSpec& phase :
       cpu::list_phases(problem_of(operation), parse_cpu_plan(plan))) {
    names += (names.empty() ? "" : ", ") + cpu::name_of(phase, operation);
  }
  return names;
}

TEST_CASE("a plan's phases are those that its kernels run, in their order") {
  struct Expected {
    Operation operation;
    const char* plan;
    const char* names;
  };
  for (const auto& [operation, plan, names] : {
           Expected{Operation::multireduce, "sortBits=0", "reduce"},
           {Operation::gather, "prefetchDistance=8", "gather"},
           {Operation::scatter, "rangePasses=2", "range 1 of 2: scatter, range 2 of 2: scatter"},
           {Operation::multireduce, "nSets=4", "clear sets, reduce in sets, add sets"},
           {Operation::histogram, "nSets=4", "clear sets, count in sets, add sets"},
           {Operation::multireduce, "strategy=privateTables,threads=2",
            "fill tables, reduce, merge tables"},
           {Operation::multiscan, "strategy=privateTables,threads=2",
            "fill tables, scan first share, prefix tables, scan other shares"},
           {Operation::multitag, "strategy=privateTables",
            "tag first share, prefix tables, tag other shares"},
           {Operation::scatter, "sortBits=8", "histogram 1, partition 1, drain 1, scatter"},
           {Operation::histogram, "sortBits=8,chunkBytes=64KiB", "partition 1, drain 1, count"},
           {Operation::gather, "sortBits=9,passes=2",
            "histogram 1, partition 1, drain 1, histogram 2, partition 2, drain 2, gather, "
            "permute back 2, permute back 1"},
           {Operation::multireduce, "sortBits=8,passes=2,strategy=plainRadix",
            "count 1, radix 1, count 2, radix 2, reduce"},
           {Operation::partialSort, "sortBits=0", "clear places, count parts, sum counts, place"},
           {Operation::partialSort, "sortBits=16,passes=2",
            "clear places, histogram 1, partition 1, drain 1, sort few 2, histogram 2, partition "
            "2, "
            "drain 2, unpack, sum counts"},
           {Operation::segmentedReduce, "threads=2", "check offsets, reduce"},
           {Operation::segmentedScan, "sortBits=0", "check offsets, scan"},
           {Operation::segmentedScan, "threads=2", "check offsets, reduce tails, scan"},
       }) {
    CAPTURE(plan);
    CHECK(names_of(operation, plan) == names);
  }
}

// However bits are split into passes, the digits of all passes cover each top bit exactly once.
TEST_CASE("the digits of all passes are the top bits of a label, each bit once") {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const uint64_t m = uint64_t{1} << 20;
    const CpuPlan plan = random_plan(seed, m);
    if (!plan.presort) {
      continue;
    }
    CAPTURE(to_string(plan));
    uint64_t covered = 0;
    int twice = 0;
    for (const cpu::PhaseSpec& phase :
         cpu::list_phases(problem_of(Operation::multireduce, 1 << 20, m), plan)) {
      const auto* partition = std::get_if<cpu::phase::Partition>(&phase);
      const auto* run = std::get_if<cpu::phase::MoveRun>(&phase);
      if (partition != nullptr || run != nullptr) {
        const cpu::Digit digit = cpu::digit_of(partition ? partition->pass : run->pass, 20);
        const uint64_t bits = digit.mask << digit.shift;
        twice += (covered & bits) != 0;
        covered |= bits;
      }
    }
    const int sorted = plan.presort->sort_bits;
    CHECK(twice == 0);
    CHECK(covered == ((uint64_t{1} << sorted) - 1) << (20 - sorted));
  }
}

TEST_CASE("what differs in work differs in value") {
  const auto phase_of = [](const std::string& plan, size_t index) {
    return cpu::list_phases(problem_of(Operation::multireduce), parse_cpu_plan(plan)).at(index);
  };
  const cpu::PhaseSpec partition = phase_of("sortBits=8", 1);
  CHECK(partition == phase_of("sortBits=8,prefetchDistance=8", 1));
  CHECK(partition == phase_of("sortBits=8,threads=2", 1));
  for (const char* other : {"sortBits=9", "sortBits=8,bufferBytes=512B",
                            "sortBits=8,layout=separate", "sortBits=8,streaming=false"}) {
    CAPTURE(other);
    CHECK(partition != phase_of(other, 1));
  }
  // A pass by the low four of eight bits is a different phase than one by the top four.
  CHECK(phase_of("sortBits=4,strategy=plainRadix", 0) !=
        phase_of("sortBits=8,passes=2,strategy=plainRadix", 0));
  CHECK(phase_of("sortBits=4,strategy=plainRadix", 0) ==
        phase_of("sortBits=4,prefetchDistance=8,strategy=plainRadix", 0));
}

}  // namespace
}  // namespace presort::test::phase_list_test
