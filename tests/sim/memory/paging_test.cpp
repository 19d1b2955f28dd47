#include "presort/sim/memory/paging.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <utility>

#include "presort/sim/hierarchy.h"
#include "tests/sim/memory/small_storage.h"
#include "tests/sim/pipeline/core_rig.h"
#include "tests/sim/property.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::paging_test {
namespace {

using doctest::Approx;
using test::small_disk;
using test::small_machine;
using test::small_ssd;
using Use = Paging::Use;

constexpr uint64_t kLine = 64;
constexpr uint64_t kPageBytes = test::kPageLines * kLine;

double use(Paging& paging, uint64_t page, double t, Use how = Use::read) {
  return paging.use(page * kPageBytes, t, how);
}

TEST_CASE("the first use of a page waits for the device, others only while it arrives") {
  Paging paging(small_ssd(), 1e9);
  CHECK(use(paging, 9, 5000) == Approx(6256));
  CHECK(paging.use(9 * kPageBytes + 3 * kLine, 5001, Use::read) == Approx(6256));
  CHECK(use(paging, 9, 6255) == Approx(6256));
  CHECK(use(paging, 9, 6257) == 6257);
  CHECK(paging.counts().page_uses == 4);
  CHECK(paging.counts().page_faults == 1);
}

TEST_CASE("faults beyond the number allowed wait for the first to be served") {
  for (const int faults : {1, 3}) {
    Storage storage = small_ssd();
    storage.faults = faults;
    Paging paging(storage, 1e9);
    for (int i = 0; i < faults; ++i) {
      CHECK(use(paging, 10 * static_cast<uint64_t>(i), 0) == Approx(1256 + 256 * i));
    }
    CHECK(use(paging, 500, 0) == Approx(1256 + 1256 + (faults > 1 ? 256 : 0)).epsilon(0.15));
  }
}

TEST_CASE("memory holds as many pages as it has room for, the least recently used one goes") {
  Paging paging(small_ssd(), 1e9);
  for (uint64_t page = 0; page < 16; ++page) {
    use(paging, 10 * page, 0);
  }
  use(paging, 0, 1e5);
  CHECK(paging.counts().page_faults == 16);
  use(paging, 999, 2e5);  // page 999 evicts page 10
  use(paging, 0, 3e5);
  CHECK(paging.counts().page_faults == 17);
  use(paging, 10, 4e5);
  CHECK(paging.counts().page_faults == 18);
}

// Oracle for one set of 16 pages, without read-ahead and write clusters: a list of pages by time of
// use.
TEST_CASE("faults and writes are those of a list of pages by time of use") {
  test::holds("against a list", [] {
    Storage storage = small_ssd();
    const auto capacity = test::between<uint64_t>(1, 16);
    storage.page_cache_bytes = capacity * storage.page_bytes;
    Paging paging(storage, 1e9);
    // Resident pages as pairs (page, dirty), the most recently used first
    std::list<std::pair<uint64_t, bool>> pages;
    uint64_t faults = 0;
    uint64_t writes = 0;
    double t = 0;
    for (int i = test::between(1, 300); i > 0; --i) {
      const auto page = test::between<uint64_t>(0, 20);
      const bool write = test::between(0, 2) == 0;
      t += test::between(0, 3000);
      const auto held = std::find_if(pages.begin(), pages.end(),
                                     [&](const auto& each) { return each.first == page; });
      bool dirty = write;
      if (held != pages.end()) {
        dirty = dirty || held->second;
        pages.erase(held);
      } else {
        ++faults;
        if (pages.size() == capacity) {
          writes += pages.back().second;
          pages.pop_back();
        }
      }
      pages.emplace_front(page, dirty);
      RC_ASSERT(use(paging, page, t, write ? Use::write : Use::read) >= t);
      RC_ASSERT(paging.counts().page_faults == faults);
      RC_ASSERT(paging.counts().writes == writes);
    }
  });
}

TEST_CASE("clean pages go without a write, dirty ones are written") {
  for (const Use how : {Use::read, Use::write}) {
    Paging paging(small_ssd(), 1e9);
    for (uint64_t page = 0; page < 40; ++page) {
      use(paging, 10 * page, 1e5 * static_cast<double>(page), how);
    }
    CHECK(paging.counts().writes == (how == Use::write ? 40 - 16 : 0));
  }
}

TEST_CASE("dirty neighbours within the cluster go along") {
  Storage storage = small_ssd();
  storage.write_cluster_bytes = 4 * storage.page_bytes;
  Paging paging(storage, 1e9);
  // Write clusters of 4 pages: pages 8 to 10 are in one, 11 is absent, 12 is in the next, 7 in the one
  // before.
  for (const uint64_t page : {9, 8, 10, 7, 12}) {
    use(paging, page, 0, Use::write);
  }
  for (uint64_t page = 100; page < 112; ++page) {
    use(paging, page, 1e6);
  }
  CHECK(paging.counts().writes == 1);  // one write, of pages 8 to 10: page 9 had to go
  CHECK(paging.counts().written_bytes == 3 * 256);
  for (uint64_t page = 112; page < 116; ++page) {
    use(paging, page, 1e7);
  }
  CHECK(paging.counts().writes == 3);  // written later: 7 and 12; 8 and 10 are clean
  CHECK(paging.counts().written_bytes == 5 * 256);
}

// By hand, read-ahead of at most 8 pages: a read of page 0 reads it alone; page 1 continues a run
// of 1, so pages 1 and 2 are read; the use of 2 asks for 6 pages, 3 to 8; that of 3 for 8 pages, 9
// to 16; that of 9 for 17 to 24.
TEST_CASE("a sequential reader has ever more read ahead of it") {
  Storage storage = small_ssd();
  storage.read_ahead_bytes = 8 * storage.page_bytes;
  storage.page_cache_bytes = 1024 * storage.page_bytes;
  Paging paging(storage, 1e9);
  const uint64_t reads_after_page[] = {1, 2, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5};
  for (uint64_t page = 0; page < 15; ++page) {
    use(paging, page, 1e6 * static_cast<double>(page));
    CHECK(paging.counts().reads == reads_after_page[page]);
  }
  CHECK(paging.counts().page_faults == 2);
  CHECK(paging.counts().read_bytes == (1 + 2 + 6 + 8 + 8) * 256);
}

TEST_CASE("a reader with read-ahead is limited by the bandwidth, one without by the latency") {
  for (const uint64_t ahead : {1, 16}) {
    Storage storage = small_ssd();
    storage.read_ahead_bytes = ahead * storage.page_bytes;
    storage.page_cache_bytes = 1024 * storage.page_bytes;
    Paging paging(storage, 1e9);
    double t = 0;
    for (uint64_t page = 0; page < 2000; ++page) {
      t = use(paging, page, t);
    }
    CHECK(t / 2000 == Approx(ahead == 1 ? 1256 : 256).epsilon(0.03));
  }
}

TEST_CASE("random uses are not read ahead of") {
  Storage storage = small_ssd();
  storage.read_ahead_bytes = 8 * storage.page_bytes;
  Paging paging(storage, 1e9);
  for (uint64_t page = 0; page < 1000; ++page) {
    use(paging, page * 677 % 10007, 0);
  }
  CHECK(paging.counts().reads == paging.counts().page_faults);
  CHECK(paging.counts().read_bytes == 256 * paging.counts().reads);
}

TEST_CASE("a page that is streamed to from its start is not read; one from its middle is") {
  Paging paging(small_ssd(), 1e9);
  CHECK(paging.use(5 * kPageBytes, 100, Use::stream) == 100);
  CHECK(paging.use(5 * kPageBytes + kLine, 200, Use::stream) == 200);
  CHECK(paging.counts().reads == 0);
  CHECK(paging.use(9 * kPageBytes + kLine, 300, Use::stream) > 1300);
  CHECK(paging.counts().reads == 1);
}

TEST_CASE("what fits is never written; what overflowed is, all of it, in order") {
  Storage storage = small_ssd();
  storage.write_cluster_bytes = 8 * storage.page_bytes;
  Paging fits(storage, 1e9);
  Paging overflows(storage, 1e9);
  for (uint64_t page = 0; page < 16; ++page) {
    use(fits, page, 0, Use::write);
  }
  for (uint64_t page = 0; page < 64; ++page) {
    use(overflows, 63 - page, 1e4 * static_cast<double>(page), Use::write);
  }
  CHECK(fits.write_back(1e9) == 1e9);
  CHECK(fits.counts().writes == 0);
  CHECK(overflows.write_back(1e9) > 1e9);
  CHECK(overflows.counts().written_bytes == 64 * 256);
}

TEST_CASE("warming makes pages resident and dirty, without counts") {
  Paging paging(small_ssd(), 1e9);
  for (uint64_t page = 0; page < 16; ++page) {
    paging.warm(10 * page * kPageBytes, Use::write);
  }
  CHECK(paging.counts().page_uses == 0);
  CHECK(use(paging, 0, 77) == 77);
  CHECK(paging.counts().page_faults == 0);
  use(paging, 999, 100);
  CHECK(paging.counts().writes == 1);
}

// Dependent loads, each of a new page, take one page fault after the other, exact to the
// nanosecond.
TEST_CASE("a chase beyond memory takes page fault and memory latency a step, blamed on storage") {
  for (const bool disk : {false, true}) {
    Machine machine = small_machine();
    machine.storage = disk ? small_disk() : small_ssd();
    Hierarchy hierarchy(machine, AddressSpace(4096));
    test::Records records;
    for (uint64_t k = 0; k < 100; ++k) {
      records.push_back(test::load(k * 131 * test::kPageLines));
      records.back().depends_on = k > 0 ? 1 : 0;
    }
    hierarchy.run(records);
    const double fault = disk ? 7256 : 1256;
    const Statistics statistics = hierarchy.statistics();
    CHECK(statistics.ns == Approx(100 * (fault + 100)).epsilon(1e-3));
    CHECK(statistics.stack_ns.back().first == "storage");
    CHECK(statistics.stack_ns.back().second == Approx(100 * fault).epsilon(1e-3));
    CHECK(statistics.storage->page_faults == 100);
  }
}

TEST_CASE("without storage there is no such term and there are no counts") {
  Hierarchy hierarchy(small_machine(), AddressSpace(4096));
  const Statistics statistics = hierarchy.statistics();
  CHECK(statistics.stack_ns.back().first == "dependence");
  CHECK_FALSE(statistics.storage.has_value());
}

}  // namespace
}  // namespace presort::sim::paging_test
