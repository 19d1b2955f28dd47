// Memory nodes of hosts that are described, not there (hwloc's synthetic topologies).
#include "presort/probe/host/host_nodes.h"

#include <doctest/doctest.h>

#include <vector>

namespace presort::inline v0::probe {
namespace {

constexpr size_t kPage = 4096;

TEST_CASE("nodes have their cores' first logical CPUs") {
  const cpu::HostNodes two = host_nodes("NUMANode:2 core:4 pu:1");
  REQUIRE(two.nodes.size() == 2);
  CHECK(two.several());
  CHECK(two.nodes[0].cpus == std::vector<int>{0, 1, 2, 3});
  CHECK(two.nodes[1].cpus == std::vector<int>{4, 5, 6, 7});
  const cpu::HostNodes hyper = host_nodes("NUMANode:3 core:2 pu:2");
  REQUIRE(hyper.nodes.size() == 3);
  CHECK(hyper.nodes[2].cpus == std::vector<int>{8, 10});
  const cpu::HostNodes one = host_nodes("package:2 core:2 pu:1");
  CHECK_FALSE(one.several());
}

TEST_CASE("a team of three on two nodes has its threads and bytes where their owner is") {
  const cpu::HostNodes host = host_nodes("NUMANode:2 core:4 pu:1");
  const cpu::ThreadPlaces places = cpu::place_threads(host.nodes, 3);
  CHECK(places.cpus == std::vector<int>{0, 1, 4});
  CHECK(places.nodes == std::vector<size_t>{0, 0, 1});
  const auto pages = cpu::pages_of(cpu::shared_bytes(12 * kPage, 3), 0, kPage, places.nodes);
  CHECK(pages == std::vector<cpu::NodePages>{{0, 8 * kPage, 0}, {8 * kPage, 12 * kPage, 1}});
}

TEST_CASE("pages of a described host are bound to nothing, without an error") {
  const cpu::HostNodes host = host_nodes("NUMANode:2 core:1 pu:1");
  alignas(4096) static std::byte pages[2 * 4096];
  CHECK_NOTHROW(host.binder->bind(pages, 1));
}

TEST_CASE(
    "this host has nodes with cores, or none are known; a description without sense has none") {
  const cpu::HostNodes here = host_nodes();
  for (const cpu::CpuNode& node : here.nodes) {
    CHECK_FALSE(node.cpus.empty());
  }
  CHECK(host_nodes("no topology").nodes.empty());
}

}  // namespace
}  // namespace presort::probe
