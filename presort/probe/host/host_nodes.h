// The memory nodes of this host by hwloc, and pages bound to them.
#pragma once

#include <string>

#include "presort/cpu/nodes/place_pages.h"

namespace presort::inline v0::probe {

// The nodes that this process may use, which have memory and cores, in the order of their numbers.
// One node, or none, where the host has no more, or where hwloc cannot read it. `synthetic`: the
// nodes of a host that is described rather than there, in the words of
// hwloc_topology_set_synthetic(), "NUMANode:2 core:4 pu:1"; binding has no effect then. Empty: this
// host
cpu::HostNodes host_nodes(const std::string& synthetic = "");

}  // namespace presort::probe
