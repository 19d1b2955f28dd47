#include "presort/probe/host/topology.h"

#include <hwloc.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "presort/probe/host/host_nodes.h"

namespace presort::inline v0::probe {
namespace {

struct TopologyDeleter {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using TopologyPointer = std::unique_ptr<hwloc_topology, TopologyDeleter>;

TopologyPointer load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return nullptr;
  }
  TopologyPointer topology(raw);
  return hwloc_topology_load(raw) == 0 ? std::move(topology) : nullptr;
}

// Cores that this process may run on: hwloc leaves out what its cpuset does not allow.
void add_cores(hwloc_topology* topology, Topology& result) {
  const auto type =
      hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  hwloc_obj_t core = nullptr;
  while ((core = hwloc_get_next_obj_by_type(topology, type, core)) != nullptr) {
    result.cpus.push_back(hwloc_bitmap_first(core->cpuset));
  }
  result.cores = std::max(1, static_cast<int>(result.cpus.size()));
}

AnnouncedCache describe(hwloc_topology* topology, hwloc_obj_t cache) {
  const hwloc_obj_attr_u::hwloc_cache_attr_s& attributes = cache->attr->cache;
  const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
  return {
      .level = static_cast<int>(attributes.depth),
      .size_bytes = attributes.size,
      .ways = attributes.associativity > 0 ? static_cast<uint64_t>(attributes.associativity) : 0,
      .line_bytes = attributes.linesize > 0 ? attributes.linesize : 64,
      .shared_by = std::max(1, cores)};
}

void add_caches(hwloc_topology* topology, Topology& result) {
  for (const auto type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
    const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
    if (cache == nullptr) {
      continue;
    }
    const AnnouncedCache found = describe(topology, cache);
    const uint64_t above = result.caches.empty() ? 0 : result.caches.back().size_bytes;
    if (found.size_bytes <= above) {
      result.warnings.push_back("the system announces an L" + std::to_string(found.level) +
                                " cache of " + std::to_string(found.size_bytes) +
                                " bytes: left out");
      continue;
    }
    result.caches.push_back(found);
  }
}

}  // namespace

Topology this_topology() {
  Topology result;
  const TopologyPointer topology = load();
  if (topology == nullptr) {
    result.cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    result.warnings.emplace_back("hwloc cannot read this machine's topology");
    return result;
  }
  add_cores(topology.get(), result);
  add_caches(topology.get(), result);
  if (const cpu::HostNodes nodes = host_nodes(); nodes.several()) {
    for (const cpu::CpuNode& node : nodes.nodes) {
      result.node_cores.push_back(static_cast<int>(node.cpus.size()));
    }
  }
  return result;
}

}  // namespace presort::probe
