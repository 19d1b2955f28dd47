// Memory of several nodes: where pages lie, what a line of another node takes, and that one node
// changes nothing. The machines have a clock of 1 GHz: a cycle is 1 ns.
#include "presort/sim/memory/memory_nodes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "presort/sim/hierarchy.h"
#include "presort/sim/memory/dram.h"
#include "presort/sim/multi_core.h"
#include "tests/sim/random_machine.h"
#include "tests/sim/several_cores.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::memory_nodes_test {
namespace {

using doctest::Approx;
using test::between;
using test::holds;
using test::load;
using test::record;
using test::Records;
using test::run_counted;
using test::run_timed;

constexpr double kExtra[2][2] = {{0, 70}, {90, 0}};

// small_machine with two nodes of two cores each; all caches are a core's own. Memory takes 100 ns
// here, 170 or 190 ns on the other node; links move 8 and 4 bytes a cycle.
Machine two_nodes() {
  Machine machine = test::small_machine();
  machine.cores = 4;
  machine.numa = {{{"a", 2}, {"b", 2}}, {{"a", "b", 170, 8e9}, {"b", "a", 190, 4e9}}};
  return machine;
}

uint64_t on_node(uint64_t line, uint64_t node) {
  return line | node << (kNodeShift - 6);
}

TEST_CASE("an unloaded read takes what the link adds, whatever else the memory does") {
  Machine machine = two_nodes();
  machine.memory.row_hit_ns = -20;
  machine.memory.channels = 2;
  machine.memory.banks = 4;
  for (const double row_cycle : {0.0, 50.0}) {
    machine.memory.row_cycle_ns = row_cycle;
    Dram dram(machine, 64, {0, 1, 2, 3});
    double t = 0;
    for (int i = 0; i < 200; ++i) {
      t += 5000;
      const int core = i % 4;
      const uint64_t node = static_cast<uint64_t>(i / 4) % 2;
      const double taken =
          dram.read(on_node(static_cast<uint64_t>(i) * 4096, node), t, core).ready - t;
      CHECK(taken == Approx(100 + kExtra[core / 2][node]));
      const double again =
          dram.read(on_node(static_cast<uint64_t>(i) * 4096, node), t + 2000, core).ready;
      CHECK(again - t - 2000 == Approx(80 + kExtra[core / 2][node]));
    }
    CHECK(dram.reads() == 400);
  }
}

// The last read of many at a time is there when the slowest of core, link and channels has moved
// all lines.
TEST_CASE("many lines move as fast as the slowest of core, link and memory") {
  constexpr int kLines = 4000;
  for (const double per_core : {0.0, 2e9, 20e9}) {
    for (const double memory : {3e9, 100e9}) {
      for (const int core : {0, 2}) {
        for (const uint64_t node : {0, 1}) {
          Machine machine = two_nodes();
          machine.memory.bandwidth = memory;
          machine.memory.per_core_bandwidth = per_core;
          const bool far = core / 2 != static_cast<int>(node);
          const double link = !far ? 1e15 : core == 0 ? 8e9 : 4e9;
          const double slowest = std::min({per_core > 0 ? per_core : memory, memory, link});
          Dram dram(machine, 64, {0, 1, 2, 3});
          double last = 0;
          for (uint64_t i = 0; i < kLines; ++i) {
            last = std::max(last, dram.read(on_node(i, node), 0, core).ready);
          }
          const double taken = 100 + kExtra[core / 2][node] + kLines * 64 / (slowest * 1e-9);
          CHECK(last == Approx(taken).epsilon(0.02));
        }
      }
    }
  }
}

TEST_CASE("the cores of a node share its links; each direction has its own bytes") {
  Machine machine = two_nodes();
  machine.memory.bandwidth = 100e9;
  const auto last_of = [&](auto use) {
    Dram dram(machine, 64, {0, 1, 2, 3});
    double last = 0;
    for (uint64_t i = 0; i < 2000; ++i) {
      last = std::max(last, use(dram, i));
    }
    return last;
  };
  const double bytes = 2000 * 64;
  // both cores of node a read from node b: twice the lines over one link of 8 bytes a cycle
  CHECK(last_of([](Dram& dram, uint64_t i) {
          return std::max(dram.read(on_node(i, 1), 0, 0).ready,
                          dram.read(on_node(1 << 20 | i, 1), 0, 1).ready);
        }) == Approx(2 * bytes / 8).epsilon(0.02));
  // one reads, the other writes: reads come from b to a, writes go from a to b, at 4 bytes a cycle
  CHECK(last_of([](Dram& dram, uint64_t i) {
          dram.write(on_node(1 << 20 | i, 1), 0, 1);
          return dram.read(on_node(i, 1), 0, 0).ready;
        }) == Approx(bytes / 8).epsilon(0.02));
  CHECK(last_of([](Dram& dram, uint64_t i) {
          dram.read(on_node(i, 1), 0, 0);
          return dram.write(on_node(1 << 20 | i, 1), 0, 1);
        }) == Approx(bytes / 4).epsilon(0.02));
  // a core of b that writes into a's memory takes turns with a's reads from b
  CHECK(last_of([](Dram& dram, uint64_t i) {
          dram.write(on_node(1 << 20 | i, 0), 0, 2);
          return dram.read(on_node(i, 1), 0, 0).ready;
        }) == Approx(2 * bytes / 8).epsilon(0.02));
}

TEST_CASE("nodes have channels and open rows of their own") {
  Machine machine = two_nodes();
  machine.memory.bandwidth = 2e9;
  machine.memory.row_hit_ns = -20;
  Dram dram(machine, 64, {0, 2});
  double last = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    last = std::max({last, dram.read(on_node(i, 0), 0, 0).ready,
                     dram.read(on_node(1 << 20 | i, 1), 0, 1).ready});
  }
  CHECK(last == Approx(2000 * 64 / 2.0).epsilon(0.02));
  dram.restart();
  dram.read(on_node(0, 0), 0, 0);
  dram.read(on_node(1 << 20, 1), 1000, 1);
  CHECK(dram.read(on_node(1, 0), 2000, 0).ready == Approx(2080));
}

// Random node blocks, page by page, against three plain lines.
TEST_CASE("a page lies on the node of its block") {
  holds("random blocks", [] {
    const uint64_t page = *rc::gen::element<uint64_t>(4096, 2 << 20);
    AddressSpace space(page);
    NodeBlocks blocks;
    for (int i = between(1, 5); i > 0; --i) {
      blocks.nodes.push_back(between<size_t>(0, 3));
    }
    blocks.block_bytes = between<uint64_t>(1, 10 << 20);
    blocks.in_turn = between(0, 1) == 1;
    blocks.period_bytes = between<uint64_t>(0, 1) * (uint64_t{32} << 20);
    space.set_nodes(3, blocks);
    for (int i = 0; i < 50; ++i) {
      const auto offset = between<uint64_t>(0, 100 << 20);
      uint64_t at = offset / page * page;
      for (; blocks.period_bytes > 0 && at >= blocks.period_bytes; at -= blocks.period_bytes) {
      }
      size_t block = 0;
      for (; at >= blocks.block_bytes && (blocks.in_turn || block + 1 < blocks.nodes.size());
           at -= blocks.block_bytes) {
        ++block;
      }
      RC_ASSERT(space.node(AddressSpace::region_base(3) + offset) ==
                blocks.nodes[block % blocks.nodes.size()]);
      RC_ASSERT(space.node(AddressSpace::region_base(2) + offset) == 0u);
      RC_ASSERT(space.node(AddressSpace::region_base(4) + offset) == 0u);
    }
  });
}

// Dependent loads of lines of their own, each on a page of its own, in region 1.
Records chase(int count, uint64_t first = 0) {
  Records records;
  for (int i = 0; i < count; ++i) {
    records.push_back(
        load((AddressSpace::region_base(1) >> 6) + 64 * (first + static_cast<uint64_t>(i)), 0,
             i == 0 ? 0 : 1));
  }
  return records;
}

TEST_CASE("a core's loads go to the nodes of their pages") {
  constexpr int kLoads = 200;
  for (const Frames frames : {Frames::contiguous, Frames::random, Frames::coloured}) {
    Machine machine = two_nodes();
    machine.frames = frames;
    AddressSpace space(4096);
    for (const size_t node : {0, 1}) {
      space.set_nodes(1, {{node}, 1});
      MultiCore cores(machine, 2, space, MemoryMode::pipelined, 1, Processes::one, {1, 3});
      run_timed(cores, {chase(kLoads), chase(kLoads, 1000)});
      CHECK(cores.now_ns(0) == Approx(kLoads * (100 + kExtra[0][node])).epsilon(0.01));
      CHECK(cores.now_ns(1) == Approx(kLoads * (100 + kExtra[1][node])).epsilon(0.01));
    }
    space.set_nodes(1, {{0, 1}, 4096, true});
    Hierarchy one(machine, space);
    one.run(chase(kLoads));
    CHECK(one.now_ns() == Approx(kLoads * (100 + kExtra[0][1] / 2)).epsilon(0.01));
  }
}

TEST_CASE("cores that are far apart in the machine share no cache, neighbours do") {
  Machine machine = two_nodes();
  machine.caches[2].shared_by = 2;
  Records loads;
  for (uint64_t line = 0; line < 100; ++line) {
    loads.push_back(load(line));
  }
  const auto third_level_hits = [&](std::vector<int> numbers) {
    MultiCore cores(machine, 2, AddressSpace(4096), MemoryMode::pipelined, 1, Processes::one,
                    std::move(numbers));
    run_counted(cores, {loads, {}});
    run_counted(cores, {{}, loads});
    return cores.statistics(1).levels[2].hits;
  };
  CHECK(third_level_hits({0, 1}) == 100);
  CHECK(third_level_hits({2, 3}) == 100);
  CHECK(third_level_hits({0, 2}) == 0);
  CHECK(third_level_hits({1, 2}) == 0);
}

TEST_CASE("a line that a core of another node has written takes longer by what the link adds") {
  Machine machine = two_nodes();
  machine.line_transfer_ns = 250;
  const auto ns_of_load = [&](std::vector<int> numbers) {
    MultiCore cores(machine, 2, AddressSpace(4096), MemoryMode::dependent, 1, Processes::one,
                    std::move(numbers));
    run_timed(cores, {{record(AccessKind::store, 5)}, chase(20)});
    cores.reset_statistics();
    run_timed(cores, {{}, {load(5, 0, 1)}});
    return cores.statistics(1).ns;
  };
  const double near = ns_of_load({2, 3});
  CHECK(ns_of_load({0, 2}) == Approx(near + kExtra[1][0]));
}

TEST_CASE("one node changes no count and no time, to the last bit") {
  holds("random machines and records", [] {
    Machine machine = test::random_machine();
    machine.storage.reset();
    machine.cores = 3;
    machine.line_transfer_ns = 30 * between(0, 2);
    machine.caches.back().shared_by = between(1, 3);
    std::vector<Records> records(3);
    for (Records& each : records) {
      each = test::random_records(200);
    }
    const auto run = [&](const Machine& on, const AddressSpace& space) {
      MultiCore cores(on, 3, space);
      run_timed(cores, records);
      run_counted(cores, records);
      return std::vector<Statistics>{cores.statistics(0), cores.statistics(1), cores.statistics(2)};
    };
    AddressSpace space(4096);
    const auto without = run(machine, space);
    machine.numa = Numa{{{"all", 3}}, {}};
    space.set_nodes(0, {{0, 0}, 128, true});
    const auto with = run(machine, space);
    for (size_t core = 0; core < 3; ++core) {
      RC_ASSERT(with[core].ns == without[core].ns);
      RC_ASSERT(with[core].stack_ns == without[core].stack_ns);
      RC_ASSERT(with[core].memory_reads == without[core].memory_reads);
      RC_ASSERT(with[core].memory_writes == without[core].memory_writes);
      RC_ASSERT(with[core].walks == without[core].walks);
      for (size_t i = 0; i < with[core].levels.size(); ++i) {
        RC_ASSERT(with[core].levels[i].hits == without[core].levels[i].hits);
        RC_ASSERT(with[core].levels[i].writebacks == without[core].levels[i].writebacks);
      }
    }
  });
}

}  // namespace
}  // namespace presort::sim::memory_nodes_test
