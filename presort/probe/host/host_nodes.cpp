#include "presort/probe/host/host_nodes.h"

#include <hwloc.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "presort/core/error.h"

namespace presort::inline v0::probe {
namespace {

struct NodesDeleter {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using NodesPointer = std::unique_ptr<hwloc_topology, NodesDeleter>;

NodesPointer load_nodes(const std::string& synthetic) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return nullptr;
  }
  NodesPointer topology(raw);
  if (!synthetic.empty() && hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0) {
    return nullptr;
  }
  return hwloc_topology_load(raw) == 0 ? std::move(topology) : nullptr;
}

// One logical CPU of each core of a node.
cpu::CpuNode cores_of(hwloc_topology* topology, hwloc_obj_t node) {
  const auto type =
      hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  cpu::CpuNode result;
  hwloc_obj_t core = nullptr;
  while ((core = hwloc_get_next_obj_inside_cpuset_by_type(topology, node->cpuset, type, core)) !=
         nullptr) {
    result.cpus.push_back(hwloc_bitmap_first(core->cpuset));
  }
  return result;
}

class HwlocBinder final : public cpu::PageBinder {
 public:
  HwlocBinder(NodesPointer topology, std::vector<hwloc_obj_t> nodes)
      : topology_(std::move(topology)), nodes_(std::move(nodes)) {}

  void bind(std::span<std::byte> pages, size_t node) const override {
    constexpr int kFlags = HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_MIGRATE;
    if (hwloc_set_area_membind(topology_.get(), pages.data(), pages.size(), nodes_[node]->nodeset,
                               HWLOC_MEMBIND_BIND, kFlags) != 0) {
      throw EnvironmentError("the system does not put " + std::to_string(pages.size()) +
                             " bytes on memory node " + std::to_string(nodes_[node]->os_index) +
                             ": " + std::strerror(errno));
    }
  }

 private:
  NodesPointer topology_;
  std::vector<hwloc_obj_t> nodes_;
};

}  // namespace

cpu::HostNodes host_nodes(const std::string& synthetic) {
  NodesPointer topology = load_nodes(synthetic);
  if (topology == nullptr) {
    return {};
  }
  cpu::HostNodes result;
  std::vector<hwloc_obj_t> nodes;
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_NUMANODE, node)) != nullptr) {
    cpu::CpuNode cores = cores_of(topology.get(), node);
    if (!cores.cpus.empty() && node->attr->numanode.local_memory > 0 && nodes.size() < kMostNodes) {
      result.nodes.push_back(std::move(cores));
      nodes.push_back(node);
    }
  }
  result.binder = std::make_shared<HwlocBinder>(std::move(topology), std::move(nodes));
  return result;
}

}  // namespace presort::probe
