// How a simulated core's stores wait, ask for their lines and leave the store buffer.
#include "presort/sim/pipeline/core_stores.h"

#include <doctest/doctest.h>

#include "tests/sim/pipeline/core_rig.h"

namespace presort::inline v0::sim::core_stores_test {
namespace {

using namespace test;
using doctest::Approx;

TEST_CASE("a store buffer of s entries stalls the next store until the first has drained") {
  for (const int stores : {1, 4, 8}) {
    Machine machine = small_machine();
    machine.window.stores = stores;
    const auto time_of = [&](int count) {
      return CoreRig(machine).run(fresh(count, [](uint64_t line) { return store(line); }));
    };
    CHECK(time_of(stores) == Approx(0.25 * stores + 1));
    // Cycles to retire, to drain the first store, to have the data
    CHECK(time_of(stores + 1) == Approx(1.25 + 100 + 1));
  }
}

TEST_CASE("waiting for the store buffer is blamed on stores") {
  Machine machine = small_machine();
  machine.window.stores = 1;
  CoreRig rig(machine);
  rig.run(fresh(100, [](uint64_t line) { return store(line); }));
  CHECK(rig.part("stores") > 0.95);
}

TEST_CASE("stores that hit drain one a cycle") {
  CoreRig rig(small_machine());
  rig.warm({store(0)});
  rig.run(repeat(100, {store(0)}));
  CHECK(rig.run(repeat(1000, {store(0)})) == Approx(1000));
}

TEST_CASE("stores wait for their lines together, so many lines at a time") {
  for (const int lines : {1, 4, 8}) {
    for (const int stores_of_line : {1, 3}) {
      Machine machine = small_machine();
      machine.window = {256, 64, 0, lines};
      CoreRig rig(machine);  // a machine with 10 fill buffers
      const auto run_lines = [&](uint64_t count) {
        Records records;
        for (const Access& first : fresh(count, [](uint64_t line) { return store(line); })) {
          records.insert(records.end(), static_cast<size_t>(stores_of_line), first);
        }
        return rig.run(records);
      };
      run_lines(200);
      rig.reset();
      CHECK(run_lines(400) == Approx(400 * 100.0 / lines).epsilon(0.03));
      CHECK(rig.part("stores") > 0.7);  // the rest of the time: a cycle per store
    }
  }
}

TEST_CASE("stores that hit wait for none") {
  Machine machine = small_machine();
  machine.window.store_lines = 1;
  CoreRig rig(machine);
  rig.warm({store(0), store(1)});
  rig.run(repeat(50, {store(0), store(1)}));
  CHECK(rig.run(repeat(500, {store(0), store(1)})) == Approx(1000));
}

// Makes groups of `misses` stores that miss the first level, each followed by `hits` stores that
// hit it.
Records mixed_stores(int groups, int misses, int hits) {
  Records records;
  for (const Access& miss : fresh(groups * misses, [](uint64_t line) { return store(line); })) {
    records.push_back(miss);
    if (records.size() % static_cast<size_t>(misses + hits) == static_cast<size_t>(misses)) {
      for (int k = 0; k < hits; ++k) {
        records.push_back(store(static_cast<uint64_t>(k % 2)));
      }
    }
  }
  return records;
}

TEST_CASE("so many runs of stores that miss are on their way at a time, hits between them") {
  for (const int runs : {1, 2, 4}) {
    for (const int misses : {1, 2}) {
      for (const int hits : {1, 3, 5}) {
        Machine machine = small_machine();  // 10 fill buffers, memory 100 cycles away
        machine.window = {512, 64};
        machine.window.store_runs = runs;
        CoreRig rig(machine);
        rig.warm({store(0), store(1)});
        rig.run(mixed_stores(100, misses, hits));
        rig.reset();
        // Expected cycles: when the oldest store misses, `runs` runs of misses ask for lines at
        // once; then all stores enter one a cycle.
        const double period = 99.0 / runs + misses + hits;
        CHECK(rig.run(mixed_stores(400, misses, hits)) == Approx(400 * period).epsilon(0.03));
      }
    }
  }
}

// Makes pairs of a store to a line never used before and a store to a line that was just loaded.
Records counted_stores(const Records& counters) {
  Records records;
  for (const Access& counter : counters) {
    records.push_back(counter);
    records.push_back(store(next_fresh_line()));
    records.push_back(counter);
    records.back().kind = AccessKind::store;
  }
  return records;
}

TEST_CASE("a store keeps misses apart only if its line was there when its address was known") {
  for (const int runs : {0, 1, 2}) {
    const auto round = [&](bool hot) {
      Machine machine = small_machine();  // 10 fill buffers, memory 100 cycles away
      machine.window = {512, 64};
      machine.window.store_runs = runs;
      CoreRig rig(machine);
      rig.warm({store(0)});
      const auto counters = [&](int count) {
        return hot ? repeat(count, {load(0)}) : fresh(count, [](uint64_t n) { return load(n); });
      };
      rig.run(counted_stores(counters(100)));
      rig.reset();
      return rig.run(counted_stores(counters(400))) / 400;
    };
    CHECK(round(true) == Approx(runs == 0 ? 10.0 : 99.0 / runs + 2).epsilon(0.05));
    // cycles: each pair takes two of the 10 fill buffers for 100 cycles
    CHECK(round(false) == Approx(20).epsilon(0.1));
  }
}

TEST_CASE("a store asks before its turn when few others are before it") {
  struct Row {
    int ahead;
    double time;  // cycles until the entry of the last store is free again
  };
  // A load and a store of fresh lines: the store retires with the load, 100 cycles later.
  for (const Row& row : {Row{0, 200}, Row{1, 100}, Row{4, 100}}) {
    Machine machine = small_machine();
    machine.window.stores = 1;
    machine.window.stores_ahead = row.ahead;
    CoreRig rig(machine);
    Records records = fresh(2, [](uint64_t line) { return load(line); });
    records[1].kind = AccessKind::store;
    const double retired = rig.run(records);
    CHECK(retired + rig.run({store(0)}) == Approx(row.time).epsilon(0.03));
  }
  // Cycles of 400 missing stores with a full buffer of 16 entries: each new store finds 15 before
  // it.
  const auto stores = [](int ahead) {
    Machine machine = small_machine();
    machine.window = {256, 16, 0, 2, ahead};
    CoreRig rig(machine);
    rig.run(mixed_stores(200, 1, 0));
    rig.reset();
    return rig.run(mixed_stores(400, 1, 0));
  };
  CHECK(stores(8) == Approx(400 * 100.0 / 2).epsilon(0.03));
  CHECK(stores(15) == Approx(400 * 100.0 / 2).epsilon(0.03));
  CHECK(stores(16) == Approx(400 * 100.0 / 10).epsilon(0.05));  // 10 fill buffers
}

TEST_CASE("a store whose turn has come is one of so many oldest") {
  // Cycles a miss when one store in 16 misses and all stores wait; tells how many runs of misses
  // the core looks at.
  const auto cycles_a_miss = [](int ahead) {
    Machine machine = small_machine();
    machine.window = {512, 128, 0, 0, ahead};
    CoreRig rig(machine);
    rig.warm({store(0), store(1)});
    rig.run(mixed_stores(100, 1, 15));
    rig.reset();
    return rig.run(mixed_stores(400, 1, 15)) / 400;
  };
  CHECK(cycles_a_miss(16) == Approx(100).epsilon(0.03));  // the next miss is 16 stores behind
  CHECK(cycles_a_miss(17) == Approx((100 + 15) / 2.0).epsilon(0.03));
  CHECK(cycles_a_miss(64) == Approx(100.0 / 4).epsilon(0.05));
}

TEST_CASE("a load of two stores' bytes waits until they have left the buffer") {
  const auto time_of = [](uint8_t bytes) {
    Machine machine = small_machine();
    CoreRig rig(machine);
    rig.warm({store(0)});
    // a store that takes 100 cycles
    Records records = fresh(1, [](uint64_t line) { return store(line); });
    records.push_back(store(0));
    Access second = store(0);
    second.address += 4;
    records.push_back(second);
    Access both = load(0);
    both.size = bytes;
    records.push_back(both);
    return rig.run(records);
  };
  CHECK(time_of(4) < 20);
  CHECK(time_of(8) > 100);
  CHECK(time_of(8) < 120);
}

TEST_CASE("a store that walked asks before its turn, whatever is before it") {
  const auto cycles_a_store = [](int ahead, bool walks) {
    Machine machine = small_machine();
    machine.window = {256, 16, 0, 2, ahead};
    machine.tlb = {TlbLevel{"TLB", {4096}, walks ? 1U : 2U, walks ? 1U : 2U, 0}};
    machine.walk.walkers = 16;
    machine.walk.pde_entries = 4;
    CoreRig rig(machine);
    // Makes stores that alternate between two pages, pair after pair of pages
    const auto stores = [](uint64_t begin, uint64_t end) {
      Records records;
      for (uint64_t i = begin; i < end; ++i) {
        records.push_back(store((uint64_t{1} << 24) + i / 128 * 128 + i % 2 * 64 + i / 2 % 64));
      }
      return records;
    };
    rig.run(stores(0, 256));
    rig.reset();
    return rig.run(stores(256, 640)) / 384;
  };
  CHECK(cycles_a_store(0, true) == Approx(100.0 / 2).epsilon(0.05));
  // limit: stores wait for two lines at a time
  CHECK(cycles_a_store(8, false) == Approx(100.0 / 2).epsilon(0.1));
  // limits: 10 fill buffers, and the reads of page tables
  CHECK(cycles_a_store(8, true) == Approx(100.0 / 10).epsilon(0.2));
}

TEST_CASE("a store asks for its line after younger loads that start before it retires") {
  Machine machine = small_machine();
  machine.caches[0].queue = 1;  // one line at a time comes from memory, 100 cycles each
  machine.window.stores = 1;
  CoreRig rig(machine);
  Records records = fresh(4, [](uint64_t line) { return load(line); });
  // A store that retires with the first load, when the other loads have started
  records[1].kind = AccessKind::store;
  CHECK(rig.run(records) == Approx(300).epsilon(0.01));
  CHECK(rig.run({store(0)}) == Approx(100).epsilon(0.02));  // cycles until the store's line arrives
}

}  // namespace
}  // namespace presort::sim::core_stores_test
