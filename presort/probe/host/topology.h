// Cores and caches as the system announces them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presort::inline v0::probe {

struct AnnouncedCache {
  int level = 0;  // cache level; 1 for L1d
  uint64_t size_bytes = 0;
  uint64_t ways = 0;  // ways of a set; 0: the system does not say
  uint64_t line_bytes = 64;
  int shared_by = 1;  // cores that share one instance of the cache
};

struct Topology {
  int cores = 1;                       // physical cores that this process may use
  std::vector<int> cpus;               // one logical CPU of each physical core; may be empty
  std::vector<AnnouncedCache> caches;  // data and unified caches, nearest first; may be empty
  std::vector<std::string> warnings;   // warnings on what had to be guessed
};

// The topology of this host by hwloc, which reads /sys or, without it, CPUID. A level that
// contradicts itself (no size, or smaller than the level before it) is left out with a warning.
Topology this_topology();

}  // namespace presort::probe
