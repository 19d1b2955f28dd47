#include "presort/sim/memory/page_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <set>

#include "presort/sim/memory/runs.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::page_cache_test {
namespace {

using test::between;
using test::holds;

TEST_CASE("a page is resident once it was inserted, and until it is a victim") {
  PageCache cache(2);
  CHECK_FALSE(cache.touch(7, false).resident);
  CHECK_FALSE(cache.insert(7, PageCache::kNone).valid);
  CHECK(cache.touch(7, false).resident);
  CHECK_FALSE(cache.insert(8, PageCache::kNone).valid);
  cache.touch(7, true);
  const PageCache::Victim clean = cache.insert(9, PageCache::kNone);
  CHECK(clean.valid);
  CHECK(clean.page == 8);
  CHECK_FALSE(clean.dirty);
  cache.touch(9, false);
  const PageCache::Victim dirty = cache.insert(10, PageCache::kNone);
  CHECK(dirty.page == 7);
  CHECK(dirty.dirty);
}

TEST_CASE("page 0 is a page like others") {
  PageCache cache(1);
  CHECK_FALSE(cache.contains(0));
  cache.insert(0, PageCache::kDirty);
  CHECK(cache.contains(0));
  CHECK(cache.insert(1, PageCache::kNone).page == 0);
}

TEST_CASE("a mark is told of once") {
  PageCache cache(4);
  cache.insert(3, PageCache::kMarked);
  CHECK(cache.touch(3, false).was_marked);
  CHECK_FALSE(cache.touch(3, false).was_marked);
}

TEST_CASE("cleaning tells whether there was anything to clean") {
  PageCache cache(4);
  cache.insert(3, PageCache::kDirty);
  CHECK(cache.clean(3));
  CHECK_FALSE(cache.clean(3));
  CHECK_FALSE(cache.clean(4));
  cache.touch(3, true);
  CHECK(cache.dirty_pages() == std::vector<uint64_t>{3});
}

TEST_CASE("up to 16 pages it is a list by time of use") {
  holds("against a list", [] {
    const auto capacity = between<uint64_t>(1, 16);
    PageCache cache(capacity);
    std::list<uint64_t> pages;  // oracle: resident pages, the most recently used first
    std::set<uint64_t> dirty;
    for (int i = between(1, 200); i > 0; --i) {
      const auto page = between<uint64_t>(0, 24);
      const bool write = between(0, 1) == 1;
      const auto held = std::find(pages.begin(), pages.end(), page);
      RC_ASSERT(cache.touch(page, write).resident == (held != pages.end()));
      if (held != pages.end()) {
        pages.erase(held);
      } else {
        const PageCache::Victim victim = cache.insert(page, write ? PageCache::kDirty : 0);
        RC_ASSERT(victim.valid == (pages.size() == capacity));
        if (victim.valid) {
          RC_ASSERT(victim.page == pages.back());
          RC_ASSERT(victim.dirty == (dirty.erase(victim.page) == 1));
          pages.pop_back();
        }
      }
      pages.push_front(page);
      if (write) {
        dirty.insert(page);
      }
      RC_ASSERT(cache.dirty_pages() == std::vector<uint64_t>(dirty.begin(), dirty.end()));
    }
  });
}

TEST_CASE("with many sets it holds close to as many random pages as it says") {
  PageCache cache(4096);
  std::set<uint64_t> resident;
  for (uint64_t page = 0; page < 40960; ++page) {
    const PageCache::Victim victim = cache.insert(page, PageCache::kNone);
    resident.insert(page);
    if (victim.valid) {
      CHECK(resident.erase(victim.page) == 1);
    }
  }
  CHECK(resident.size() == 4096);
  // Each set evicts its own oldest page, so only a few of the latest 3000 pages are gone.
  uint64_t kept = 0;
  for (uint64_t page = 40960 - 3000; page < 40960; ++page) {
    kept += cache.contains(page);
  }
  CHECK(kept > 2850);
}

TEST_CASE("runs are followed side by side, and requests elsewhere begin new ones") {
  Runs runs(64);
  CHECK(runs.extend(100, 4) == 0);
  CHECK(runs.extend(5000, 1) == 0);
  CHECK(runs.extend(104, 2) == 4);
  CHECK(runs.extend(5001, 8) == 1);
  CHECK(runs.length_before(106) == 6);
  CHECK(runs.length_before(104) == 0);
  CHECK(runs.extend(105, 1) == 0);
  CHECK(runs.extend(0, 1) == 0);
}

TEST_CASE("512 runs side by side are all followed") {
  Runs runs(4096);
  for (uint64_t step = 0; step < 20; ++step) {
    for (uint64_t run = 0; run < 512; ++run) {
      CHECK(runs.extend(run * 10000 + step, 1) == step);
    }
  }
}

}  // namespace
}  // namespace presort::sim::page_cache_test
