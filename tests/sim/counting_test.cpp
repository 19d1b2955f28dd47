// Counting in two passes (sim/counting/passes.h) against counting record by record, and against
// plain lists. PRESORT_EXACT_CASES=100000 sim_test -tc="*two passes*" runs more cases.
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "presort/sim/counting/passes.h"
#include "tests/property_seed.h"
#include "tests/sim/counting_case.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test::counting_test {
namespace {

uint64_t cases() {
  const char* wanted = std::getenv("PRESORT_EXACT_CASES");
  return wanted == nullptr ? 500 : std::strtoull(wanted, nullptr, 10);
}

void note_machine(const Machine& machine, std::map<std::string, int>& covered) {
  ++covered[std::to_string(machine.caches.size()) + " levels"];
  ++covered["L1 write " + to_name(kWriteModes, machine.caches[0].write)];
  ++covered[machine.tlb.empty() ? "no TLB" : "TLBs"];
  ++covered["walks enter " + machine.walk.enters_at];
  ++covered[machine.walk.nested_host_page_bytes ? "nested" : "not nested"];
  ++covered["L2 " + to_name(kReplacements, machine.caches[1].policy.kind)];
  for (const Prefetcher& prefetcher : machine.prefetchers) {
    ++covered[prefetcher.level + " " + to_name(kPrefetcherKinds, prefetcher.kind)];
  }
  if (machine.caches.size() > 2) {
    ++covered["L3 " + to_name(kReplacements, machine.caches[2].policy.kind)];
    ++covered[machine.caches[2].fill == Fill::onEvict ? "L3 of victims" : "L3 on a miss"];
  }
}

void compare_all(sim::Simd simd) {
  if (!sim::runs_simd(simd)) {
    MESSAGE("skipped: this processor does not run " << to_name(sim::kSimds, simd));
    return;
  }
  std::map<std::string, int> covered;
  uint64_t accesses = 0;
  uint64_t with_oracle = 0;
  for (uint64_t i = 0; i < cases(); ++i) {
    const uint64_t number = property_seed() + i;
    const CountingResult result = run_counting_case(number, simd);
    REQUIRE_MESSAGE(result.difference == "", "case " << number << ": " << result.difference);
    accesses += result.accesses;
    with_oracle += result.oracle;
    note_machine(counting_machine(number), covered);
  }
  std::string text = std::to_string(cases()) + " cases, " + std::to_string(accesses) +
                     " accesses, " + std::to_string(with_oracle) + " cases with the oracle";
  for (const auto& [what, times] : covered) {
    text += "\n  " + what + ": " + std::to_string(times);
    CHECK(times >= 1);
  }
  CHECK(with_oracle >= cases() / 10);
  MESSAGE(text);
}

TEST_CASE("counts of two passes are those of records one by one: plain") {
  compare_all(sim::Simd::plain);
}

TEST_CASE("counts of two passes are those of records one by one: avx2") {
  compare_all(sim::Simd::avx2);
}

TEST_CASE("counts of two passes are those of records one by one: avx512") {
  compare_all(sim::Simd::avx512);
}

// Streams of the second level that go on into the next virtual page: pages that the first pass walked
// for after a request once were known to the request already.
TEST_CASE("a request does not see pages that later accesses walk for") {
  for (const uint64_t number : {2031783, 2043649}) {
    CHECK(run_counting_case(number, sim::Simd::plain).difference == "");
  }
}

bool fit(const Machine& machine) {
  const sim::AddressSpace space(4096);
  sim::CacheStack caches(machine, 1);
  const sim::Translation translation(machine, space, caches, 1);
  return sim::CountingPasses::fit(caches, translation);
}

TEST_CASE("other shapes are counted record by record") {
  const Machine good = small_machine();
  CHECK(fit(good));
  const auto without = [&](auto change) {
    Machine machine = good;
    change(machine);
    return !fit(machine);
  };
  CHECK(without([](Machine& m) { m.caches.resize(1); }));
  CHECK(without([](Machine& m) { m.caches.push_back(small_level("L4", 64, 8, 60, 32)); }));
  CHECK(without([](Machine& m) { m.caches[0].policy = Replacement::random; }));
  CHECK(without([](Machine& m) { m.caches[0].write_allocate = false; }));
  CHECK(without([](Machine& m) { m.caches[1].write = WriteMode::through; }));
  CHECK(without([](Machine& m) { m.caches[1].fill = Fill::onEvict; }));
  CHECK(without([](Machine& m) { m.caches[1].inclusion = Inclusion::inclusive; }));
  CHECK(without([](Machine& m) { m.caches[2].write_allocate = false; }));
  CHECK(without([](Machine& m) {
    m.prefetchers = {{"L3", PrefetcherKind::nextLine, 1, 1, false}};
  }));
  CHECK(without([](Machine& m) {
    m.prefetchers = {{"L1", PrefetcherKind::ipStride, 1, 1, false}};
  }));
  CHECK(without([](Machine& m) {
    m.tlb = {small_tlb("TLB", {4096}, 4, 4, 0)};
    m.walk.enters_at = "L3";
  }));
}

}  // namespace
}  // namespace presort::test::counting_test
