// Memory nodes of a probed machine: what is measured, and what the machine file then says.
#include <doctest/doctest.h>

#include <sched.h>

#include <set>
#include <utility>

#include "presort/probe/host/host_nodes.h"
#include "presort/probe/workloads/workloads.h"
#include "tests/probe/synthetic_probe.h"

namespace nodes_test {

using namespace presort;
using namespace presort::probe;
using namespace presort::probe::test;
using doctest::Approx;

namespace {

// Measurements of two nodes: chases of 130 ns at home, 190 and 200 ns away; reads of 100, 40 and 50
// GB/s.
Estimates two_nodes() {
  Estimates estimates = synthetic_estimates();
  const double chase[2][2] = {{130, 190}, {200, 130}};
  const double gbs[2][2] = {{100, 40}, {50, 100}};
  for (size_t cores = 0; cores < 2; ++cores) {
    for (size_t memory = 0; memory < 2; ++memory) {
      set(estimates, Quantity::nodeChase, node_pair(cores, memory), chase[cores][memory]);
      set(estimates, Quantity::nodeRead, node_pair(cores, memory), 64 / gbs[cores][memory]);
    }
  }
  return estimates;
}

Topology topology_of(std::vector<int> node_cores) {
  Topology topology = synthetic_topology();
  topology.node_cores = std::move(node_cores);
  for (AnnouncedCache& cache : topology.caches) {
    cache.shared_by = 1;
  }
  return topology;
}

TEST_CASE("links take what a chase takes longer than at home, and the bandwidth of reads") {
  const Topology topology = topology_of({1, 1});
  const ProbeResult result = assembled(two_nodes(), topology);
  REQUIRE(result.machine.numa);
  const Numa& numa = *result.machine.numa;
  REQUIRE(numa.nodes.size() == 2);
  CHECK(numa.nodes[1] == NumaNode{"node1", 1});
  REQUIRE(numa.links.size() == 2);
  CHECK(numa.links[0].cores == "node0");
  CHECK(numa.links[0].memory == "node1");
  const double latency = result.machine.memory.latency_ns;
  CHECK(numa.links[0].latency_ns == Approx(latency + 60));
  CHECK(numa.links[1].latency_ns == Approx(latency + 70));
  CHECK(numa.links[0].bandwidth == Approx(40e9));
  CHECK(numa.links[1].bandwidth == Approx(50e9));
  CHECK(result.machine.memory.bandwidth == Approx(100e9));
  CHECK_FALSE(find_machine_problem(result.machine).has_value());
}

TEST_CASE("one node, or a pair that was not measured, gives a machine without nodes") {
  CHECK_FALSE(assembled(two_nodes(), topology_of({})).machine.numa);
  Estimates estimates = two_nodes();
  estimates.erase({Quantity::nodeRead, node_pair(1, 0)});
  const ProbeResult result = assembled(estimates, topology_of({1, 1}));
  CHECK_FALSE(result.machine.numa);
  CHECK(warned(result, "the memory nodes of this host were not measured"));
}

TEST_CASE("every pair of nodes is measured, and nothing with one node") {
  Arena huge(4 << 20, Pages::huge);
  Arena small(2 << 20, Pages::small);
  const Topology topology = this_topology();
  std::multiset<std::pair<Quantity, uint64_t>> series;
  const auto add = [&](Quantity quantity, uint64_t at, const Slice& slice) {
    CHECK(slice.value_ns > 0);
    series.insert({quantity, at});
  };
  measure_nodes({huge, small, topology, 1024, add});
  CHECK(series.empty());
  cpu::HostNodes nodes = host_nodes("NUMANode:2 core:1 pu:1");
  for (cpu::CpuNode& node : nodes.nodes) {
    node.cpus = {sched_getcpu()};
  }
  measure_nodes({huge, small, topology, 1024, add, nodes});
  for (const uint64_t pair : {node_pair(0, 0), node_pair(0, 1), node_pair(1, 0), node_pair(1, 1)}) {
    CHECK(series.count({Quantity::nodeChase, pair}) == 4);
    CHECK(series.count({Quantity::nodeRead, pair}) == 4);
  }
}

}  // namespace

}  // namespace nodes_test
