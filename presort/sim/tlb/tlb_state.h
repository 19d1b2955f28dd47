// The state of address translation: TLB levels, page-walk caches, page tables and walkers.
// Translation (translation.h) owns it; the steps beyond the first TLB level (walk_steps.inc) read
// and change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/cache_array.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/tlb/page_table.h"
#include "presort/sim/tlb/pages_met.h"

namespace presort::inline v0::sim {

struct TlbState {
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

    // The page of an address as a unit of the TLB levels' tags.
    uint64_t tag(uint64_t address) const { return address >> entry_shift | tag_bits; }
  };

  // Page-walk caches of one dimension, by level of the entries that they hold (2, 3, 4). A cache
  // without ways is absent.
  struct WalkCaches {
    std::vector<CacheArray> arrays;
    std::vector<int> levels;
  };

  // `pages`: where pages that were walked for are noted; null: nothing asks for them
  TlbState(const Machine& machine, PagesMet* pages, uint64_t seed, uint64_t process);
  TlbState(const TlbState&) = delete;  // not copied: page kinds hold pointers into `levels`

  // True if all arrays keep their entries in order of use (CacheArray::ordered).
  bool in_order();

  std::vector<Level> levels;
  // Page kinds, one for each page-table level that can map a page
  PageKind kinds[PageTable::kLevels];
  PageTable guest;
  PageTable host;
  WalkCaches guest_caches;
  WalkCaches host_caches;
  MissRegisters walkers;
  MissRegisters outstanding;
  bool limited;
  double overhead;
  // Least cycles that a walk holds a walker, by leaf level of the page
  double held[PageTable::kLevels] = {};
  uint64_t host_page_bytes;  // page size of the host, bytes; 0: no nested paging
  PagesMet* pages_met;
  uint64_t walks = 0;

 private:
  // Describes the pages of one guest size. Requires: `levels` is complete
  PageKind make_page_kind(uint64_t guest_page);
  uint64_t entry_page_bytes(uint64_t guest_page) const;
};

}  // namespace presort::sim
