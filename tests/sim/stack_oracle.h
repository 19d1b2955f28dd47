// A write-back, write-allocate hierarchy of LRU levels, functionally, written with lists; for
// comparison with sim::CacheStack. No prefetchers.
#pragma once

#include <vector>

#include "core/machine.h"
#include "tests/sim/lru_oracle.h"

namespace presort::test {

class StackOracle {
 public:
  struct Counts {
    uint64_t accesses = 0;
    uint64_t hits = 0;
    uint64_t writebacks = 0;
  };

  explicit StackOracle(const Machine& machine) {
    for (const CacheLevel& level : machine.caches) {
      const uint64_t sets = level.size_bytes / level.line_bytes / level.ways;
      levels_.push_back({LruOracle(level.ways, [sets](uint64_t line) { return line % sets; }),
                         level.fill == Fill::onEvict, Counts{}});
    }
  }

  // A load, store or walk that enters at level i. Returns whether a victim cache gave up dirty
  // data.
  bool access(size_t i, uint64_t line, bool write) {
    if (i == levels_.size()) {
      ++memory_reads;
      return false;
    }
    Level& level = levels_[i];
    ++level.counts.accesses;
    if (level.tags.access(line, write && i == 0)) {
      ++level.counts.hits;
      return level.victims_only && level.tags.remove(line)->dirty;
    }
    const bool dirty = access(i + 1, line, write);
    if (level.victims_only) {
      return dirty;
    }
    put(i, line, dirty || (write && i == 0));
    return false;
  }

  void stream_store(uint64_t line) {
    for (Level& level : levels_) {
      level.tags.remove(line);
    }
    ++memory_writes;
  }

  const Counts& counts(size_t i) const { return levels_[i].counts; }
  uint64_t memory_reads = 0;
  uint64_t memory_writes = 0;

 private:
  struct Level {
    LruOracle tags;
    bool victims_only;
    Counts counts;
  };

  void put(size_t i, uint64_t line, bool dirty) {
    const auto victim = levels_[i].tags.insert(line, dirty);
    if (victim) {
      levels_[i].counts.writebacks += victim->dirty;
      give(i + 1, victim->line, victim->dirty);
    }
  }

  // What level i - 1 dropped arrives at level i.
  void give(size_t i, uint64_t line, bool dirty) {
    if (i == levels_.size()) {
      memory_writes += dirty;
    } else if ((dirty || levels_[i].victims_only) && !levels_[i].tags.access(line, dirty)) {
      put(i, line, dirty);
    }
  }

  std::vector<Level> levels_;
};

}  // namespace presort::test
