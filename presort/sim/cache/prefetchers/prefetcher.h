// A prefetcher watches the accesses of one cache level and names lines to fetch into it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/sim/cache/prefetchers/page_order.h"

namespace presort::inline v0::sim {

// Equal address differences in a row that a stream or stride prefetcher waits for before it fetches
// ahead.
inline constexpr int kConfirmationsToStart = 2;

class LinePrefetcher {
 public:
  virtual ~LinePrefetcher() = default;

  // The part of an access that a level's prefetchers see.
  struct Observed {
    uint64_t line = 0;
    // True: the access missed, or was the first hit of a line that a prefetch brought in
    bool trigger = false;
    uint64_t instruction = 0;  // address or number of the instruction; 0: unknown, or a page walk
    uint64_t address = 0;      // physical address accessed; 0 if the instruction is unknown
    bool busy = false;         // true: so many demand misses are outstanding that prefetchers yield
  };

  // True if an access to `line` would continue a stream for which the prefetcher already fetches
  // ahead.
  virtual bool follows(uint64_t /*line*/) const { return false; }

  // Shows the prefetcher an access; it appends the lines that it wants fetched.
  virtual void observe(const Observed& access, std::vector<uint64_t>& fetch) = 0;
};

// Makes a prefetcher from its description in the machine file. Without `crossPage` it asks for no
// line outside the 4 KiB page of the access, but for streams that go on after `crossesAfter` pages,
// in the order of `pages`.
// Requires: line_bytes divides 4 KiB; `pages` outlives the prefetcher
std::unique_ptr<LinePrefetcher> make_prefetcher(const Prefetcher& description, uint64_t line_bytes,
                                                const PageOrder& pages = kPagesInOrder);

}  // namespace presort::sim
