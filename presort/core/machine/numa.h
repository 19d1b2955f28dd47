// The memory nodes of a machine with several sockets: which cores belong to which node, and what
// memory of another node costs them. Caches, channels and bandwidth of `memory` are those of each
// node.
#pragma once

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace presort::inline v0 {

// Most nodes of a machine; a physical address of the simulator has four bits for its node.
inline constexpr size_t kMostNodes = 16;

struct NumaNode {
  std::string name;
  int cores = 0;  // number of the node's cores; they follow on from those of the node before
  bool operator==(const NumaNode&) const = default;
};

// The way between the cores of one node and the memory of another.
struct NumaLink {
  std::string cores;      // name of the node whose cores use the memory
  std::string memory;     // name of the node that has the memory
  double latency_ns = 0;  // unloaded load-to-use latency of a row miss there
  // Bytes per second that go from `memory` to `cores`: lines that these cores read, and lines that
  // the cores of `memory` write into the memory of `cores`
  double bandwidth = 0;
  bool operator==(const NumaLink&) const = default;
};

struct Numa {
  std::vector<NumaNode> nodes;
  std::vector<NumaLink> links;  // one for each ordered pair of different nodes
  bool operator==(const Numa&) const = default;
};

// Number of threads on each node, where `threads` threads are dealt out in proportion to
// `cores_of_node`: threads in a row are on one node, and of the remainder the first nodes get more.
// With at most as many threads as cores no node gets more threads than it has cores.
// Requires: the sum of cores_of_node is at least 1
inline std::vector<size_t> threads_of_nodes(size_t threads,
                                            const std::vector<size_t>& cores_of_node) {
  const size_t cores = std::accumulate(cores_of_node.begin(), cores_of_node.end(), size_t{0});
  std::vector<size_t> result;
  size_t cores_before = 0;
  size_t threads_before = 0;
  for (const size_t own : cores_of_node) {
    cores_before += own;
    const size_t end = (threads * cores_before + cores - 1) / cores;
    result.push_back(end - threads_before);
    threads_before = end;
  }
  return result;
}

}  // namespace presort
