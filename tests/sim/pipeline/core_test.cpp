#include "presort/sim/pipeline/core.h"

#include <doctest/doctest.h>

#include "tests/sim/pipeline/core_rig.h"

namespace presort::inline v0::sim::core_test {
namespace {

using namespace test;
using doctest::Approx;

TEST_CASE("a pointer chase takes exactly the latency of the level that holds it, per load") {
  struct Row {
    uint64_t lines;
    double latency;
    const char* term;
  };
  for (const Row& row :
       {Row{16, 4, "L1"}, Row{64, 12, "L2"}, Row{256, 40, "L3"}, Row{1024, 100, "memoryLatency"}}) {
    CoreRig rig(small_machine());
    const Records round = chase(row.lines);
    rig.warm(repeat(2, round));
    rig.run(round);
    rig.reset();
    CHECK(rig.run(repeat(2, round)) == Approx(2 * static_cast<double>(row.lines) * row.latency));
    CHECK(rig.part(row.term) > 0.99);
  }
}

TEST_CASE("code that only dispatches takes its micro-operations divided by the width") {
  for (const int width : {1, 4, 6}) {
    Machine machine = small_machine();
    machine.dispatch_width = width;
    CoreRig rig(machine);
    rig.run({load(0)});
    rig.run(repeat(10, {load(0, 11)}));
    CHECK(rig.run(repeat(1000, {load(0, 11)})) == Approx(1000 * 12.0 / width));
  }
}

TEST_CASE("each kind of micro-operation takes its own slots of dispatch") {
  Machine machine = small_machine();
  machine.window = {512, 512};
  // Slots of plain, load, store, branch, prefetch, lineMove
  machine.costs.slots = {1.5, 2, 12, 5, 7, 20};
  sim::Access line_load = load(0);
  line_load.size = 64;
  struct Row {
    sim::Access record;
    double slots;
  };
  for (const Row& row :
       {Row{load(0), 2}, Row{load(0, 4), 8}, Row{record(AccessKind::store, 0), 12},
        Row{branch(8, false), 5}, Row{record(AccessKind::prefetch, 0), 7}, Row{line_load, 20}}) {
    CoreRig rig(machine);
    rig.run(repeat(100, {load(0), row.record}));
    CHECK(rig.run(repeat(1000, {row.record})) ==
          Approx(1000 * row.slots / machine.dispatch_width).epsilon(0.01));
  }
}

TEST_CASE("time is blamed on the core where dispatch sets the pace, however short its steps") {
  for (const int micro_ops : {3, 11, 159}) {  // dispatch takes 1, 3, 40 cycles; a hit takes 4
    CoreRig rig(small_machine());
    rig.run({load(0)});
    rig.reset();
    rig.run(repeat(1000, {load(0, static_cast<uint16_t>(micro_ops))}));
    CHECK(rig.part("core") > 0.99);
  }
}

TEST_CASE("k independent chains overlap, up to the fill buffers") {
  constexpr int kSteps = 50;
  for (const int chains : {1, 2, 10, 20, 30}) {
    CoreRig rig(small_machine());  // a machine with 10 fill buffers, for 32 loads
    const double time = rig.run(fresh(uint64_t{kSteps} * chains, [chains](uint64_t line) {
      return load(line, 0, static_cast<uint16_t>(chains));
    }));
    if (chains <= 10) {
      CHECK(time == Approx(kSteps * 100 + 0.25 * chains));
    } else {
      CHECK(time == Approx(kSteps * 100.0 * chains / 10).epsilon(0.01));
    }
  }
}

TEST_CASE("loads without dependences overlap up to the fill buffers") {
  for (const int buffers : {1, 4, 10}) {
    Machine machine = small_machine();
    machine.caches[0].queue = buffers;
    CoreRig rig(machine);
    const double time = rig.run(fresh(1000, [](uint64_t line) { return load(line); }));
    CHECK(time == Approx(1000 * 100.0 / buffers).epsilon(0.01));
  }
}

TEST_CASE("w loads fill a window of w entries, the next one waits for the first to retire") {
  for (const int window : {1, 4, 8}) {
    Machine machine = small_machine();
    machine.window.entries = window;
    const auto time_of = [&](int loads) {
      return CoreRig(machine).run(fresh(loads, [](uint64_t line) { return load(line); }));
    };
    CHECK(time_of(window) == Approx(100 + 0.25 * window));
    CHECK(time_of(window + 1) == Approx(100.25 + 100));
  }
}

TEST_CASE("other micro-operations take window entries too") {
  // Time of `loads` loads of 4 cycles, with 16 entries in use by each
  const auto time_of = [](int loads) {
    return CoreRig(small_machine()).run(fresh(loads, [](uint64_t line) { return load(line, 15); }));
  };
  CHECK(time_of(4) == Approx(116));
  CHECK(time_of(5) == Approx(204));
}

TEST_CASE("registers limit what has a result as the window does, and stores and branches not") {
  Machine machine = small_machine();
  machine.window.registers = 5;
  const auto time_of = [&](const Records& records) { return CoreRig(machine).run(records); };
  const auto loads = [](int count) {
    return fresh(count, [](uint64_t line) { return load(line); });
  };
  CHECK(time_of(loads(5)) == Approx(101.25));
  CHECK(time_of(loads(6)) == Approx(200.25));
  Records with_branches = loads(5);
  for (int i = 0; i < 20; ++i) {
    with_branches.push_back(branch(64, false));
  }
  CHECK(time_of(with_branches) == Approx(101.25));
  machine.window.registers = 0;
  CHECK(time_of(loads(6)) == Approx(101.5));
}

TEST_CASE("a predicted branch costs its slot, a mispredicted one its resolution and the penalty") {
  const auto time_after = [](bool taken) {
    CoreRig rig(small_machine());
    rig.warm({load(0)});
    rig.run(repeat(200, {branch(0x400, true)}));
    CHECK(rig.run(repeat(100, {branch(0x400, true)})) == Approx(25));
    return rig.run({branch(0x400, taken), load(0)});
  };
  CHECK(time_after(false) - time_after(true) == Approx(1 + 15));
}

TEST_CASE("a mispredicted branch that waits for a load resolves when the load is there") {
  CoreRig rig(small_machine());
  rig.warm({load(0)});
  rig.run(repeat(200, {branch(0x400, true)}));
  const Records records = fresh(1, [](uint64_t line) { return load(line); });
  rig.reset();
  // Expected cycles: dispatch, load, resolution and penalty of the branch; dispatch and hit of the
  // last load; -1, as the branch before it is resolved.
  CHECK(rig.run({records[0], branch(0x400, false, 1), load(0)}) ==
        Approx(0.25 + 100 + 1 + 15 + 0.25 + 4 - 1));
  CHECK(rig.part("branches") == Approx(15.0 / rig.hierarchy().statistics().ns).epsilon(0.1));
}

TEST_CASE("each step of a chain through one address takes forwarding and the store's cycle") {
  for (const double forward : {4.0, 5.0, 13.0}) {
    Machine machine = small_machine();
    machine.store_forward_cycles = forward;
    CoreRig rig(machine);
    rig.warm({load(0)});
    const Records step = {load(0), store(0, 1)};
    rig.run(repeat(10, step));
    CHECK(rig.run(repeat(1000, step)) == Approx(1000 * (forward + 1)));
  }
}

TEST_CASE("loads that are added to one sum of floats take an add each, others wait for none") {
  const sim::Access added = record(AccessKind::load, 0, 0, 0, 1);
  for (const double add : {2.0, 4.0}) {
    Machine machine = small_machine();
    machine.float_add_cycles = add;
    CoreRig rig(machine);
    rig.run(repeat(10, {added}));
    CHECK(rig.run(repeat(1000, {added})) == Approx(1000 * add));
    CHECK(rig.run(repeat(1000, {load(0)})) < 0.6 * 1000 * add);
    machine.float_add_cycles = 0;
    CoreRig integers(machine);
    integers.run(repeat(10, {added}));
    CHECK(integers.run(repeat(1000, {added})) < 0.6 * 1000 * add);
  }
}

TEST_CASE("a load that always takes the last store's data learns to take them at once") {
  Machine machine = small_machine();
  machine.store_forward_cycles = 7;
  machine.repeated_forward_cycles = 1;
  const auto steps = [](int count, uint64_t instruction, uint64_t line) {
    sim::Access from = load(line);
    from.instruction = instruction;
    return repeat(count, {from, store(line, 1)});
  };
  CoreRig rig(machine);
  rig.warm({load(0), load(1)});
  CHECK(rig.run(steps(129, 9, 0)) == Approx(129 * 8).epsilon(0.02));
  CHECK(rig.run(steps(1000, 9, 0)) == Approx(1000 * 2).epsilon(0.02));
  // Long enough that the store has left the store buffer
  rig.run(repeat(1, {branch(0x40, true), load(2, 4000)}));
  CHECK(rig.run(steps(100, 9, 0)) <= 100 * 2);
  // A load from another address is not renamed, so each step takes 8 cycles
  CHECK(rig.run(steps(100, 9, 1)) == Approx(100 * 8).epsilon(0.06));
  // Loads by another instruction are not yet renamed
  CHECK(rig.run(steps(100, 10, 1)) == Approx(100 * 8).epsilon(0.06));
  rig.run(steps(200, 11, 0));
  const auto beside_prefetches = [&](uint64_t instruction, uint64_t line, uint64_t fetched) {
    Records records;
    for (int i = 0; i < 100; ++i) {
      const Records step = steps(1, instruction, line);
      records.push_back(record(AccessKind::prefetch, fetched));
      records.insert(records.end(), step.begin(), step.end());
    }
    return records;
  };
  CHECK(rig.run(beside_prefetches(11, 0, 1)) == Approx(100 * 2).epsilon(0.06));
  CHECK(rig.run(beside_prefetches(11, 0, 0)) == Approx(100 * 8).epsilon(0.06));
  // Without prefetches of its line the load is renamed again
  CHECK(rig.run(steps(100, 11, 0)) == Approx(100 * 2).epsilon(0.06));
  machine.repeated_forward_beside_prefetch = true;
  machine.repeated_forward_after = 8;
  CoreRig quick(machine);
  quick.warm({load(0), load(1)});
  CHECK(quick.run(steps(9, 9, 0)) == Approx(9 * 8).epsilon(0.05));
  CHECK(quick.run(beside_prefetches(9, 0, 0)) == Approx(100 * 2).epsilon(0.06));
  // One update of another address after each 99: by default the load learns anew in 8 updates, but
  // a core may need more where it met two changes of address in a row
  const auto with_strays = [&](int after_strays) {
    machine.repeated_forward_after_strays = after_strays;
    CoreRig strayed(machine);
    strayed.warm({load(0), load(1)});
    Records round = steps(99, 9, 0);
    const Records stray = steps(1, 9, 1);
    round.insert(round.end(), stray.begin(), stray.end());
    strayed.run(round);
    return strayed.run(repeat(20, round)) / 20;
  };
  CHECK(with_strays(0) == Approx(9 * 8 + 90 * 2).epsilon(0.06));
  CHECK(with_strays(64) == Approx(65 * 8 + 34 * 2).epsilon(0.06));
  machine.repeated_forward_cycles.reset();
  CoreRig plain(machine);
  plain.warm({load(0)});
  plain.run(steps(500, 9, 0));
  CHECK(plain.run(steps(1000, 9, 0)) == Approx(1000 * 8).epsilon(0.01));
}

TEST_CASE("chains through different addresses do not wait for each other") {
  CoreRig rig(small_machine());
  rig.warm({load(0), load(1)});
  const Records step = {load(0), store(0, 1), load(1), store(1, 1)};
  rig.run(repeat(10, step));
  CHECK(rig.run(repeat(1000, step)) == Approx(1000 * 6));
}

TEST_CASE("p load ports take p loads a cycle, and one that misses the first level twice") {
  for (const int ports : {1, 2, 3}) {
    Machine machine = small_machine();
    machine.dispatch_width = 8;
    machine.window = {512, 8};
    machine.window.load_ports = ports;
    CoreRig hits(machine);
    hits.run(repeat(1000, {load(0)}));
    hits.reset();
    CHECK(hits.run(repeat(3000, {load(0)})) == Approx(3000.0 / ports).epsilon(0.01));
    CHECK(hits.part("core") > 0.9);
    if (ports == 1) {  // with two load ports, ten fill buffers held 12 cycles would limit
      CoreRig misses(machine);
      Records lines;
      for (uint64_t line = 0; line < 64; ++line) {  // loads of lines that only the second level has
        lines.push_back(load(line));
      }
      misses.warm(repeat(2, lines));
      misses.run(lines);
      CHECK(misses.run(repeat(20, lines)) == Approx(20 * 64 * 2.0).epsilon(0.01));
    }
  }
}

TEST_CASE("dependent memory takes the sum of the latencies") {
  CoreRig rig(small_machine(), MemoryMode::dependent);
  const Records loads = fresh(100, [](uint64_t line) { return load(line); });
  CHECK(rig.run(loads) == Approx(0.25 + 100 * 100));
  CHECK(rig.run({load(0)}) == Approx(100));
  CHECK(rig.run(repeat(50, {load(0)})) == Approx(50 * 4));
  // With strictly sequential memory, a store has left the buffer before the next access starts.
  rig.run(fresh(40, [](uint64_t line) { return store(line); }));
  const double last_store = rig.run({load(0)});
  CHECK(last_store == Approx(100 + 12));  // cycles: the store's line comes from the second level
}

TEST_CASE("a chain of dependent stores and loads takes the same in both modes") {
  const Records records = fresh(100, [](uint64_t line) { return load(line, 0, 1); });
  CHECK(CoreRig(small_machine()).run(records) ==
        Approx(CoreRig(small_machine(), MemoryMode::dependent).run(records)));
}

TEST_CASE("a software prefetch far enough ahead hides the latency") {
  constexpr uint64_t kAhead = 16;  // 16 steps of 10.25 cycles, more than the 100 of memory
  Records plain;
  Records prefetched;
  const Records lines = fresh(500 + kAhead, [](uint64_t line) { return load(line); });
  for (uint64_t i = 0; i < 500; ++i) {
    const uint64_t line = lines[i].address / 64;
    plain.push_back(load(line, 39, 1));
    prefetched.push_back(record(AccessKind::prefetch, line + kAhead));
    prefetched.push_back(load(line, 39, 2));
  }
  CHECK(CoreRig(small_machine()).run(plain) == Approx(500 * 100).epsilon(0.01));
  Machine machine = small_machine();
  machine.caches[0] = small_level("L1", 64, 8, 4, 10);
  CoreRig rig(machine);
  rig.run(Records(prefetched.begin(), prefetched.begin() + 200));
  CHECK(rig.run(Records(prefetched.begin() + 200, prefetched.end())) == Approx(400 * 10.25));
}

TEST_CASE("streaming stores are limited by the buffers and how long each is held") {
  for (const double hold : {50.0, 100.0}) {
    Machine machine = small_machine();
    machine.memory.streaming_store_ns = hold;
    const double time = CoreRig(machine).run(
        fresh(2000, [](uint64_t line) { return record(AccessKind::streamingStore, line); }));
    CHECK(time == Approx(2000 * hold / 10).epsilon(0.02));
  }
}

TEST_CASE("streams of loads and of streaming stores are limited by bandwidth") {
  Machine machine = small_machine();
  machine.memory.bandwidth = 4e9;
  CoreRig loads(machine);
  CHECK(loads.run(fresh(2000, [](uint64_t line) { return load(line); })) ==
        Approx(2000 * 16).epsilon(0.01));
  CHECK(loads.part("memoryBandwidth") > 0.9);
  CoreRig stores(machine);
  const Records streaming =
      fresh(2000, [](uint64_t line) { return record(AccessKind::streamingStore, line); });
  CHECK(stores.run(streaming) == Approx(2000 * 16).epsilon(0.02));
  CHECK(stores.part("stores") > 0.9);
}

TEST_CASE("waiting for a page walk is blamed on the TLB") {
  Machine machine = small_machine();
  machine.tlb = {small_tlb("TLB", {4096}, 4, 4, 0)};
  CoreRig rig(machine);
  Records records;
  for (uint64_t page = 0; page < 300; ++page) {
    records.push_back(load(page * 64 * 512, 0, 1));  // loads a page whose page table was never read
  }
  rig.run(records);
  CHECK(rig.part("TLB") > 0.45);
  CHECK(rig.hierarchy().statistics().walks == 300);
}

}  // namespace
}  // namespace presort::sim::core_test
