// The page walks of sim/tlb/translation.h: number, place and times of their reads.
#include <doctest/doctest.h>

#include "presort/sim/tlb/translation.h"
#include "tests/sim/property.h"
#include "tests/sim/tlb/translation_rig.h"

namespace presort::inline v0::sim::page_walk_test {
namespace {

using namespace test;

constexpr uint64_t k512GiB = 512 * k1GiB;

TEST_CASE("a walk reads one entry per level down to the leaf") {
  CHECK(TranslationRig(walking_machine(), k4KiB).reads(0) == 4);
  CHECK(TranslationRig(walking_machine(), k2MiB).reads(0) == 3);
  CHECK(TranslationRig(walking_machine(), k1GiB).reads(0) == 2);
}

TEST_CASE("the reads of a walk follow each other: cold from memory, then from the cache") {
  TranslationRig rig(walking_machine(), k4KiB);
  CHECK(rig.ready(0, 500) == doctest::Approx(500 + 4 * 100));
  // Entries of this walk lie in the lines of the walk before
  CHECK(rig.ready(k4KiB, 5000) == 5000 + 4 * 4);
  CHECK(rig.ready(k4KiB, 9000) == 9000);  // a TLB hit
  TranslationRig large(walking_machine(), k2MiB);
  CHECK(large.ready(0, 500) == doctest::Approx(500 + 3 * 100));
}

TEST_CASE("the reads of a walk enter the level that the machine names") {
  Machine machine = walking_machine();
  machine.caches.push_back(small_level("L2", 64, 8, 12, 32));
  machine.walk.enters_at = "L2";
  TranslationRig rig(machine, k4KiB);
  rig.ready(0, 500);
  CHECK(rig.caches.counts()[0].accesses == 0);
  CHECK(rig.caches.counts()[1].accesses == 4);
  CHECK(rig.ready(k4KiB, 5000) == 5000 + 4 * 12);
}

TEST_CASE("a page-walk cache of each level skips the tables above") {
  struct Row {
    uint64_t pde, pdpte, pml4e;
    uint64_t same_2mib, same_1gib, same_512gib, beyond;
  };
  for (const Row& row :
       {Row{0, 0, 0, 4, 4, 4, 4}, Row{8, 0, 0, 1, 4, 4, 4}, Row{0, 8, 0, 2, 2, 4, 4},
        Row{0, 0, 8, 3, 3, 3, 4}, Row{8, 8, 8, 1, 2, 3, 4}}) {
    Machine machine = walking_machine();
    machine.walk.pde_entries = row.pde;
    machine.walk.pdpte_entries = row.pdpte;
    machine.walk.pml4e_entries = row.pml4e;
    TranslationRig rig(machine, k4KiB);
    CHECK(rig.reads(0) == 4);
    CHECK(rig.reads(k4KiB) == row.same_2mib);
    CHECK(rig.reads(k2MiB) == row.same_1gib);
    CHECK(rig.reads(k1GiB) == row.same_512gib);
    CHECK(rig.reads(k512GiB) == row.beyond);
  }
}

TEST_CASE("the leaf of a large page is no business of the page-walk caches") {
  Machine machine = walking_machine();
  machine.walk.pde_entries = machine.walk.pdpte_entries = 8;
  TranslationRig rig(machine, k2MiB);
  CHECK(rig.reads(0) == 3);
  CHECK(rig.reads(k2MiB) == 1);
  CHECK(rig.reads(0) == 1);
  CHECK(rig.reads(k1GiB) == 3);
}

TEST_CASE("the leaf of a large page takes no entry from the tables of small ones") {
  Machine machine = walking_machine();
  machine.walk.pde_entries = 1;
  TranslationRig rig(machine, k4KiB);
  rig.space.set_page_bytes(1, k2MiB);
  CHECK(rig.reads(0) == 4);
  CHECK(rig.reads(AddressSpace::region_base(1)) == 3);
  CHECK(rig.reads(k4KiB) == 1);
}

TEST_CASE("a page-walk cache holds as many entries as it has, the least recently used one goes") {
  Machine machine = walking_machine();
  machine.walk.pde_entries = 2;
  TranslationRig rig(machine, k4KiB);
  const uint64_t a = 0;
  const uint64_t b = k2MiB;
  const uint64_t c = 2 * k2MiB;
  for (const uint64_t cold : {a, b}) {
    CHECK(rig.reads(cold) == 4);
  }
  CHECK(rig.reads(a + k4KiB) == 1);
  CHECK(rig.reads(c) == 4);  // four reads: c is cold; its entry evicts that of b
  CHECK(rig.reads(a + 2 * k4KiB) == 1);
  CHECK(rig.reads(b + k4KiB) == 4);
}

TEST_CASE("w walkers walk at once, the next walk waits for the first to end") {
  for (const int walkers : {1, 2, 3}) {
    Machine machine = walking_machine();
    machine.walk.walkers = walkers;
    TranslationRig rig(machine, k4KiB);
    for (int i = 0; i < walkers; ++i) {
      CHECK(rig.ready(i * k512GiB, 500) == doctest::Approx(900));
    }
    CHECK(rig.ready(10 * k512GiB, 600) == doctest::Approx(1300));
    CHECK(rig.ready(10 * k512GiB, 600) == 600);  // no walker needed: a TLB hit
  }
}

TEST_CASE("a walk takes its overhead and its reads, while its walker is busy") {
  Machine machine = walking_machine();
  machine.walk.overhead_cycles = 30;
  TranslationRig rig(machine, k4KiB);
  CHECK(rig.ready(0, 500) == doctest::Approx(930));
  // An address whose page-table entries share no line with those of 0
  const uint64_t far = 8 * k512GiB;
  CHECK(rig.ready(far, 500) == doctest::Approx(1360));
  CHECK(rig.ready(far, 500) == 500);  // no walk: a TLB hit
}

TEST_CASE("of many walks, each page size has them begin at its interval at least") {
  Machine machine = walking_machine();
  machine.walk.walkers = 2;
  // Intervals between walks, cycles; a walk of four reads takes 400
  for (const double interval : {150.0, 200.0, 250.0}) {
    machine.walk.interval_cycles = interval;
    TranslationRig rig(machine, k4KiB);
    const double held = std::max(400.0, 2 * interval);
    for (int i = 0; i < 8; ++i) {
      CHECK(rig.ready(i * 8 * k512GiB, 500) == doctest::Approx(900 + i / 2 * held));
    }
    CHECK(rig.ready(80 * k512GiB, 9000) == doctest::Approx(9400));  // by now all walkers are free
  }
  machine.walk.large_interval_cycles = 300;
  CHECK(machine.walk.interval_of(k4KiB) == 250);
  CHECK(machine.walk.interval_of(k2MiB) == 300);
  TranslationRig rig(machine, k2MiB);
  for (int i = 0; i < 4; ++i) {
    CHECK(rig.ready(i * 8 * k512GiB, 500) == doctest::Approx(800 + i / 2 * 600));
  }
}

TEST_CASE("an access that needs a walk waits until one of those outstanding has its data") {
  for (const int outstanding : {1, 2, 3}) {
    Machine machine = walking_machine();
    machine.walk.walkers = 8;
    machine.walk.outstanding = outstanding;
    TranslationRig rig(machine, k4KiB);
    Course course;
    const auto translate = [&](uint64_t page, double t) {
      return rig.translation.translate(page * 8 * k512GiB, t, true, course);
    };
    for (int i = 0; i < outstanding; ++i) {
      const Translation::Reply place = translate(static_cast<uint64_t>(i), 500);
      CHECK(place.walked);
      CHECK(place.ready == doctest::Approx(900));
      rig.translation.finish(place, 1000.0 + i);
    }
    const Translation::Reply late = translate(10, 500);
    CHECK(late.ready == doctest::Approx(1400));  // the second walk starts at 1000, after the first
    rig.translation.finish(late, 1500);
    const Translation::Reply hit = translate(10, 500);
    CHECK_FALSE(hit.walked);
    CHECK(hit.ready == 500);
    rig.translation.finish(hit, 1e9);  // no effect, as a TLB hit held no walker
    CHECK(translate(11, 2000).ready == doctest::Approx(2400));
  }
}

// Reads of a nested walk through g guest levels and h host levels: each guest entry after the
// first, and the page itself, are translated by the host's table.
TEST_CASE("a nested walk has two dimensions") {
  struct Row {
    uint64_t guest_page, host_page, guest_levels, host_levels;
  };
  for (const Row& row : {Row{k4KiB, k4KiB, 4, 4}, Row{k4KiB, k2MiB, 4, 3}, Row{k2MiB, k4KiB, 3, 4},
                         Row{k2MiB, k2MiB, 3, 3}, Row{k2MiB, k1GiB, 3, 2}}) {
    Machine machine = walking_machine();
    machine.walk.nested_host_page_bytes = row.host_page;
    TranslationRig rig(machine, row.guest_page);
    CHECK(rig.reads(0) == row.guest_levels + row.guest_levels * row.host_levels);
    CHECK(rig.translation.walks() == 1);
  }
}

TEST_CASE("nested, an entry covers the smaller of guest and host page") {
  for (const uint64_t guest : {k4KiB, k2MiB}) {
    for (const uint64_t host : {k4KiB, k2MiB}) {
      Machine machine = walking_machine();
      machine.walk.nested_host_page_bytes = host;
      TranslationRig rig(machine, guest);
      rig.translation.warm(0);
      rig.translation.warm(k4KiB);
      CHECK(rig.translation.walks() == (guest == k2MiB && host == k2MiB ? 1 : 2));
    }
  }
}

TEST_CASE("nested, page-walk caches shorten both dimensions") {
  Machine machine = walking_machine();
  machine.walk.nested_host_page_bytes = k4KiB;
  machine.walk.pde_entries = 16;
  TranslationRig rig(machine, k4KiB);
  rig.reads(0);
  // Two reads: the guest's leaf entry and the host's leaf entry for the page
  CHECK(rig.reads(k4KiB) == 1 + 1);
}

// A cache hit after a page walk must teach the IP-stride prefetcher nothing: misses of the walk are
// no accesses of the load instruction at the load's address.
TEST_CASE("the reads of a walk belong to no instruction") {
  for (const bool timed : {true, false}) {
    Machine machine = walking_machine();
    machine.prefetchers = {{"L1", PrefetcherKind::ipStride, 1, 1, true}};
    TranslationRig rig(machine, k4KiB);
    for (const uint64_t line : {0, 4, 8}) {
      rig.caches.prime(0, line, false);
    }
    for (const uint64_t line : {0, 4, 8}) {
      rig.caches.set_instruction(42, line * 64);
      rig.caches.warm(0, line, false);
      // An address in a page whose page-table entries are in no cache
      const uint64_t cold = (line + 1) * 8 * k512GiB;
      if (timed) {
        rig.ready(cold, 1e6 * static_cast<double>(line));
      } else {
        rig.translation.warm(cold);
      }
    }
    CHECK(rig.translation.walks() == 3);
    CHECK(rig.caches.counts()[0].hits == 3);
    CHECK(rig.caches.counts()[0].prefetches == 0);
  }
}

TEST_CASE("a walk takes at least as long as a shorter one of the same machine") {
  holds("more page-walk entries never mean more reads", [] {
    Machine without = walking_machine();
    Machine with = without;
    with.walk.pde_entries = between<uint64_t>(0, 8);
    with.walk.pdpte_entries = between<uint64_t>(0, 8);
    TranslationRig plain(without, k4KiB);
    TranslationRig cached(with, k4KiB);
    for (int i = between(1, 100); i > 0; --i) {
      const uint64_t address = between<uint64_t>(0, 40) * (k2MiB / 4);
      RC_ASSERT(cached.reads(address) <= plain.reads(address));
    }
  });
}

}  // namespace
}  // namespace presort::sim::page_walk_test
