// Warming the last cache level alone (sim/counting/last_level.h) against plain lists, and against
// counting in full.
#include "presort/sim/counting/last_level.h"

#include <doctest/doctest.h>

#include <vector>

#include "presort/core/base/random.h"
#include "presort/sim/hierarchy.h"
#include "tests/property_seed.h"
#include "tests/sim/cache/lru_oracle.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test::last_level_test {
namespace {

using sim::Access;
using sim::AccessKind;

constexpr uint64_t kLine = 64;

// A machine of two or three levels whose last level has LRU; a pure function of `number`.
Machine machine_of(uint64_t number) {
  const auto draw = [number](uint64_t k, uint64_t bound) {
    return bounded(random_u64(number, k), bound);
  };
  Machine machine = small_machine();
  machine.caches.clear();
  machine.caches.push_back(small_level("L1", 2, 2, 4, 4));
  if (draw(0, 2) == 0) {
    machine.caches.push_back(small_level("L2", 4, 2, 12, 4));
  }
  machine.caches.push_back(small_level("L3", 1 + draw(1, 40), 1 + draw(2, 20), 30, 4));
  CacheLevel& last = machine.caches.back();
  last.hashed = draw(3, 2) == 0;
  last.slices = draw(6, 2) == 0 ? most_slices(last) : 1;
  last.fill = draw(4, 2) == 0 ? Fill::onEvict : Fill::onMiss;
  machine.frames = draw(5, 2) == 0 ? Frames::random : Frames::contiguous;
  return machine;
}

std::vector<Access> random_records(uint64_t number, size_t count, uint64_t lines) {
  std::vector<Access> records;
  for (size_t k = 0; k < count; ++k) {
    const uint64_t word = random_u64(number + 1000, k);
    constexpr AccessKind kKinds[] = {AccessKind::load,  AccessKind::load,     AccessKind::store,
                                     AccessKind::store, AccessKind::prefetch, AccessKind::branch};
    Access record;
    record.kind = kKinds[bounded(mix64(word), 6)];
    record.address = bounded(word, lines) * kLine + 8;
    records.push_back(record);
  }
  return records;
}

TEST_CASE("a last level warmed alone holds what plain lists hold, and nothing else changes") {
  for (uint64_t number = property_seed(); number < property_seed() + 200; ++number) {
    const Machine machine = machine_of(number);
    const sim::AddressSpace space(4096);
    sim::CacheStack caches(machine, 1);
    sim::Translation translation(machine, space, caches, 1);
    REQUIRE(sim::LastLevel::fit(caches));
    sim::CacheArray& tags = caches.cache(caches.levels() - 1).tags;
    LruOracle oracle(tags.ways(), [&](uint64_t line) { return tags.set_index(line); });

    constexpr uint64_t kLines = 1000;
    const std::vector<Access> records = random_records(number, 1 + number % 2000, kLines);
    sim::LastLevel(caches, translation, machine.caches.back().policy).warm(records);
    for (const Access& record : records) {
      const bool write = record.kind == AccessKind::store;
      const uint64_t line = translation.expected(record.address) / kLine;
      if ((write || record.kind == AccessKind::load) && !oracle.access(line, write)) {
        oracle.insert(line, write);
      }
    }
    for (uint64_t k = 0; k < kLines; ++k) {
      const uint64_t line = translation.expected(k * kLine) / kLine;
      REQUIRE_MESSAGE(tags.contains(line) == oracle.contains(line), "case " << number);
      for (size_t level = 0; level + 1 < caches.levels(); ++level) {
        REQUIRE(!caches.cache(level).tags.contains(line));
      }
      const auto expected = oracle.remove(line);
      const auto found = tags.remove(line);
      REQUIRE(found.valid() == expected.has_value());
      REQUIRE_MESSAGE(found.dirty() == (expected && expected->dirty), "case " << number);
    }
    CHECK(translation.walks() == 0);
    for (const LevelCounts& counts : caches.counts()) {
      CHECK(counts.accesses == 0);
      CHECK(counts.bytes_in == 0);
    }
  }
}

TEST_CASE("a last level warmed alone hits as often as one that was warmed with all levels") {
  for (const char* const policy : {"lru", "random", "srrip", "drrip", "nru", "tree-plru", "fifo",
                                   "QLRU_H00_M1_R2_U1", "QLRU_H11_M1_R0_U0"}) {
    for (const Fill fill : {Fill::onMiss, Fill::onEvict}) {
      Machine machine = small_machine();
      machine.caches.clear();
      machine.caches.push_back(small_level("L1", 4, 4, 4, 4));
      machine.caches.push_back(small_level("L2", 16, 4, 12, 4));
      machine.caches.push_back(small_level("L3", 256, 8, 30, 4));
      machine.caches.back().policy = parse_replacement("policy", policy);
      machine.caches.back().fill = fill;
      const std::vector<Access> past = random_records(1, 20000, 4096);
      const std::vector<Access> recent = random_records(2, 1000, 4096);
      const std::vector<Access> now = random_records(3, 20000, 4096);
      sim::Hierarchy all(machine, sim::AddressSpace(4096));
      all.count(past);
      sim::Hierarchy alone(machine, sim::AddressSpace(4096));
      alone.warm_last_level(past);
      CHECK(alone.statistics().accesses == 0);
      double hits[2];
      double accesses[2];
      for (sim::Hierarchy* one : {&all, &alone}) {
        one->count(recent);
        one->reset_statistics();
        one->count(std::span(now).first(2000));
        hits[one == &alone] = static_cast<double>(one->statistics().levels[2].hits);
        accesses[one == &alone] = static_cast<double>(one->statistics().levels[2].accesses);
      }
      CHECK(alone.statistics().levels[0].accesses == all.statistics().levels[0].accesses);
      CHECK(hits[1] / accesses[1] == doctest::Approx(hits[0] / accesses[0]).epsilon(0.05));
    }
  }
}

bool fits(const Machine& machine) {
  sim::CacheStack caches(machine, 1);
  return sim::LastLevel::fit(caches);
}

TEST_CASE("an only level, an inclusive one or one with sectors is not warmed alone") {
  const Machine two = machine_of(0);
  CHECK(fits(two));
  Machine one = two;
  one.caches.erase(one.caches.begin() + 1, one.caches.end());
  CHECK(!fits(one));
  Machine inclusive = two;
  inclusive.caches.back().fill = Fill::onMiss;
  inclusive.caches.back().inclusion = Inclusion::inclusive;
  CHECK(!fits(inclusive));
  Machine through = two;
  through.caches.back().write = WriteMode::through;
  CHECK(!fits(through));
}

}  // namespace
}  // namespace presort::test::last_level_test
