// Memory nodes of a machine: what contradicts itself, and which cores are used.
#include "presort/core/machine/node_layout.h"

#include <doctest/doctest.h>

#include <functional>
#include <numeric>
#include <string>

#include "tests/core/machine/full_machine.h"

namespace node_layout_test {

using namespace presort;

namespace {

// A machine of two nodes with two and four cores; pairs of cores share the second level.
Machine two_nodes() {
  Machine machine = presort::test::full_machine(DeviceKind::ssd);
  machine.cores = 6;
  machine.caches[1].shared_by = 2;
  machine.numa = {{{"a", 2}, {"b", 4}}, {{"a", "b", 200, 50e9}, {"b", "a", 210, 60e9}}};
  return machine;
}

std::string refusal_of(const std::function<void(Machine&)>& change) {
  Machine machine = two_nodes();
  change(machine);
  const auto problem = find_machine_problem(machine);
  return problem ? problem->key_path + ": " + problem->message : "";
}

TEST_CASE("nodes and links that contradict the machine or each other are refused") {
  REQUIRE(refusal_of([](Machine&) {}).empty());
  const struct {
    std::function<void(Machine&)> change;
    const char* message;
  } cases[] = {
      {[](Machine& m) { m.numa->nodes.clear(); },
       "cpu.numa.nodes: found 'none', accepted: at least one node"},
      {[](Machine& m) {
         m.numa->nodes.resize(17, {"x", 1});
       },
       "cpu.numa.nodes: found '17', accepted: at most 16 nodes"},
      {[](Machine& m) { m.numa->nodes[1].name = "a"; },
       "cpu.numa.nodes[1].name: found 'a', accepted: a name that no other node has"},
      {[](Machine& m) { m.numa->nodes[0].name.clear(); },
       "cpu.numa.nodes[0].name: found '', accepted: a name that no other node has"},
      {[](Machine& m) { m.numa->nodes[0].name = "\n"; }, "cpu.numa.nodes[0].name: found"},
      {[](Machine& m) { m.numa->nodes[1].cores = 5; },
       "cpu.numa.nodes[1].cores: found '5', accepted: at most 4, what the nodes before leave of "
       "cpu.cores"},
      {[](Machine& m) { m.numa->nodes[1].cores = 3; },
       "cpu.cores: found '6', accepted: 5, the cores of all nodes of cpu.numa"},
      {[](Machine& m) { m.caches[2].shared_by = 6; },
       "cpu.caches[2].sharedBy: found '6', accepted: a number that divides 2, the cores up to the "
       "end of node a: no cache is shared by cores of two nodes"},
      {[](Machine& m) { m.numa->links[0].memory = "c"; },
       "cpu.numa.links[0].memory: found 'c', accepted: a, b"},
      {[](Machine& m) { m.numa->links[1].cores = "c"; },
       "cpu.numa.links[1].cores: found 'c', accepted: a, b"},
      {[](Machine& m) { m.numa->links[0].memory = "a"; },
       "cpu.numa.links[0].memory: found 'a', accepted: another node than that of `cores`"},
      {[](Machine& m) { m.numa->links[0].latency_ns = 119; },
       "cpu.numa.links[0].latency: found '119ns', accepted: at least memory.latency, 120ns"},
      {[](Machine& m) { m.numa->links[1] = m.numa->links[0]; },
       "cpu.numa.links[1].memory: found 'b', accepted: a pair of nodes that no other link has"},
      {[](Machine& m) { m.numa->links.pop_back(); },
       "cpu.numa.links: found 'none from a to b', accepted: a link for each ordered pair of "
       "different nodes"},
      {[](Machine& m) { m.numa->links[0].bandwidth = 0; }, "cpu.numa.links[0].bandwidth: found"},
  };
  for (const auto& each : cases) {
    const std::string found = refusal_of(each.change);
    CAPTURE(found);
    CHECK(found.starts_with(each.message));
  }
}

TEST_CASE("a core belongs to the node whose cores follow on from those of the nodes before") {
  const Machine machine = two_nodes();
  const size_t nodes[] = {0, 0, 1, 1, 1, 1};
  for (int core = 0; core < 6; ++core) {
    CHECK(node_of_core(machine, core) == nodes[core]);
  }
  CHECK(node_count(machine) == 2);
  CHECK(link_between(machine, 0, 1).bandwidth == 50e9);
  CHECK(link_between(machine, 1, 0).latency_ns == 210);
}

TEST_CASE("without nodes all cores are of one, and thread t runs on core t") {
  Machine machine = two_nodes();
  for (const bool one_named : {false, true}) {
    machine.numa = one_named ? std::optional(Numa{{{"all", 6}}, {}}) : std::nullopt;
    REQUIRE_FALSE(find_machine_problem(machine).has_value());
    CHECK(node_count(machine) == 1);
    CHECK(node_of_core(machine, 5) == 0);
    CHECK(cores_of_threads(machine, 4) == std::vector<int>{0, 1, 2, 3});
  }
}

TEST_CASE("threads are dealt out to nodes in proportion to their cores") {
  const Machine machine = two_nodes();
  CHECK(cores_of_threads(machine, 1) == std::vector<int>{0});
  CHECK(cores_of_threads(machine, 2) == std::vector<int>{0, 2});
  CHECK(cores_of_threads(machine, 3) == std::vector<int>{0, 2, 3});
  CHECK(cores_of_threads(machine, 6) == std::vector<int>{0, 1, 2, 3, 4, 5});
  CHECK(threads_of_nodes(7, {1, 1}) == std::vector<size_t>{4, 3});
}

TEST_CASE("no node gets a whole thread more than its part, nor more threads than cores") {
  for (size_t a = 0; a <= 9; ++a) {
    for (size_t b = 1; b <= 9; ++b) {
      for (size_t c = 0; c <= 4; ++c) {
        const std::vector<size_t> cores = {a, b, c};
        const size_t all = a + b + c;
        for (size_t threads = 0; threads <= all; ++threads) {
          const auto counts = threads_of_nodes(threads, cores);
          CHECK(std::accumulate(counts.begin(), counts.end(), size_t{0}) == threads);
          for (size_t node = 0; node < 3; ++node) {
            CHECK(counts[node] <= cores[node]);
            const double part =
                static_cast<double>(threads * cores[node]) / static_cast<double>(all);
            CHECK(static_cast<double>(counts[node]) > part - 1);
            CHECK(static_cast<double>(counts[node]) < part + 1);
          }
        }
      }
    }
  }
}

}  // namespace

}  // namespace node_layout_test
