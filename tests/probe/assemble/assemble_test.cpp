#include "presort/probe/assemble/assemble.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "presort/core/error.h"
#include "presort/probe/analysis/repeatability.h"
#include "tests/probe/synthetic_probe.h"

namespace assemble_test {

using namespace presort;
using namespace presort::probe;
using namespace presort::probe::test;

TEST_CASE("a full set of measurements becomes a valid machine with those values") {
  const ProbeResult result = assembled(synthetic_estimates(), synthetic_topology());
  const Machine& m = result.machine;
  CHECK(problem_of(m) == "");
  CHECK(result.warnings.empty());
  CHECK(m.clock_hz == doctest::Approx(4e9));
  CHECK(m.cores == 2);
  CHECK(m.dispatch_width == 6);
  REQUIRE(m.caches.size() == 3);
  CHECK(m.caches[0].latency_cycles == doctest::Approx(5));
  CHECK(m.caches[0].queue == 20);
  CHECK(m.caches[1].latency_cycles == doctest::Approx(16));
  CHECK(m.caches[2].latency_cycles == doctest::Approx(120).epsilon(0.04));
  CHECK(m.caches[2].size_bytes == 480 * kMiB);
  CHECK(m.caches[2].hashed);
  CHECK(m.caches[2].fill == Fill::onEvict);
  CHECK(m.caches[2].share > 10.0 / 480);
  CHECK(m.caches[2].share < 40.0 / 480);
  CHECK(m.store_forward_cycles == doctest::Approx(5));
  CHECK(m.branch_miss_cycles == doctest::Approx(2 * 11 - 5 - 1));
  CHECK(m.tlb.back().latency_cycles == doctest::Approx(7));
  CHECK(m.memory.latency_ns == doctest::Approx(100));
  CHECK(m.memory.per_core_bandwidth == doctest::Approx(20e9));  // bandwidth of streaming stores
  CHECK(m.memory.bandwidth == doctest::Approx(32e9));
  CHECK(m.memory.streaming_store_ns == doctest::Approx(20 * 3.2));
}

TEST_CASE("every measured file value has its uncertainty in the machine file") {
  ProbeResult result = assembled(synthetic_estimates(), synthetic_topology());
  note_values(result);
  const auto& provenance = result.machine.provenance;
  for (const char* key : {"source", "date", "cpu", "hypervisor"}) {
    CAPTURE(key);
    CHECK(std::any_of(provenance.begin(), provenance.end(),
                      [key](const auto& entry) { return entry.first == key; }));
  }
  const auto& probed = result.machine.probed;
  for (const char* key : {"memory.latency", "cpu.caches.L3.latency", "cpu.caches.L2.queue",
                          "cpu.window.entries", "cpu.walk.nested.evidence"}) {
    CAPTURE(key);
    const auto found = std::find_if(probed.begin(), probed.end(),
                                    [key](const ProbedValue& value) { return value.key == key; });
    REQUIRE(found != probed.end());
    CHECK(is_measured(found->quality) == (found->uncertainty > 0));
  }
  CHECK(std::any_of(result.values.begin(), result.values.end(), [](const ProbeValue& value) {
    return value.key == "memory.streamingStoreBandwidth" && value.value == doctest::Approx(20);
  }));
}

TEST_CASE("what stands in a core's row is called so, and a guess where the core is not known") {
  const auto quality = [](const ProbeResult& result, const std::string& key) {
    const auto found = std::find_if(result.values.begin(), result.values.end(),
                                    [&key](const ProbeValue& value) { return value.key == key; });
    REQUIRE(found != result.values.end());
    return found->quality;
  };
  const ProbeResult known = assembled(synthetic_estimates(), synthetic_topology());
  CHECK(quality(known, "cpu.dispatchWidth") == Quality::table);
  CHECK(quality(known, "cpu.threadsPerCore") == Quality::table);
  CHECK(is_measured(quality(known, "cpu.caches.L1d.queue")));
  CHECK(quality(known, "cpu.walk.caches.pde") == Quality::guess);
  CHECK(is_measured(quality(known, "memory.latency")));
  const ProbeResult unknown = assembled(synthetic_estimates(), synthetic_topology(), CpuIdentity{});
  CHECK(quality(unknown, "cpu.dispatchWidth") == Quality::guess);
}

TEST_CASE("the host's page size is as uncertain as its evidence against the way to the threshold") {
  Estimates estimates = synthetic_estimates();
  const auto uncertainty = [&] {
    const auto values = assembled(estimates, synthetic_topology()).values;
    const auto found = std::find_if(values.begin(), values.end(), [](const ProbeValue& value) {
      return value.key == "cpu.walk.nested.hostPage";
    });
    REQUIRE(found != values.end());
    CHECK(found->in_file);
    return found->uncertainty;
  };
  // The evidence is a chase 100 cycles above a hit, 85 above the threshold of 15, give or take 2 %
  // of the page chase and of the dense one.
  set(estimates, Quantity::pageChase, 64 * kMiB, 116 * kCycle);
  CHECK(uncertainty() == doctest::Approx(std::hypot(2.32, 0.32) / 85).epsilon(0.1));
  set(estimates, Quantity::pageChase, 64 * kMiB, 31.2 * kCycle);
  CHECK(uncertainty() > 0.9);
}

// Sets times of parallel chases: 64 cycles a step; together they finish at most one step every
// `cycles` cycles.
void set_walk_chains(Estimates& estimates, double cycles) {
  for (const uint64_t k : {1, 2, 4, 8, 16, 32}) {
    set(estimates, Quantity::walkChains, k, std::max(64 / static_cast<double>(k), cycles) * kCycle);
  }
}

TEST_CASE("TLB entries, walkers and ways come from their chases where these show them") {
  Estimates estimates = synthetic_estimates();
  for (const uint64_t pages : {32, 64, 128, 256, 512, 1024, 1536, 2048, 4096}) {
    const double walks = pages > 1100 ? 40 * kCycle : 0;
    const double second = pages > 100 ? 7 * kCycle : 0;
    set(estimates, Quantity::smallPages, pages, 16 * kCycle + second + walks);
    set(estimates, Quantity::fewPagesOfLines, pages, 16 * kCycle);
  }
  set_walk_chains(estimates, 16);
  for (uint64_t lines = 2; lines <= 20; ++lines) {
    set(estimates, Quantity::setChaseL1, lines, lines <= 8 ? 5 * kCycle : 16 * kCycle);
  }
  const ProbeResult result = assembled(estimates, synthetic_topology());
  const Machine& m = result.machine;
  CHECK(problem_of(m) == "");
  REQUIRE(m.tlb.size() == 3);
  CHECK(m.tlb[0].entries == 96);  // entries: the measured knee is at 96, and the table says 96
  // entries: the knee is between 1024 and 1536, the table has 2048
  CHECK(m.tlb[2].entries == 1280);
  CHECK(m.walk.walkers == 4);  // walkers: the table's number, although (64 - 16) / 16 walks overlap
  CHECK(warned(result, "cpu.tlb.STLB.entries: chases reach"));
  CHECK(warned(result, "L1d is announced with 12 ways; a chase over lines of one set finds 8"));
}

TEST_CASE("the overlap of walks is reported, and believed of a core that is not known") {
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::fewPagesOfLines, 4096, 16 * kCycle);
  set_walk_chains(estimates, 16);
  const ProbeResult result = assembled(estimates, synthetic_topology());
  CHECK(result.machine.walk.walkers == 4);
  CHECK(value_of(result, "cpu.walk.overlap") == doctest::Approx(3));
  const ProbeResult unknown = assembled(estimates, synthetic_topology(), CpuIdentity{});
  CHECK(unknown.machine.walk.walkers == 3);
}

TEST_CASE("a walk's overhead is a walk alone less the reads of the last entries") {
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::fewPagesOfLines, 4096, 16 * kCycle);
  set_walk_chains(estimates, 15);
  const ProbeResult result = assembled(estimates, synthetic_topology());
  const Machine& m = result.machine;
  const double first = m.caches[0].latency_cycles;
  const double entry = (first + m.caches[1].latency_cycles) / 2;
  const double host = !m.walk.nested_host_page_bytes           ? 0
                      : *m.walk.nested_host_page_bytes == 4096 ? entry
                                                               : first;
  CHECK(m.walk.overhead_cycles ==
        doctest::Approx(64 - 16 - m.tlb.back().latency_cycles - entry - host).epsilon(0.01));
}

TEST_CASE("walks begin as far apart as loads at once show, large pages' where they walk") {
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::walkLoads, 4096, 26 * kCycle);
  set(estimates, Quantity::walkLoads, 2 * kMiB, 20 * kCycle);
  const auto walk_over = [&](double page_cycles) {
    set(estimates, Quantity::pageChase, 64 * kMiB, page_cycles * kCycle);
    return assembled(estimates, synthetic_topology()).machine.walk;
  };
  const PageWalk small_host = walk_over(116);
  REQUIRE(small_host.nested_host_page_bytes == 4096);
  CHECK(small_host.interval_cycles == doctest::Approx(26).epsilon(0.01));
  REQUIRE(small_host.large_interval_cycles);
  CHECK(*small_host.large_interval_cycles == doctest::Approx(20).epsilon(0.01));
  const PageWalk large_host = walk_over(17);
  REQUIRE(large_host.nested_host_page_bytes == 2 * kMiB);
  CHECK(large_host.interval_cycles == doctest::Approx(26).epsilon(0.01));
  CHECK_FALSE(large_host.large_interval_cycles);
}

TEST_CASE("misses behind walks are limited where fewer of them overlap than of others") {
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::chaseSmall, kReferenceFootprint, 200);
  const auto outstanding = [&](double many_ns) {
    set(estimates, Quantity::walkedMisses, kMostChains, many_ns);
    return assembled(estimates, synthetic_topology()).machine.walk.outstanding;
  };
  const int queue = assembled(estimates, synthetic_topology()).machine.caches[0].queue;
  REQUIRE(queue > 4);
  const int half = queue / 2;
  CHECK(outstanding(200.0 / half) == half);
  CHECK(outstanding(200.0 / queue) == 0);
  CHECK(outstanding(200.0 / (queue + 3)) == 0);
}

TEST_CASE("a core renames memory where repeated updates are quicker than others of one address") {
  const auto repeated = [](double ns) {
    // An update through the store buffer takes six cycles
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::repeatedUpdate, 0, ns);
    return assembled(estimates, synthetic_topology()).machine.repeated_forward_cycles;
  };
  CHECK(repeated(2 * kCycle) == doctest::Approx(1));
  CHECK(repeated(1 * kCycle) == doctest::Approx(0));
  CHECK_FALSE(repeated(5.5 * kCycle).has_value());
}

TEST_CASE("what runs of updates take more tells after how many of them a core renames") {
  // An update takes six cycles through the store buffer, two once it is renamed
  const auto learnt = [](double updates) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::repeatedUpdate, 0, 2 * kCycle);
    set(estimates, Quantity::runUpdate, 0, (2 + 4 * updates / kRunOfUpdates) * kCycle);
    return assembled(estimates, synthetic_topology()).machine.repeated_forward_after;
  };
  CHECK(learnt(8) == 8);
  CHECK(learnt(100) == 100);
  CHECK(learnt(0) == 1);
  CHECK(learnt(-3) == 1);  // a run was faster than one address alone: noise
}

TEST_CASE("strays are noted where a core needs longer after them than after another address") {
  const auto learnt = [](double after, double strays) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::repeatedUpdate, 0, 2 * kCycle);
    set(estimates, Quantity::runUpdate, 0, (2 + 4 * after / kRunOfUpdates) * kCycle);
    set(estimates, Quantity::strayUpdate, 0, (2 + 4 * strays / kRunOfUpdates) * kCycle);
    return assembled(estimates, synthetic_topology()).machine.repeated_forward_after_strays;
  };
  CHECK(learnt(8, 70) == 70);
  CHECK(learnt(100, 130) == 0);
}

TEST_CASE("a core renames beside software prefetches where updates behind them stay quick") {
  const auto beside = [](double ns) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::repeatedUpdate, 0, 2 * kCycle);
    set(estimates, Quantity::prefetchedUpdate, 0, ns);
    return assembled(estimates, synthetic_topology()).machine.repeated_forward_beside_prefetch;
  };
  CHECK(beside(2.2 * kCycle));
  CHECK_FALSE(beside(6 * kCycle));
}

TEST_CASE("a last level that resists streams replaces by re-reference, where it seems random") {
  const Estimates estimates = synthetic_estimates();
  const Topology topology = synthetic_topology();
  Findings findings = find(estimates, topology);
  const auto policy = [&](bool resists, Replacement found) {
    CoreDefaults core = core_defaults(guest(), topology);
    core.last_resists_streams = resists;
    findings.last_capacity.policy = found;
    return assemble(findings, estimates, topology, guest(), core, {.date = "2026-11-26"})
        .machine.caches.back()
        .policy.kind;
  };
  CHECK(policy(true, Replacement::random) == ReplacementKind::srrip);
  CHECK(policy(true, Replacement::lru) == ReplacementKind::lru);
  CHECK(policy(false, Replacement::random) == ReplacementKind::random);
}

TEST_CASE("updates and sums of floats have times of their own") {
  Estimates estimates = synthetic_estimates();
  const Machine none = assembled(estimates, synthetic_topology()).machine;
  CHECK_FALSE(none.float_forward_cycles.has_value());
  CHECK(none.float_add_cycles == 0);
  set(estimates, Quantity::floatUpdate, 0, 12 * kCycle);
  set(estimates, Quantity::floatSum, 0, 3 * kCycle);
  const Machine both = assembled(estimates, synthetic_topology()).machine;
  CHECK(both.float_forward_cycles.value() == doctest::Approx(11));
  CHECK(both.float_add_cycles == doctest::Approx(3));
}

TEST_CASE("where updates of one address do without the store buffer, those of two tell its time") {
  const auto forward = [](double one_ns, double pair_ns) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::sameAddressUpdate, 0, one_ns);
    set(estimates, Quantity::pairUpdate, 0, pair_ns);
    return assembled(estimates, synthetic_topology()).machine.store_forward_cycles;
  };
  CHECK(forward(1.2 * kCycle, 4 * kCycle) == doctest::Approx(7));
  CHECK(forward(3.9 * kCycle, 4 * kCycle) == doctest::Approx(7));
  CHECK(forward(4 * kCycle, 9 * kCycle) == doctest::Approx(3));
  CHECK(forward(6 * kCycle, 9 * kCycle) == doctest::Approx(5));
}

TEST_CASE("page chases that walk although pages are huge tell of small host pages") {
  Estimates estimates = synthetic_estimates();
  CHECK(assembled(estimates, synthetic_topology()).machine.walk.nested_host_page_bytes == 2 * kMiB);
  set(estimates, Quantity::pageChase, 64 * kMiB, 16 * kCycle + 10);
  CHECK(assembled(estimates, synthetic_topology()).machine.walk.nested_host_page_bytes == 4 * kKiB);
  CpuIdentity bare = guest();
  bare.hypervisor = false;
  CHECK_FALSE(assembled(estimates, synthetic_topology(), bare).machine.walk.nested_host_page_bytes);
}

TEST_CASE("without huge pages the machine says so and stays valid") {
  const ProbeResult result = assembled(synthetic_estimates(), synthetic_topology(), guest(), 0.1);
  CHECK(problem_of(result.machine) == "");
  REQUIRE(result.warnings.size() == 2);
  CHECK(result.warnings[0].find("huge pages are not available") != std::string::npos);
}

TEST_CASE("a probe cut short after the nearest caches still gives a valid machine") {
  Estimates estimates;
  set(estimates, Quantity::addLatency, 0, kCycle);
  for (const uint64_t bytes : {16 * kKiB, 32 * kKiB, 64 * kKiB, 128 * kKiB}) {
    set(estimates, Quantity::chaseHuge, bytes, bytes <= 32 * kKiB ? 5 * kCycle : 16 * kCycle);
  }
  const ProbeResult result = assembled(estimates, synthetic_topology());
  CHECK(problem_of(result.machine) == "");
  CHECK(result.warnings.size() >= 3);
  CHECK(result.machine.caches[0].queue == 16);
}

TEST_CASE("without announced caches they are those of the curve") {
  Topology bare;
  const ProbeResult result = assembled(synthetic_estimates(), bare);
  CHECK(problem_of(result.machine) == "");
  REQUIRE(result.machine.caches.size() == 3);
  CHECK(result.machine.caches[0].size_bytes == 32 * kKiB);
  CHECK(result.machine.caches[1].size_bytes == 1 * kMiB);
}

TEST_CASE("a machine with two levels, odd lines and no ways is completed with warnings") {
  Topology topology = synthetic_topology();
  topology.caches.pop_back();
  topology.caches[0].ways = 0;
  topology.caches[1].line_bytes = 128;
  topology.caches[1].shared_by = 4;
  const ProbeResult result = assembled(synthetic_estimates(), topology);
  CHECK(problem_of(result.machine) == "");
  CHECK(result.machine.caches[0].ways == 8);
  CHECK(result.machine.caches[1].shared_by == 2);
  CAPTURE(result.warnings.front());
  CAPTURE(result.warnings.back());
  CHECK(result.warnings.size() == 2);
}

TEST_CASE("nothing measured is an error of the environment") {
  CHECK_THROWS_AS(find({}, synthetic_topology()), EnvironmentError);
}

}  // namespace assemble_test
