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
#include "presort/sim/tlb/timed_walks.h"
#include "presort/sim/tlb/tlb_state.h"

namespace presort::inline v0::sim {

// With nested paging an entry covers the smaller of guest and host page, and a walk has two
// dimensions: a guest entry that no page-walk cache led to, and the page itself, are translated by
// the host's table too. Guest memory is taken as contiguous in the host's eyes.
// Source: Bhargava et al., "Accelerating two-dimensional page walks for virtualized systems",
//         ASPLOS 2008.
class Translation {
  using PageKind = TlbState::PageKind;
  static constexpr uint64_t kNoEntry = 0;

 public:
  // Makes TLBs and page tables for one process. Processes of different numbers share no memory.
  // Requires: caches and space outlive this object
  Translation(const Machine& machine, const AddressSpace& space, CacheStack& caches, uint64_t seed,
              uint64_t process = 0);
  Translation(const Translation&) = delete;

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
    if (place.walked && tlb_.limited) {
      tlb_.outstanding.hold(until);
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
    return warm_other(address).physical(address);
  }

  // The physical address of a virtual address, without effects.
  uint64_t expected(uint64_t address) {
    const RecentPage& recent = recent_page(address);
    return address >> recent.shift == recent.number
               ? recent.physical(address)
               : tlb_.guest.data_address(address, kind_of(address).entry_shift);
  }

  // Returns what expected() does; quicker where few of the addresses are on pages met lately.
  uint64_t frame_address(uint64_t address) {
    return tlb_.guest.data_address(address, kind_of(address).entry_shift);
  }

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

  // The steps of warm() for counting in blocks (sim/counting), which looks pages up itself: the
  // kind of page of an address; its page as the recent page of its entry in recent_; the state that
  // walk_steps.inc changes.
  PageKind& kind_of(uint64_t address) {
    return tlb_.kinds[PageTable::leaf_level(space_.page_bytes(address))];
  }
  RecentPage& meet(PageKind& kind, uint64_t address);
  TlbState& state() { return tlb_; }

  // True if no translation has an effect: all memory counts as one page then.
  bool is_free() const { return tlb_.levels.empty() && tlb_.guest.is_identity(); }

  // The cache level at which the reads of page walks enter.
  size_t walk_entry_level() const { return entry_level_; }

  std::vector<TlbCounts> counts() const;
  uint64_t walks() const { return tlb_.walks; }
  void reset_counts();

 private:
  // Most ways of a set that are looked through one by one
  static constexpr uint64_t kFewWays = 8;
  static constexpr uint64_t kRecent = 64;

  [[gnu::noinline]] Reply translate_other(uint64_t address, double t, bool load);
  [[gnu::noinline]] const RecentPage& warm_other(uint64_t address);

  const AddressSpace& space_;
  CacheStack& caches_;
  TlbState tlb_;
  size_t entry_level_;
  TimedWalks walks_;
  std::array<RecentPage, kRecent> recent_;
};

}  // namespace presort::sim
