// The pages that programs have touched, found by physical address, so that a prefetcher that sees
// physical addresses can follow a stream into the next virtual page.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/sim/cache/prefetchers/page_order.h"
#include "presort/sim/tlb/page_table.h"

namespace presort::inline v0::sim {

class PagesMet final : public PageOrder {
 public:
  // Notes that virtual page `number`, of 2^shift bytes, has the frame that `table` gives it.
  // Requires: `table` outlives this object
  void note(uint64_t number, int shift, const PageTable& table);

  // True if note() would change nothing.
  bool knows(uint64_t number, int shift, const PageTable& table) const;

  std::optional<uint64_t> beside(uint64_t page, int direction) const override;

 private:
  struct Entry {
    uint64_t frame = 0;  // physical address >> shift
    uint64_t number = 0;
    const PageTable* table = nullptr;  // null: the entry is free
    int shift = 0;
  };
  // The entry of a frame, or the free one where it belongs.
  // Requires: entries_ is not empty
  size_t place_of(uint64_t frame, int shift) const;
  void grow();

  std::vector<Entry> entries_;  // open addressing; a power of two of them, at most half in use
  size_t used_ = 0;
  uint64_t shifts_ = 0;  // bit k: pages of 2^k bytes were noted
};

}  // namespace presort::sim
