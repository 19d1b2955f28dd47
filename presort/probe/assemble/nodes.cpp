// The memory nodes of the machine, from what cores of each node measured in the memory of each.
#include <algorithm>
#include <string>

#include "presort/probe/assemble/draft.h"

namespace presort::inline v0::probe {
namespace {

std::string name_of_node(size_t node) {
  return "node" + std::to_string(node);
}

const Estimate* find_pair(const Known& known, Quantity quantity, size_t cores, size_t memory) {
  const auto found = known.estimates.find({quantity, node_pair(cores, memory)});
  return found == known.estimates.end() ? nullptr : &found->second;
}

// Sets a link. Its latency is memory's and what the chase takes longer than on the own node: so
// page walks, which both chases have, do not count. False if something was not measured.
bool add_link(Draft& draft, const Known& known, size_t cores, size_t memory) {
  const Estimate* const far = find_pair(known, Quantity::nodeChase, cores, memory);
  const Estimate* const near = find_pair(known, Quantity::nodeChase, cores, cores);
  const Estimate* const read = find_pair(known, Quantity::nodeRead, cores, memory);
  if (far == nullptr || near == nullptr || read == nullptr) {
    return false;
  }
  const double extra = std::max(0.0, far->value_ns - near->value_ns);
  const NumaLink link = {name_of_node(cores), name_of_node(memory),
                         rounded(draft.machine().memory.latency_ns + extra),
                         bytes_per_second(64 / read->value_ns)};
  draft.machine().numa->links.push_back(link);
  const std::string key = "cpu.numa.links." + link.cores + "-" + link.memory + ".";
  draft.file_value(key + "latency", link.latency_ns, "ns", far->uncertainty + near->uncertainty);
  draft.file_value(key + "bandwidth", link.bandwidth / 1e9, "GB/s", read->uncertainty);
  return true;
}

bool add_nodes(Draft& draft, const Known& known) {
  const std::vector<int>& cores = known.topology.node_cores;
  draft.machine().numa.emplace();
  for (size_t node = 0; node < cores.size(); ++node) {
    draft.machine().numa->nodes.push_back({name_of_node(node), cores[node]});
  }
  for (size_t from = 0; from < cores.size(); ++from) {
    for (size_t memory = 0; memory < cores.size(); ++memory) {
      if (from != memory && !add_link(draft, known, from, memory)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<Found> read_of_node_gbs(const Known& known) {
  const Estimate* const read =
      known.topology.node_cores.size() < 2 ? nullptr : find_pair(known, Quantity::nodeRead, 0, 0);
  return read == nullptr ? std::nullopt
                         : std::optional(Found{64 / read->value_ns, read->uncertainty});
}

void set_nodes(Draft& draft, const Known& known) {
  if (known.topology.node_cores.size() < 2) {
    return;
  }
  if (!add_nodes(draft, known)) {
    draft.machine().numa.reset();
    draft.warn("the memory nodes of this host were not measured: the machine file has one node");
    return;
  }
  Machine& machine = draft.machine();
  if (const auto problem = find_machine_problem(machine);
      problem && problem->key_path.starts_with("cpu.numa")) {
    machine.numa.reset();
    draft.warn("the memory nodes of this host are left out: " + problem->key_path + ": " +
               problem->message);
  }
}

}  // namespace presort::probe
