// A prefetcher watches the accesses of one cache level and names lines to fetch into it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/machine.h"

namespace presort::sim {

class LinePrefetcher {
 public:
  virtual ~LinePrefetcher() = default;

  // `line` was looked up in the watched level; appends the lines to fetch. `trigger`: it missed, or
  // hit for the first time a line that a prefetch had brought in.
  virtual void observe(uint64_t line, bool trigger, std::vector<uint64_t>& fetch) = 0;
};

// Requires: line_bytes divides 4 KiB; no prefetcher crosses a 4 KiB page
std::unique_ptr<LinePrefetcher> make_prefetcher(const Prefetcher& description, uint64_t line_bytes);

}  // namespace presort::sim
