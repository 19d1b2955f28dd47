#include "presort/fit/cell_simulation.h"

#include <doctest/doctest.h>

#include "presort/sim/hierarchy.h"
#include "presort/sim/trace/patterns.h"
#include "tests/fit/known_machine.h"

namespace presort::inline v0::fit::cell_simulation_test {
namespace {

using doctest::Approx;

double cycles(const Machine& machine, uint64_t footprint, uint64_t stride, ChaseOrder order,
              uint64_t block = 0) {
  return simulate_cell(machine, {footprint, stride, block, 1}, order).cycles;
}

TEST_CASE("a list that a level holds takes that level's latency, a longer one the next") {
  const Machine machine = test::known_machine();  // caches of 4, 32, 256 KiB
  for (const ChaseOrder order : {ChaseOrder::forward, ChaseOrder::backward, ChaseOrder::random}) {
    CHECK(cycles(machine, 4 << 10, 64, order) == Approx(4).epsilon(0.01));
    CHECK(cycles(machine, 32 << 10, 64, order) == Approx(14).epsilon(0.01));
    CHECK(cycles(machine, 2 << 20, 64, order) > 195);
  }
}

TEST_CASE("several nodes of a line are one miss when they follow each other") {
  const Machine machine = test::known_machine();
  CHECK(cycles(machine, 32 << 10, 8, ChaseOrder::forward) ==
        Approx((14 + 7 * 4) / 8.0).epsilon(0.01));
  // A chase in random order finds an eighth of its nodes in L1 by chance.
  CHECK(cycles(machine, 32 << 10, 8, ChaseOrder::random) == Approx(14 - 10 / 8.0).epsilon(0.03));
}

TEST_CASE("two nodes a page apart stay in the first level") {
  CHECK(cycles(test::known_machine(), 8192, 4096, ChaseOrder::random) == Approx(4).epsilon(0.01));
}

TEST_CASE("blocks that fit a level hit it, whatever the footprint") {
  const Machine machine = test::known_machine();
  // A chase in blocks that L1 holds, with eight nodes to a line, fetches each line once per block.
  CHECK(cycles(machine, 4 << 20, 8, ChaseOrder::blockRandom, 2048) ==
        Approx((200 + 7 * 4) / 8.0).epsilon(0.05));
}

TEST_CASE("a list too long for a lap is timed in warm caches too") {
  Machine machine = test::known_machine();
  machine.tlb[1].entries = 32;  // most loads walk, and find the page-table entry in L3
  machine.tlb[1].ways = 8;
  const CellOutcome outcome = simulate_cell(machine, {8 << 20, 64, 0, 1}, ChaseOrder::random);
  CHECK(outcome.uses[3] == Approx(1).epsilon(0.05));
  CHECK(outcome.uses[1] + outcome.uses[2] > 0.8);
}

TEST_CASE("uses times latencies are the cycles, where nothing is prefetched") {
  const Machine machine = test::known_machine();
  for (const uint64_t footprint : {2 << 10, 48 << 10, 300 << 10, 3 << 20}) {
    const CellOutcome outcome = simulate_cell(machine, {footprint, 64, 0, 1}, ChaseOrder::random);
    REQUIRE(outcome.uses.size() == 6);
    double sum = outcome.uses[0] * 4 + outcome.uses[1] * 14 + outcome.uses[2] * 40 +
                 outcome.uses[3] * 200 + outcome.uses[4] * 0 + outcome.uses[5] * 7;
    CHECK(outcome.cycles == Approx(sum).epsilon(0.002));
  }
}

// Cycles of a load of a chase in random order, after `laps` laps that are counted in all levels.
double counted_cycles(const Machine& machine, uint64_t footprint, uint64_t laps) {
  constexpr uint64_t kTimed = 8192;
  const sim::ChaseList list{.footprint_bytes = footprint, .order = ChaseOrder::random};
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(4096));
  sim::Chase warm(list, 0, laps * list.nodes());
  hierarchy.count(warm);
  hierarchy.reset_statistics();
  sim::Chase timed(list, laps * list.nodes(), kTimed);
  hierarchy.run(timed);
  return hierarchy.statistics().ns / kTimed;  // the machine has 1 GHz
}

TEST_CASE("loads that only the last level remembers warm it alone, and the time stays") {
  Machine machine = test::known_machine();
  for (const Fill fill : {Fill::onMiss, Fill::onEvict}) {
    for (const Replacement policy : {Replacement::lru, Replacement::random}) {
      machine.caches[2] = test::small_level("L3", 4096, 16, 40, 32);  // 4 MiB
      machine.caches[2].fill = fill;
      machine.caches[2].policy = policy;
      for (const uint64_t footprint : {3 << 20, 4 << 20, 5 << 20, 7 << 20}) {
        const LatencyCell cell{footprint, 64, 0, 1};
        CHECK(simulate_cell(machine, cell, ChaseOrder::random).cycles ==
              Approx(counted_cycles(machine, footprint, 4)).epsilon(0.03));
        CHECK(work_of_cell(machine, cell, ChaseOrder::random) < 3 * footprint / 64);
      }
    }
  }
}

TEST_CASE("a longer list is more work, and no list is none") {
  const Machine machine = test::known_machine();
  uint64_t before = 0;
  for (uint64_t footprint = 1 << 10; footprint <= 1 << 20; footprint *= 4) {
    const uint64_t work = work_of_cell(machine, {footprint, 64, 0, 1}, ChaseOrder::random);
    CHECK(work >= std::max<uint64_t>(before, 1));
    before = work;
  }
}

}  // namespace
}  // namespace presort::fit::cell_simulation_test
