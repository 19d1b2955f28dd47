// The caches of all cores of a machine, and the memory under them: which core meets which cache.
// A level that is `sharedBy` s has one cache for each s cores in a row. Of a machine with several
// memory nodes, any cores may be simulated, and only the caches that they use are made.
//
// Caches of several cores are kept coherent: before a core writes a line, the copies of the others
// are taken away; before it reads one past the caches that it shares with another core, that core's
// dirty copy is written back to where both meet. A line that another core has written comes
// Machine::line_transfer_ns after that core has it; with 0, in the time of the level where both meet.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/cache.h"
#include "presort/sim/cache/copies.h"
#include "presort/sim/memory/dram.h"
#include "presort/sim/tlb/pages_met.h"

namespace presort::inline v0::sim {

// Address spaces: the cores run the threads of one process, or a process each. Processes share no
// memory, so no two of them ever use the same line.
enum class Processes { one, onePerCore };

class MemorySystem {
 public:
  // Makes the caches of `cores` cores and the memory. `numbers` are these cores' numbers in the
  // machine, ascending; empty: 0, 1, …
  // Requires: find_machine_problem(machine) is empty; 1 <= cores <= machine.cores; there are
  //           `cores` numbers, or none
  MemorySystem(const Machine& machine, int cores, uint64_t seed,
               Processes processes = Processes::one, std::vector<int> numbers = {});

  int cores() const { return static_cast<int>(counts_.size()); }
  size_t levels() const { return caches_.size(); }
  // True: cores have caches of their own that have to be kept coherent
  bool has_peers() const { return has_peers_; }
  uint64_t unit_bytes() const { return unit_bytes_; }

  // Where the pages of programs are to be noted; null if no prefetcher asks for them.
  PagesMet* pages_met() { return pages_met_.get(); }

  Cache& cache(size_t level, int core) { return *caches_[level][instance(level, core)]; }
  Dram& memory() { return memory_; }

  // Counts of a core at each level; the work of a shared cache is counted for the core that caused
  // it.
  std::vector<LevelCounts>& counts(int core) { return counts_[static_cast<size_t>(core)]; }

  // Another core, and one of its caches above the level at which two cores meet.
  struct Peer {
    Cache* cache;
    LevelCounts* counts;
    double extra = 0;  // cycles that lines of a core of another memory node take longer to come
  };
  // False: no cache that `core` does not use has a copy of the line.
  bool others_may_have(uint64_t line, int core) const {
    return copies_ == nullptr || copies_->others_may_have(static_cast<size_t>(core), line);
  }
  // The cores that share the cache of `level` with `core` but none above it (`level` = number of
  // levels: they share only memory).
  const std::vector<Peer>& peers(size_t level, int core) const {
    return peers_[static_cast<size_t>(core)][level];
  }

 private:
  size_t instance(size_t level, int core) const {
    return instances_[level][static_cast<size_t>(core)];
  }
  bool meet(size_t level, int a, int b) const {
    return level == levels() || instance(level, a) == instance(level, b);
  }
  void find_peers(int core);
  void find_included(size_t level);
  void count_copies();

  uint64_t unit_bytes_;
  std::unique_ptr<PagesMet> pages_met_;  // before caches_, whose prefetchers refer to it
  bool has_peers_;
  std::vector<std::vector<size_t>> instances_;  // a core's cache of a level: [level][core]
  std::vector<std::vector<std::unique_ptr<Cache>>> caches_;  // all caches: caches_[level][instance]
  std::vector<std::vector<LevelCounts>> counts_;             // access counts: counts_[core][level]
  // Cores that share a level: peers_[core][level]
  std::vector<std::vector<std::vector<Peer>>> peers_;
  // Copies in the caches that are some core's peers; null with one core, or where such caches hold
  // too many lines for a table
  std::unique_ptr<Copies> copies_;
  Dram memory_;
};

// While an object of this type lives, new memory systems have no table of copies: every cache of
// other cores is looked up. For tests.
class ForcedFullSnoop {
 public:
  ForcedFullSnoop();
  ~ForcedFullSnoop();
  ForcedFullSnoop(const ForcedFullSnoop&) = delete;
};

}  // namespace presort::sim
