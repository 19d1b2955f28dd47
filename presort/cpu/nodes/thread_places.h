// The memory nodes of a host that a team of threads may use, and which thread runs where.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/core/machine/numa.h"

namespace presort::inline v0::cpu {

struct CpuNode {
  std::vector<int> cpus;  // one logical CPU of each of the node's cores that may be used
  bool operator==(const CpuNode&) const = default;
};

// Where the threads of a team run.
struct ThreadPlaces {
  std::vector<int> cpus;      // CPU of each thread; empty: wherever the system puts it
  std::vector<size_t> nodes;  // node of each thread, by its index among the nodes; ascending
  bool operator==(const ThreadPlaces&) const = default;
};

// Deals out threads to nodes in proportion to their cores (core/machine/node_layout.h), each to a
// core of its own. More threads than cores run anywhere, and count as those of the first node.
// Requires: threads >= 1
inline ThreadPlaces place_threads(const std::vector<CpuNode>& nodes, size_t threads) {
  std::vector<size_t> cores;
  size_t all = 0;
  for (const CpuNode& node : nodes) {
    cores.push_back(node.cpus.size());
    all += node.cpus.size();
  }
  ThreadPlaces places;
  if (threads > all) {
    places.nodes.assign(threads, 0);
    return places;
  }
  const std::vector<size_t> counts = threads_of_nodes(threads, cores);
  for (size_t node = 0; node < counts.size(); ++node) {
    const std::vector<int>& cpus = nodes[node].cpus;
    places.nodes.insert(places.nodes.end(), counts[node], node);
    places.cpus.insert(places.cpus.end(), cpus.begin(),
                       cpus.begin() + static_cast<std::ptrdiff_t>(counts[node]));
  }
  return places;
}

}  // namespace presort::cpu
