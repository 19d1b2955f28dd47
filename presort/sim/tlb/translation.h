// Translation from virtual to physical addresses: TLB levels, and page walks whose reads go through
// the caches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/tlb/address_space.h"
#include "presort/sim/tlb/page_table.h"

namespace presort::inline v0::sim {

// With nested paging an entry covers the smaller of guest and host page, and a walk has two
// dimensions: a guest entry that no page-walk cache led to, and the page itself, are translated by
// the host's table too. Guest memory is taken as contiguous in the host's eyes.
// Source: Bhargava et al., "Accelerating two-dimensional page walks for virtualized systems",
//         ASPLOS 2008.
class Translation {
  struct PageKind;
  static constexpr uint64_t kNoEntry = 0;

 public:
  // Makes TLBs and page tables for one process. Processes of different numbers share no memory.
  // Requires: caches and space outlive this object
  Translation(const Machine& machine, const AddressSpace& space, CacheStack& caches, uint64_t seed,
              uint64_t process = 0);
  Translation(const Translation&) = delete;  // not copied: page kinds hold pointers into `levels_`

  struct Reply {
    uint64_t physical = 0;
    double ready = 0;     // time when the address is translated, cycles
    bool walked = false;  // true: the access took a page walk, so finish() must follow
  };

  // Translates an address at time `t`; waits are noted in `course`.
  [[gnu::always_inline]] inline Reply translate(uint64_t address, double t, bool load,
                                                Course& course) {
    const RecentPage& recent = recent_page(address);
    Reply reply;
    if (recent.used(address)) {
      ++recent.kind->translations[load];
      reply.physical = recent.physical(address);
      reply.ready = t + recent.kind->first_latency;
    } else {
      reply = translate_other(address, t, load);
    }
    if (reply.ready > t) {
      course.wait_until(reply.ready, kTlb);
    }
    return reply;
  }

  // Ends the access that got `place` from translate(): at `until` (cycles) its data are there, or
  // it waits for something else, so another access that needs a page walk may begin. Called once
  // for each translation, before the next.
  void finish(const Reply& place, double until) {
    if (place.walked && limited_) {
      outstanding_.hold(until);
    }
  }

  // Translates an address with all effects on TLBs and caches but without time. Returns the
  // physical address.
  uint64_t warm(uint64_t address) {
    const RecentPage& recent = recent_page(address);
    if (recent.used(address)) {
      ++recent.kind->translations[true];
      return recent.physical(address);
    }
    CountedReads reads{caches_, entry_level_};
    return warm_other(address, reads).physical(address);
  }

  // The physical address of a virtual address, without effects.
  uint64_t expected(uint64_t address) {
    const RecentPage& recent = recent_page(address);
    return address >> recent.shift == recent.number
               ? recent.physical(address)
               : guest_.data_address(address, kind_of(address).entry_shift);
  }

  // Returns what expected() does; quicker where few of the addresses are on pages met lately.
  uint64_t frame_address(uint64_t address) {
    return guest_.data_address(address, kind_of(address).entry_shift);
  }

  // Receives the reads of walks, in order, in place of the caches.
  class WalkReads {
   public:
    virtual void read(uint64_t line) = 0;
    // Called before a walk's page becomes known to prefetchers that go on into the next virtual
    // page (PagesMet). Accesses before the walk must not see it.
    virtual void before_new_page() = 0;

   protected:
    ~WalkReads() = default;
  };

  // A page that has just been translated. Until another page is translated, translating the same
  // page again changes nothing but `translations`.
  struct Page {
    // Page number; all ones: translating the page again may change more than the count
    uint64_t number = ~uint64_t{0};
    int shift = 12;
    uint64_t frame = 0;  // physical address of the page's first byte
    uint64_t* translations = nullptr;
  };

  // A page that was translated lately. The members never become wrong, but another page may
  // meanwhile have become the most recent of its set of the first TLB level.
  struct RecentPage {
    uint64_t number = ~uint64_t{0};  // number of the page, address >> shift; all ones: no page
    int shift = 0;
    uint64_t frame = 0;  // physical address of the page's first byte
    uint64_t entry = 1;  // the page's entry in the tags of the first TLB level
    // The entry that was used last in the page's set of the first TLB level; another one where the
    // level does not keep the order.
    const uint64_t* latest = &kNoEntry;
    // The page's set of the first TLB level, as in ordered_set.h, and the number of its ways; null if
    // the level does not keep the order, or has more than kFewWays
    uint64_t* set = nullptr;
    size_t ways = 0;
    PageKind* kind = nullptr;

    // True if translating an address on this page again changes nothing but `translations`.
    bool settled(uint64_t address) const { return address >> shift == number && *latest == entry; }
    // True if the address is on this page and the first TLB level has the page's entry; makes the
    // entry the most recent of its set. False says nothing: the entry may be there all the same.
    bool used(uint64_t address) const {
      return address >> shift == number && (*latest == entry || to_front());
    }
    // Without a branch on the place, which the host could not foresee.
    bool to_front() const {
      unsigned found = 0;
      for (size_t way = 1; way < ways; ++way) {
        found |= static_cast<unsigned>(set[way] == entry) << way;
      }
      if (found == 0) {
        return false;
      }
      uint64_t moved = entry;  // entry that goes into the next way
      for (size_t way = 0; way < ways; ++way) {
        const uint64_t here = set[way];
        set[way] = found >> way != 0 ? moved : here;
        moved = here;
      }
      return true;
    }
    uint64_t physical(uint64_t address) const {
      return frame | (address & ((uint64_t{1} << shift) - 1));
    }
  };

  // The page that was translated last among those that share an entry with the page of an address:
  // pages within the same 2 MiB, and few others. It may be another page.
  RecentPage& recent_page(uint64_t address) {
    return recent_[((address >> 21) + 11 * AddressSpace::region_of(address)) & (kRecent - 1)];
  }

  // Translates the page of `address` without time, as warm() does; the page walk's reads are handed
  // to `reads`.
  Page warm_page(uint64_t address, WalkReads& reads);

  // The cache level at which the reads of page walks enter.
  size_t walk_entry_level() const { return entry_level_; }

  std::vector<TlbCounts> counts() const;
  uint64_t walks() const { return walks_; }
  void reset_counts();

 private:
  struct Level {
    CacheArray tags;
    uint64_t page_sizes;  // bitwise or of the page sizes that the level holds
    double latency;
    TlbCounts counts;
  };

  // How the simulator translates pages of one guest size.
  struct PageKind {
    uint64_t entry_bytes = 0;  // bytes that one TLB entry covers
    int entry_shift = 0;
    uint64_t tag_bits = 0;  // tag bits that keep pages of different sizes apart in a shared array
    int leaf_level = 0;     // level of the guest's page table whose entries map such pages
    std::vector<size_t> levels;   // TLB levels that hold pages of this size
    CacheArray* first = nullptr;  // tags of the nearest TLB level for such pages
    double first_latency = 0;
    uint64_t translations[2] = {};  // counts of translations, for loads and for stores
  };

  // Most ways of a set that are looked through one by one
  static constexpr uint64_t kFewWays = 8;
  static constexpr uint64_t kRecent = 64;

  // Page-walk caches of one dimension, by level of the entries that they hold (2, 3, 4). A cache
  // without ways is absent.
  struct WalkCaches {
    std::vector<CacheArray> arrays;
    std::vector<int> levels;
  };

  PageKind& kind_of(uint64_t address) {
    return kinds_[PageTable::leaf_level(space_.page_bytes(address))];
  }
  static uint64_t tag(const PageKind& kind, uint64_t address) {
    return address >> kind.entry_shift | kind.tag_bits;
  }
  // Makes the page of an address the recent page of its entry in recent_.
  RecentPage& meet(PageKind& kind, uint64_t address);

  // True if the first TLB level has the page's entry, or translation is free.
  bool first_level_hit(const PageKind& kind, uint64_t address) const {
    return kind.first != nullptr ? kind.first->access(tag(kind, address), false).hit
                                 : levels_.empty();
  }
  // Sends the reads of a walk to the caches; a read of `line` at `t` returns when its data arrive.
  struct TimedReads {
    static constexpr bool kTimed = true;
    double read(uint64_t line, double t) const {
      Course unused;
      return caches.access(level, line, t, false, unused).ready;
    }
    void before_new_page() const {}
    CacheStack& caches;
    size_t level;
  };
  struct CountedReads {
    static constexpr bool kTimed = false;
    double read(uint64_t line, double t) const {
      caches.warm(level, line, false);
      return t;
    }
    void before_new_page() const {}
    CacheStack& caches;
    size_t level;
  };
  struct HandedReads {
    static constexpr bool kTimed = false;
    double read(uint64_t line, double t) const {
      to.read(line);
      return t;
    }
    void before_new_page() const { to.before_new_page(); }
    WalkReads& to;
  };

  // Time, cycles, at which a translation that the first TLB level lacks at `t` arrives; the level
  // has it afterwards.
  template <class Reads>
  [[gnu::noinline]] double beyond_first_level(const PageKind& kind, uint64_t address, double t,
                                              bool load, Reads& reads);
  // Notes the page of an address, whose walk comes next, where prefetchers ask for pages.
  template <class Reads>
  void note_page(const PageKind& kind, uint64_t address, Reads& reads);
  template <class Reads>
  double walk(uint64_t address, int leaf_level, double t, Reads& reads);
  template <class Reads>
  double walk_table(const PageTable& table, WalkCaches& caches, uint64_t address, int leaf,
                    bool nested, double t, Reads& reads);
  template <class Reads>
  double host_walk(uint64_t guest_physical, double t, Reads& reads);

  [[gnu::noinline]] Reply translate_other(uint64_t address, double t, bool load);
  template <class Reads>
  [[gnu::noinline]] const RecentPage& warm_other(uint64_t address, Reads& reads);
  // Describes the pages of one guest size. Requires: levels_ is complete
  PageKind make_page_kind(uint64_t guest_page);
  uint64_t entry_page_bytes(uint64_t guest_page) const;
  static WalkCaches make_walk_caches(const PageWalk& walk);
  static int first_level_to_read(WalkCaches& caches, uint64_t address, int leaf);
  static void remember(WalkCaches& caches, int level, uint64_t address);

  const AddressSpace& space_;
  CacheStack& caches_;
  std::vector<Level> levels_;
  // Page kinds, one for each page-table level that can map a page
  PageKind kinds_[PageTable::kLevels];
  std::array<RecentPage, kRecent> recent_;
  PageTable guest_;
  PageTable host_;
  WalkCaches guest_caches_;
  WalkCaches host_caches_;
  MissRegisters walkers_;
  MissRegisters outstanding_;
  bool limited_;
  double overhead_;
  // Least cycles that a walk holds a walker, by leaf level of the page
  double held_[PageTable::kLevels] = {};
  size_t entry_level_ = 0;
  uint64_t host_page_bytes_ = 0;  // page size of the host, bytes; 0: no nested paging
  // Every page that was walked for is noted there; null: nothing asks for it
  PagesMet* pages_met_ = nullptr;
  uint64_t walks_ = 0;
};

}  // namespace presort::sim
