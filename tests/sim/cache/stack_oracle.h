// Oracle for caches without time, written with lists and without regard for speed: every policy,
// write mode, kind of inclusion, sectors, and streaming stores. For comparison with
// sim::CacheStack; shares no code with it. No prefetchers.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "presort/core/machine/machine.h"
#include "tests/sim/cache/array_oracle.h"

namespace presort::inline v0::test {

class StackOracle {
 public:
  struct Counts {
    uint64_t accesses = 0;
    uint64_t hits = 0;
    uint64_t writebacks = 0;
    uint64_t sector_misses = 0;
    uint64_t write_throughs = 0;
    uint64_t back_invalidations = 0;
    uint64_t bytes_in = 0;
    uint64_t bytes_out = 0;
  };

  explicit StackOracle(const Machine& machine, uint64_t seed = 1);

  // A load, store or page walk that enters at level i. A unit is a sector, or a line without
  // sectors.
  void access(size_t i, uint64_t unit, bool write, uint64_t bytes = 8);
  void stream_store(uint64_t unit);
  void stream_part(uint64_t unit, uint64_t offset, uint64_t bytes);

  const Counts& counts(size_t i) const { return levels_[i].counts; }
  uint64_t memory_reads = 0;
  uint64_t memory_writes = 0;
  uint64_t partial_writes = 0;

  // Returns the rule that is broken, or "". Rules that hold at any time, whatever the policies:
  // inclusion, exclusion, and that the newest value of each unit is in memory or dirty in some
  // level.
  std::string broken_rule();

 private:
  struct Level {
    CacheLevel is;
    ArrayOracle tags;
    Counts counts;
  };

  bool fetch(size_t i, uint64_t unit);
  void store(size_t i, uint64_t unit, uint64_t bytes);
  void put(size_t i, uint64_t unit, bool dirty);
  void leave(size_t i, uint64_t unit, bool dirty);
  void give(size_t i, uint64_t unit, bool dirty);
  void write_memory(uint64_t unit);
  void close_buffer(uint64_t unit);
  bool victims_only(size_t i) const { return levels_[i].is.fill == Fill::onEvict; }

  std::vector<Level> levels_;
  uint64_t unit_;
  std::set<uint64_t> seen_;
  std::set<uint64_t> memory_is_stale_;
  struct Buffer {
    uint64_t unit;
    std::set<uint64_t> bytes;
  };
  std::vector<Buffer> buffers_;
  size_t most_buffers_;
};

}  // namespace presort::test
