#include "presort/sim/tlb/translation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/sim/cache/lru_oracle.h"
#include "tests/sim/property.h"
#include "tests/sim/tlb/translation_rig.h"

namespace presort::inline v0::sim::translation_test {
namespace {

using namespace test;

TEST_CASE("without a TLB translation is free") {
  Machine machine = small_machine();
  TranslationRig rig(machine, k4KiB);
  CHECK(rig.ready(123456, 500) == 500);
  CHECK(rig.translation.walks() == 0);
  CHECK(rig.caches.counts().front().accesses == 0);
}

TEST_CASE("each TLB level adds its latency, up to the one that hits") {
  Machine machine = walking_machine();
  machine.tlb = {small_tlb("L1TLB", {k4KiB}, 2, 2, 1), small_tlb("STLB", {k4KiB}, 8, 8, 9)};
  TranslationRig rig(machine, k4KiB);
  for (uint64_t page = 0; page < 4; ++page) {
    rig.translation.warm(page * k4KiB);
  }
  CHECK(rig.ready(3 * k4KiB, 500) == 501);
  CHECK(rig.ready(0 * k4KiB, 500) == 510);
  CHECK(rig.ready(0 * k4KiB, 500) == 501);  // one cycle: a hit in the first TLB level
}

TEST_CASE("a level that does not hold the page size is passed by, at no cost") {
  Machine machine = walking_machine();
  machine.tlb = {small_tlb("L1TLB-2M", {k2MiB}, 2, 2, 1), small_tlb("STLB", {k4KiB}, 8, 8, 9)};
  TranslationRig rig(machine, k4KiB);
  rig.translation.warm(0);
  rig.translation.reset_counts();
  CHECK(rig.ready(0, 500) == 509);
  CHECK(rig.translation.counts()[0].accesses == 0);
  CHECK(rig.translation.counts()[1].hits == 1);
}

TEST_CASE("a page of a size that no level holds is walked for at every access") {
  Machine machine = walking_machine();
  machine.tlb = {small_tlb("TLB-2M", {k2MiB}, 2, 2, 1)};
  TranslationRig rig(machine, k4KiB);
  for (int i = 0; i < 5; ++i) {
    rig.translation.warm(0);
  }
  CHECK(rig.translation.walks() == 5);
}

TEST_CASE("a large page in a TLB of small ones takes an entry for each small page") {
  Machine machine = walking_machine();
  machine.tlb = {small_tlb("TLB-4K", {k4KiB}, 8, 8, 1)};
  TranslationRig rig(machine, k2MiB);
  for (const uint64_t page : {0, 1, 0, 1}) {
    rig.translation.warm(page * k4KiB);
  }
  CHECK(rig.translation.walks() == 2);
}

TEST_CASE("a 2 MiB page needs one entry where 4 KiB pages need 512") {
  for (const uint64_t page_bytes : {k4KiB, k2MiB}) {
    Machine machine = walking_machine();
    TranslationRig rig(machine, page_bytes);
    for (uint64_t address = 0; address < k2MiB; address += k4KiB) {
      rig.translation.warm(address);
    }
    CHECK(rig.translation.walks() == k2MiB / page_bytes);
  }
}

struct OracleLevel {
  LruOracle tags;
  TlbLevel description;
  uint64_t hits = 0;
  uint64_t accesses = 0;
};

TEST_CASE("TLB levels hit and fill as lists of pages do, timed or not") {
  holds("random TLBs, pages of two sizes", [] {
    Machine machine = walking_machine();
    machine.tlb.clear();
    const std::vector<std::vector<uint64_t>> choices = {{k4KiB}, {k2MiB}, {k4KiB, k2MiB}};
    const char* const names[] = {"A", "B", "C"};
    std::vector<OracleLevel> oracle;
    const auto levels = between<size_t>(1, 3);
    for (size_t i = 0; i < levels; ++i) {
      const uint64_t sets = uint64_t{1} << between(0, 2);
      const auto ways = between<uint64_t>(1, 4);
      const auto set_of = [sets](uint64_t key) { return key % sets; };
      machine.tlb.push_back(
          small_tlb(names[i], choices[between<size_t>(0, 2)], sets * ways, ways, between(0, 9)));
      oracle.push_back({LruOracle(ways, set_of), machine.tlb.back()});
    }
    machine.tlb.push_back(small_tlb("all", {k4KiB, k2MiB}, 4, 2, 1));
    oracle.push_back({LruOracle(2, [](uint64_t key) { return key % 2; }), machine.tlb.back()});
    TranslationRig timed(machine, k4KiB);
    TranslationRig warming(machine, k4KiB);
    timed.space.set_page_bytes(1, k2MiB);
    warming.space.set_page_bytes(1, k2MiB);
    uint64_t walks = 0;
    for (int step = between(1, 200); step > 0; --step) {
      const bool large = *rc::gen::arbitrary<bool>();
      const uint64_t page_bytes = large ? k2MiB : k4KiB;
      const auto page = between<uint64_t>(0, 20);
      const uint64_t address = (large ? AddressSpace::region_base(1) : 0) + page * page_bytes;
      timed.ready(address + between<uint64_t>(0, page_bytes - 1), step);
      warming.translation.warm(address);
      const uint64_t key = address / page_bytes + (large ? uint64_t{1} << 60 : 0);
      bool held = false;
      for (OracleLevel& level : oracle) {
        const auto& sizes = level.description.page_bytes;
        if (!held && std::find(sizes.begin(), sizes.end(), page_bytes) != sizes.end()) {
          ++level.accesses;
          held = level.tags.access(key, false);
          level.hits += held;
          if (!held) {
            level.tags.insert(key, false);
          }
        }
      }
      walks += !held;
    }
    for (size_t i = 0; i < oracle.size(); ++i) {
      for (const TranslationRig* rig : {&timed, &warming}) {
        const TlbCounts counts = rig->translation.counts()[i];
        RC_ASSERT(counts.accesses == oracle[i].accesses);
        RC_ASSERT(counts.hits == oracle[i].hits);
        RC_ASSERT(counts.misses == counts.accesses - counts.hits);
      }
    }
    RC_ASSERT(timed.translation.walks() == walks);
    RC_ASSERT(warming.translation.walks() == walks);
  });
}

TEST_CASE("loads are counted apart") {
  TranslationRig rig(walking_machine(), k4KiB);
  Course course;
  rig.translation.translate(0, 0, true, course);
  rig.translation.translate(0, 0, false, course);
  rig.translation.translate(k4KiB, 0, false, course);
  const TlbCounts counts = rig.translation.counts()[0];
  CHECK(counts.accesses == 3);
  CHECK(counts.misses == 2);
  CHECK(counts.load_accesses == 1);
  CHECK(counts.load_misses == 1);
}

TEST_CASE("with contiguous frames physical addresses are the virtual ones") {
  TranslationRig rig(walking_machine(), k4KiB);
  CHECK(rig.translation.warm(0x123456789) == 0x123456789);
}

}  // namespace
}  // namespace presort::sim::translation_test
