#include <set>
#include <utility>

#include "presort/core/machine/check/machine_check.h"
#include "presort/core/text/range.h"

namespace presort::inline v0 {
namespace {

std::string node_path(size_t i, const char* key) {
  return "cpu.numa.nodes[" + std::to_string(i) + "]." + key;
}
std::string link_path(size_t i, const char* key) {
  return "cpu.numa.links[" + std::to_string(i) + "]." + key;
}

Found check_nodes(const Machine& machine, const Numa& numa) {
  std::set<std::string> names;
  int cores = 0;
  for (size_t i = 0; i < numa.nodes.size(); ++i) {
    const NumaNode& node = numa.nodes[i];
    if (node.name.empty() || !names.insert(node.name).second) {
      return machine_problem(node_path(i, "name"), node.name, "a name that no other node has");
    }
    cores += node.cores;
    if (cores > machine.cores) {
      return machine_problem(node_path(i, "cores"), std::to_string(node.cores),
                             "at most " + std::to_string(machine.cores - cores + node.cores) +
                                 ", what the nodes before leave of cpu.cores");
    }
  }
  return cores == machine.cores
             ? Found{}
             : machine_problem("cpu.cores", std::to_string(machine.cores),
                               std::to_string(cores) + ", the cores of all nodes of cpu.numa");
}

// Checks that the cores that share a cache are of one node.
Found check_sharing(const Machine& machine, const Numa& numa) {
  int end = 0;
  for (size_t i = 0; i + 1 < numa.nodes.size(); ++i) {
    end += numa.nodes[i].cores;
    for (size_t level = 0; level < machine.caches.size(); ++level) {
      const CacheLevel& cache = machine.caches[level];
      if (end % cache.shared_by != 0) {
        return machine_problem(
            "cpu.caches[" + std::to_string(level) + "].sharedBy", std::to_string(cache.shared_by),
            "a number that divides " + std::to_string(end) + ", the cores up to the end of node " +
                numa.nodes[i].name + ": no cache is shared by cores of two nodes");
      }
    }
  }
  return {};
}

Found unless_node(const Numa& numa, const std::string& key_path, const std::string& name) {
  std::vector<std::string> names;
  for (const NumaNode& node : numa.nodes) {
    if (node.name == name) {
      return {};
    }
    names.push_back(node.name);
  }
  return MachineProblem{key_path, unknown_name_message("", name, names).substr(2)};
}

Found check_link(const Machine& machine, const Numa& numa, size_t i) {
  const NumaLink& link = numa.links[i];
  if (Found unknown = first_of(unless_node(numa, link_path(i, "cores"), link.cores),
                               unless_node(numa, link_path(i, "memory"), link.memory))) {
    return unknown;
  }
  if (link.cores == link.memory) {
    return machine_problem(link_path(i, "memory"), link.memory,
                           "another node than that of `cores`: `memory` says what a node's own "
                           "memory takes");
  }
  if (!(link.latency_ns >= machine.memory.latency_ns)) {
    return machine_problem(link_path(i, "latency"),
                           number_text(link.latency_ns, RangeUnit::nanoseconds),
                           "at least memory.latency, " +
                               number_text(machine.memory.latency_ns, RangeUnit::nanoseconds));
  }
  return {};
}

// Checks that each ordered pair of nodes has one link.
Found check_pairs(const Numa& numa) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (size_t i = 0; i < numa.links.size(); ++i) {
    const NumaLink& link = numa.links[i];
    if (!pairs.insert({link.cores, link.memory}).second) {
      return machine_problem(link_path(i, "memory"), link.memory,
                             "a pair of nodes that no other link has");
    }
  }
  for (const NumaNode& cores : numa.nodes) {
    for (const NumaNode& memory : numa.nodes) {
      if (cores.name != memory.name && !pairs.contains({cores.name, memory.name})) {
        return machine_problem("cpu.numa.links", "none from " + memory.name + " to " + cores.name,
                               "a link for each ordered pair of different nodes");
      }
    }
  }
  return {};
}

}  // namespace

Found check_numa(const Machine& machine) {
  if (!machine.numa) {
    return {};
  }
  const Numa& numa = *machine.numa;
  Found found = first_of(check_nodes(machine, numa), check_sharing(machine, numa));
  for (size_t i = 0; !found && i < numa.links.size(); ++i) {
    found = check_link(machine, numa, i);
  }
  return found ? found : check_pairs(numa);
}

}  // namespace presort
