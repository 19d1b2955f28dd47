// Timed cache levels of the common shapes (sim/timing/) against the general code: times, time
// stacks and counts to the last bit. PRESORT_EXACT_CASES=10000 sim_test -tc="*timed levels*" runs
// more cases.
#include "presort/sim/timing/timed_levels.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "presort/sim/cache/cache_stack.h"
#include "tests/property_seed.h"
#include "tests/sim/small_machine.h"
#include "tests/sim/timed_case.h"

namespace presort::inline v0::test::timed_levels_test {
namespace {

uint64_t cases() {
  const char* wanted = std::getenv("PRESORT_EXACT_CASES");
  return wanted == nullptr ? 200 : std::strtoull(wanted, nullptr, 10);
}

std::string on_general_path(uint64_t number, Shape shape) {
  const sim::ForcedGeneralPath forced;
  return timed_text(number, shape);
}

void compare_all(sim::Simd simd) {
  if (!sim::runs_simd(simd)) {
    MESSAGE("skipped: this processor does not run " << to_name(sim::kSimds, simd));
    return;
  }
  const sim::ForcedSimd forced(simd);
  for (uint64_t i = 0; i < cases(); ++i) {
    const uint64_t number = property_seed() + i;
    REQUIRE_FALSE(find_machine_problem(timed_machine(number, Shape::common)));
    const std::string general = on_general_path(number, Shape::common);
    REQUIRE_MESSAGE(timed_text(number, Shape::common) == general, "case " << number);
  }
}

TEST_CASE("timed levels give the times of the general path: plain") {
  compare_all(sim::Simd::plain);
}

TEST_CASE("timed levels give the times of the general path: avx2") {
  compare_all(sim::Simd::avx2);
}

TEST_CASE("timed levels give the times of the general path: avx512") {
  compare_all(sim::Simd::avx512);
}

bool has_timed_levels(const Machine& machine) {
  sim::CacheStack caches(machine, 1);
  return sim::make_timed_levels(caches) != nullptr;
}

TEST_CASE("machines of other shapes have no timed levels") {
  const Machine good = small_machine();
  CHECK(has_timed_levels(good));
  const auto without = [&](auto change) {
    Machine machine = good;
    change(machine);
    return !has_timed_levels(machine);
  };
  CHECK(without([](Machine& m) { m.caches.resize(1); }));
  CHECK(without([](Machine& m) { m.caches.push_back(small_level("L4", 64, 8, 60, 32)); }));
  CHECK(without([](Machine& m) { m.caches[0].policy = Replacement::random; }));
  CHECK(without([](Machine& m) { m.caches[0].write_allocate = false; }));
  CHECK(without([](Machine& m) { m.caches[0].write = WriteMode::through; }));
  CHECK(without([](Machine& m) { m.caches[1].write = WriteMode::through; }));
  CHECK(without([](Machine& m) { m.caches[1].fill = Fill::onEvict; }));
  CHECK(without([](Machine& m) { m.caches[1].inclusion = Inclusion::inclusive; }));
  CHECK(without([](Machine& m) { m.caches[2].write_allocate = false; }));
  CHECK(without([](Machine& m) {
    m.prefetchers = {{"L3", PrefetcherKind::nextLine, 1, 1, false}};
  }));
}

}  // namespace
}  // namespace presort::test::timed_levels_test
