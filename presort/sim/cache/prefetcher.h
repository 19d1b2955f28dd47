// A prefetcher watches the accesses of one cache level and names lines to fetch into it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::sim {

// Equal steps in a row that a prefetcher of streams or strides waits for before it fetches ahead.
inline constexpr int kConfirmationsToStart = 2;

class LinePrefetcher {
 public:
  virtual ~LinePrefetcher() = default;

  // An access as the level's prefetchers see it.
  struct Observed {
    uint64_t line = 0;
    // True: the access missed, or was the first hit of a line that a prefetch brought in
    bool trigger = false;
    uint64_t instruction = 0;  // the access's instruction; 0: unknown, or a page walk
    uint64_t address = 0;      // physical address of the access; 0 without an instruction
    bool busy = false;         // true: so many demand misses are outstanding that prefetchers yield
  };

  // True if an access to this line would continue a stream that the prefetcher runs ahead of.
  virtual bool follows(uint64_t /*line*/) const { return false; }

  // Takes an access into account and appends the lines to fetch.
  virtual void observe(const Observed& access, std::vector<uint64_t>& fetch) = 0;
};

// Requires: line_bytes divides 4 KiB. Without `crossPage` no line outside the 4 KiB page of the
//           access is asked for.
std::unique_ptr<LinePrefetcher> make_prefetcher(const Prefetcher& description, uint64_t line_bytes);

}  // namespace presort::sim
