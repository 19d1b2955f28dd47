#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/numa.h"

namespace presort::inline v0::fields {
namespace {

std::string node_name(const NumaNode& node) {
  return node.name;
}
std::string link_name(const NumaLink& link) {
  return link.cores + "-" + link.memory;
}

constexpr Field kNumaNodeRows[] = {
    name<&NumaNode::name>("name", required, "name of the node"),
    number<&NumaNode::cores>("cores", whole(1, 4096), required,
                             "number of its cores, which follow on from those of the node before"),
};
constexpr FieldTable kNumaNode = {"A memory node: some of the cores, and memory beside them.",
                                  kNumaNodeRows, initial_value<NumaNode>};

constexpr Field kNumaLinkRows[] = {
    name<&NumaLink::cores>("cores", required, "name of the node whose cores use the memory"),
    name<&NumaLink::memory>("memory", required, "name of the node that has the memory"),
    number<&NumaLink::latency_ns>("latency", time(0.1, 1e6), required,
                                  "unloaded load-to-use latency of a row miss there"),
    number<&NumaLink::bandwidth>(
        "bandwidth", {RangeUnit::bytesPerSecond, 1e6, 1e15}, required,
        "bytes a second from `memory` to `cores`: lines that these cores read, and lines that the "
        "cores of `memory` write into the memory of `cores`"),
};
constexpr FieldTable kNumaLink = {"The way from the memory of one node to the cores of another.",
                                  kNumaLinkRows, initial_value<NumaLink>};

constexpr Field kNumaRows[] = {
    list<&Numa::nodes, &node_name>("nodes", kNumaNode, required,
                                   "memory nodes; `memory` says what each of them has"),
    list<&Numa::links, &link_name>("links", kNumaLink, stated,
                                   "one for each ordered pair of different nodes"),
};

}  // namespace

constexpr FieldTable kNuma = {"Memory nodes, such as the sockets of a host.", kNumaRows,
                              initial_value<Numa>, TableLayout::block};

}  // namespace presort::fields
