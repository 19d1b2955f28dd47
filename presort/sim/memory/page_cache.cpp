#include "presort/sim/memory/page_cache.h"

#include <algorithm>
#include <cstring>

namespace presort::inline v0::sim {

PageCache::PageCache(uint64_t pages)
    : ways_(std::min(pages, kMostWays)), sets_(pages / ways_), pages_(sets_ * ways_, 0) {}

uint64_t PageCache::find(const uint64_t* set, uint64_t page) const {
  uint64_t way = 0;
  while (way < ways_ && set[way] >> kFlagBits != page + 1) {
    ++way;
  }
  return way;
}

PageCache::Touch PageCache::touch(uint64_t page, bool write) {
  uint64_t* set = pages_.data() + first_of_set(page);
  const uint64_t way = find(set, page);
  if (way == ways_) {
    return {};
  }
  const uint64_t entry = set[way];
  std::memmove(set + 1, set, way * sizeof(uint64_t));
  set[0] = (entry & ~uint64_t{kMarked}) | (write ? kDirty : kNone);
  return {true, (entry & kMarked) != 0};
}

bool PageCache::contains(uint64_t page) const {
  return find(pages_.data() + first_of_set(page), page) < ways_;
}

PageCache::Victim PageCache::insert(uint64_t page, uint8_t flags) {
  uint64_t* set = pages_.data() + first_of_set(page);
  const uint64_t old = set[ways_ - 1];
  std::memmove(set + 1, set, (ways_ - 1) * sizeof(uint64_t));
  set[0] = (page + 1) << kFlagBits | flags;
  if (old == 0) {
    return {};
  }
  return {true, (old & kDirty) != 0, (old >> kFlagBits) - 1};
}

bool PageCache::clean(uint64_t page) {
  uint64_t* set = pages_.data() + first_of_set(page);
  const uint64_t way = find(set, page);
  if (way == ways_ || (set[way] & kDirty) == 0) {
    return false;
  }
  set[way] &= ~uint64_t{kDirty};
  return true;
}

std::vector<uint64_t> PageCache::dirty_pages() const {
  std::vector<uint64_t> pages;
  for (const uint64_t entry : pages_) {
    if ((entry & kDirty) != 0) {
      pages.push_back((entry >> kFlagBits) - 1);
    }
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

}  // namespace presort::sim
