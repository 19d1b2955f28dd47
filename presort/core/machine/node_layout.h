// Which cores of a machine with memory nodes (core/machine/numa.h) are used, and where they are. A
// machine without nodes is one node.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/core/machine/machine.h"

namespace presort::inline v0 {

size_t node_count(const Machine& machine);

// Number of the node of a core. Requires: 0 <= core < machine.cores
size_t node_of_core(const Machine& machine, int core);

// The link between the cores of one node and the memory of another, by the nodes' numbers.
// Requires: cores != memory; find_machine_problem(machine) is empty
const NumaLink& link_between(const Machine& machine, size_t cores, size_t memory);

// The core that each of `threads` threads runs on: the first cores of each node, as many as
// threads_of_nodes says. With one node, thread t runs on core t.
// Requires: 1 <= threads <= machine.cores
std::vector<int> cores_of_threads(const Machine& machine, int threads);

}  // namespace presort
