// Memory nodes: on which one a physical address lies, and what a line costs a core of another.
//   latency    a link adds what its latency is above that of the node's own memory
//   bandwidth  a link moves lines one after the other, one way: from the memory of its node
//              `memory` to the cores of its node `cores`, or from cores of `memory` to the memory
//              of `cores`
// Units: times in cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/machine/node_layout.h"
#include "presort/sim/memory/bandwidth.h"
#include "presort/sim/memory/node_address.h"

namespace presort::inline v0::sim {

class MemoryNodes {
 public:
  // The nodes of a machine, used by cores of the given numbers.
  // Requires: find_machine_problem(machine) is empty; 0 <= number < machine.cores
  MemoryNodes(const Machine& machine, const std::vector<int>& core_numbers)
      : count_(node_count(machine)) {
    for (const int number : core_numbers) {
      home_.push_back(node_of_core(machine, number));
    }
    for (size_t cores = 0; count_ > 1 && cores < count_; ++cores) {
      for (size_t memory = 0; memory < count_; ++memory) {
        links_.push_back(cores == memory
                             ? Link{0, Bandwidth(1)}
                             : make_link(machine, link_between(machine, cores, memory)));
      }
    }
  }

  size_t count() const { return count_; }

  // The node of a core, by its place in `core_numbers`.
  size_t home(int core) const { return home_[static_cast<size_t>(core)]; }

  // Cycles that the memory of node `memory` takes longer for cores of node `cores` than their own.
  double extra(size_t cores, size_t memory) const {
    return count_ == 1 ? 0 : links_[cores * count_ + memory].extra;
  }

  // Reserves bytes from node `from` to node `to` from `t` on; returns when their transfer starts.
  double reserve(size_t from, size_t to, double t, double bytes) {
    return from == to ? t : links_[to * count_ + from].wire.reserve(t, bytes);
  }

  void restart() {
    for (Link& link : links_) {
      link.wire.restart();
    }
  }

 private:
  struct Link {
    double extra;
    Bandwidth wire;
  };

  static Link make_link(const Machine& machine, const NumaLink& link) {
    return {(link.latency_ns - machine.memory.latency_ns) * 1e-9 * machine.clock_hz,
            Bandwidth(link.bandwidth / machine.clock_hz)};
  }

  size_t count_;
  std::vector<size_t> home_;
  std::vector<Link> links_;  // by node of the cores, then node of the memory; none for one node
};

}  // namespace presort::sim
