// The pages of a block device that are in main memory: sets of 16 pages chosen by a hash; the least
// recently used page of a set makes room. (An operating system keeps one list; with thousands of
// sets the difference is small.)
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim {

class PageCache {
 public:
  // Makes an empty cache of `pages` pages.
  // Requires: pages >= 1
  explicit PageCache(uint64_t pages);

  enum Flag : uint8_t {
    kNone = 0,
    kDirty = 1,  // flag: the page was written since it last equalled the device's copy
    kMarked = 2  // the page's next touch is to be reported
  };

  struct Touch {
    bool resident = false;
    bool was_marked = false;
  };
  // Uses a page: makes it most recently used, dirty if `write`, and takes its mark away.
  Touch touch(uint64_t page, bool write);

  // True if the page is the most recently used of its set and touching it would change nothing: the
  // usual case, and quick to tell.
  bool is_latest(uint64_t page, bool write) const {
    const uint64_t entry = pages_[first_of_set(page)];
    const uint64_t flags = entry & (kDirty | kMarked);
    return entry >> kFlagBits == page + 1 && (flags == kDirty || (flags == kNone && !write));
  }

  bool contains(uint64_t page) const;

  struct Victim {
    bool valid = false;
    bool dirty = false;
    uint64_t page = 0;
  };
  // Brings a page in as most recently used; returns the page that had to leave.
  // Requires: not contains(page)
  Victim insert(uint64_t page, uint8_t flags);

  // Marks a page as equal to the device's copy. Returns whether it was resident and dirty.
  bool clean(uint64_t page);

  // Numbers of all dirty pages, ascending.
  std::vector<uint64_t> dirty_pages() const;

 private:
  static constexpr int kFlagBits = 2;
  static constexpr uint64_t kMostWays = 16;

  uint64_t first_of_set(uint64_t page) const { return bounded(mix64(page), sets_) * ways_; }
  // Index of a page within its set, or ways_ if it is absent.
  uint64_t find(const uint64_t* set, uint64_t page) const;

  uint64_t ways_;
  uint64_t sets_;
  // Resident pages: (page + 1) << 2 | flags, 0: empty; each set in order of use, latest first
  std::vector<uint64_t> pages_;
};

}  // namespace presort::sim
