// The machine's cores and caches as the operating system announces them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presort::inline v0::probe {

struct AnnouncedCache {
  int level = 0;  // number of the cache level; 1 for L1d
  uint64_t size_bytes = 0;
  uint64_t ways = 0;  // ways of the cache; 0: the system does not say
  uint64_t line_bytes = 64;
  int shared_by = 1;  // cores that share one cache of this level
};

struct Topology {
  int cores = 1;                       // physical cores that this process may use
  std::vector<int> cpus;               // one logical CPU of each physical core; may be empty
  std::vector<int> node_cores = {};    // those cores by memory node, if there are several nodes
  std::vector<AnnouncedCache> caches;  // data and unified caches, nearest first; may be empty
  // Warnings about what the system did not announce and was guessed
  std::vector<std::string> warnings;
};

// The topology of this host by hwloc, which reads /sys or, without it, CPUID. A level that
// contradicts itself (no size, or smaller than the level before it) is left out with a warning.
Topology this_topology();

}  // namespace presort::probe
