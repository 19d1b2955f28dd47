#include "presort/core/machine/node_layout.h"

#include <algorithm>

#include "presort/core/error.h"

namespace presort::inline v0 {

size_t node_count(const Machine& machine) {
  return machine.numa ? machine.numa->nodes.size() : 1;
}

size_t node_of_core(const Machine& machine, int core) {
  size_t node = 0;
  for (int end = 0; machine.numa && node + 1 < machine.numa->nodes.size(); ++node) {
    end += machine.numa->nodes[node].cores;
    if (core < end) {
      break;
    }
  }
  return node;
}

const NumaLink& link_between(const Machine& machine, size_t cores, size_t memory) {
  const Numa& numa = machine.numa.value();
  const auto found = std::ranges::find_if(numa.links, [&](const NumaLink& link) {
    return link.cores == numa.nodes[cores].name && link.memory == numa.nodes[memory].name;
  });
  if (found == numa.links.end()) {
    throw Error("two memory nodes without a link");
  }
  return *found;
}

std::vector<int> cores_of_threads(const Machine& machine, int threads) {
  std::vector<size_t> cores_of_node;
  if (machine.numa) {
    for (const NumaNode& node : machine.numa->nodes) {
      cores_of_node.push_back(static_cast<size_t>(node.cores));
    }
  } else {
    cores_of_node.push_back(static_cast<size_t>(machine.cores));
  }
  std::vector<int> cores;
  int first = 0;
  const auto counts = threads_of_nodes(static_cast<size_t>(threads), cores_of_node);
  for (size_t node = 0; node < counts.size(); ++node) {
    for (size_t k = 0; k < counts[node]; ++k) {
      cores.push_back(first + static_cast<int>(k));
    }
    first += static_cast<int>(cores_of_node[node]);
  }
  return cores;
}

}  // namespace presort
