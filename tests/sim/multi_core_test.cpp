#include "presort/sim/multi_core.h"

#include <doctest/doctest.h>

#include <vector>

#include "presort/core/error.h"
#include "tests/sim/cache/array_oracle.h"
#include "tests/sim/random_machine.h"
#include "tests/sim/several_cores.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::multi_core_test {
namespace {

using test::ArrayOracle;
using test::between;
using test::holds;
using test::load;
using test::record;
using test::Records;
using test::run_counted;
using test::run_timed;
using test::small_level;
using test::small_machine;

const AddressSpace kSpace(4096);

// small_machine with `cores` cores: each core has its own L1 and L2, all share the L3.
Machine machine_of(int cores) {
  Machine machine = small_machine();
  machine.cores = cores;
  machine.caches.back().shared_by = cores;
  return machine;
}

Records store(uint64_t line) {
  return {record(AccessKind::store, line)};
}

Records load_and_store(uint64_t line) {
  return {load(line), record(AccessKind::store, line)};
}

TEST_CASE("one core of many is the machine with one core, to the last bit") {
  holds("random machines and records", [] {
    Machine machine = test::random_machine();
    machine.storage.reset();
    machine.cores = 2;
    const Records records = test::random_records(300);
    Hierarchy single(machine, kSpace);
    MultiCore multi(machine, 2, kSpace);
    single.run(records);
    test::RecordSource source(records);
    AccessSource* const sources[] = {&source, nullptr};
    multi.run(sources);
    const Statistics a = single.statistics();
    const Statistics b = multi.statistics(0);
    RC_ASSERT(a.ns == b.ns);
    RC_ASSERT(a.stack_ns == b.stack_ns);
    RC_ASSERT(a.memory_reads == b.memory_reads);
    RC_ASSERT(a.memory_writes == b.memory_writes);
    RC_ASSERT(a.walks == b.walks);
    for (size_t i = 0; i < a.levels.size(); ++i) {
      RC_ASSERT(a.levels[i].hits == b.levels[i].hits);
      RC_ASSERT(a.levels[i].writebacks == b.levels[i].writebacks);
      RC_ASSERT(a.levels[i].bytes_in == b.levels[i].bytes_in);
    }
    RC_ASSERT(multi.statistics(1).accesses == 0u);
    RC_ASSERT(multi.now_ns(1) == 0);
  });
}

TEST_CASE("cores with small sets of their own do not disturb each other") {
  const Machine machine = machine_of(2);
  const auto loop_over = [](uint64_t first) {
    Records records;
    for (int i = 0; i < 4000; ++i) {
      records.push_back(load(first + static_cast<uint64_t>(i) % 12));
    }
    return records;
  };
  MultiCore alone(machine, 1, kSpace);
  run_timed(alone, {loop_over(0)});
  MultiCore both(machine, 2, kSpace);
  run_timed(both, {loop_over(0), loop_over(1000)});
  for (const int core : {0, 1}) {
    const Statistics statistics = both.statistics(core);
    CHECK(statistics.ns == doctest::Approx(alone.statistics(0).ns).epsilon(0.01));
    CHECK(statistics.levels[0].hits == 4000 - 12);
    CHECK(statistics.levels[2].misses == 12);
    CHECK(statistics.memory_reads == 12);
    CHECK(statistics.levels[0].invalidations == 0);
  }
}

TEST_CASE("cores that stream share the bandwidth of memory, each up to its own limit") {
  const auto stream_from = [](uint64_t first) {
    Records records;
    for (uint64_t i = 0; i < 4000; ++i) {
      records.push_back(load(first + i));
    }
    return records;
  };
  for (const double per_core : {0.0, 2e9}) {
    Machine machine = machine_of(2);
    machine.caches[0].queue = machine.caches[1].queue = machine.caches[2].queue = 64;
    machine.memory.bandwidth = 4e9;
    machine.memory.per_core_bandwidth = per_core;
    const double full = 4000 * 64 / 4e9 * 1e9;  // time of one stream alone, ns
    MultiCore alone(machine, 1, kSpace);
    run_timed(alone, {stream_from(0)});
    CHECK(alone.now_ns(0) == doctest::Approx(per_core > 0 ? 2 * full : full).epsilon(0.03));
    MultiCore both(machine, 2, kSpace);
    run_timed(both, {stream_from(0), stream_from(100000)});
    CHECK(both.now_ns(0) == doctest::Approx(2 * full).epsilon(0.03));
    CHECK(both.now_ns(1) == doctest::Approx(2 * full).epsilon(0.03));
  }
}

TEST_CASE("what one core brought into a shared level another finds there") {
  Machine machine = machine_of(4);
  machine.caches[1].shared_by = 2;
  MultiCore cores(machine, 4, kSpace);
  for (const int reader : {0, 1, 2}) {
    std::vector<Records> records(4);
    records[static_cast<size_t>(reader)] = {load(5)};
    run_counted(cores, records);
  }
  CHECK(cores.statistics(0).memory_reads == 1);
  CHECK(cores.statistics(1).levels[1].hits == 1);  // a hit in the L2 that cores 0 and 1 share
  CHECK(cores.statistics(2).levels[1].hits == 0);
  CHECK(cores.statistics(2).levels[2].hits == 1);
  CHECK(cores.statistics(3).accesses == 0);
}

TEST_CASE("a core that reads what another has written finds it where they meet") {
  MultiCore cores(machine_of(2), 2, kSpace);
  run_counted(cores, {store(5), {}});
  run_counted(cores, {{}, {load(5)}});
  CHECK(cores.statistics(0).levels[0].writebacks == 1);
  CHECK(cores.statistics(1).levels[2].hits == 1);
  CHECK(cores.statistics(1).memory_reads == 0);
  run_counted(cores, {{load(5)}, {}});  // core 0 still has its copy, clean
  CHECK(cores.statistics(0).levels[0].hits == 1);
  CHECK(cores.statistics(0).memory_writes + cores.statistics(1).memory_writes == 0);
}

TEST_CASE("a core that writes takes the copies of the others away") {
  MultiCore cores(machine_of(2), 2, kSpace);
  run_counted(cores, {{load(5)}, {load(5)}});
  run_counted(cores, {store(5), {}});
  CHECK(cores.statistics(1).levels[0].invalidations == 1);
  CHECK(cores.statistics(1).levels[1].invalidations == 1);
  CHECK(cores.statistics(0).levels[0].invalidations == 0);
  for (int i = 0; i < 3; ++i) {  // the dirty line goes from core to core
    run_counted(cores, {{}, store(5)});
    run_counted(cores, {store(5), {}});
  }
  CHECK(cores.statistics(0).levels[0].invalidations == 3);
  CHECK(cores.statistics(1).levels[0].invalidations == 4);
  CHECK(cores.statistics(0).levels[0].writebacks == 3);
}

TEST_CASE("processes of the same addresses share the caches and no line") {
  for (const Frames frames : {Frames::contiguous, Frames::random, Frames::coloured}) {
    Machine machine = machine_of(2);
    machine.frames = frames;
    MultiCore cores(machine, 2, kSpace, MemoryMode::pipelined, 1, Processes::onePerCore);
    run_counted(cores, {store(5), {}});
    run_counted(cores, {{}, load_and_store(5)});
    run_counted(cores, {store(5), store(5)});
    for (const int core : {0, 1}) {
      const Statistics statistics = cores.statistics(core);
      CHECK(statistics.memory_reads == 1);
      CHECK(statistics.levels[0].misses == 1);
      CHECK(statistics.levels[0].invalidations == 0);
    }
  }
}

TEST_CASE("processes that want more of a shared level than it holds push each other's lines out") {
  const auto loop = [] {  // makes four rounds of loads of 200 lines, where the L3 holds 256
    Records records;
    for (uint64_t i = 0; i < 800; ++i) {
      records.push_back(load(i % 200));
    }
    return records;
  };
  MultiCore cores(machine_of(2), 2, kSpace, MemoryMode::pipelined, 1, Processes::onePerCore);
  run_counted(cores, {loop(), {}});
  CHECK(cores.statistics(0).memory_reads == 200);
  cores.reset_statistics();
  run_counted(cores, {loop(), loop()});
  CHECK(cores.statistics(0).memory_reads > 300);
  CHECK(cores.statistics(1).memory_reads > 300);
}

// Oracle for two cores: private L1 and shared L2 as LRU lists; write-back, write-allocate,
// non-inclusive.
class TwoLevelOracle {
 public:
  TwoLevelOracle(size_t cores, uint64_t sets1, uint64_t ways1, uint64_t sets2, uint64_t ways2)
      : shared_(
            "lru", sets2, ways2, [sets2](uint64_t line) { return line % sets2; }, 1),
        counts(cores) {
    for (size_t i = 0; i < cores; ++i) {
      private_.emplace_back(
          "lru", sets1, ways1, [sets1](uint64_t line) { return line % sets1; }, 1);
    }
  }

  void access(size_t core, uint64_t line, bool write) {
    for (size_t other = 0; write && other < private_.size(); ++other) {
      if (other != core) {
        if (const std::optional<bool> dirty = private_[other].remove(line)) {
          ++counts[other].invalidations;
          counts[other].writebacks1 += *dirty;
          give(core, line, *dirty);
        }
      }
    }
    if (private_[core].access(line, write)) {
      ++counts[core].hits1;
      return;
    }
    for (size_t other = 0; other < private_.size(); ++other) {
      if (other != core && private_[other].dirty(line)) {
        private_[other].clean(line);
        ++counts[other].writebacks1;
        give(core, line, true);
      }
    }
    if (shared_.access(line, false)) {
      ++counts[core].hits2;
    } else {
      ++counts[core].reads;
      put(core, line, false);
    }
    for (const auto& [old, dirty] : private_[core].insert(line, write)) {
      counts[core].writebacks1 += dirty;
      give(core, old, dirty);
    }
  }

 private:
  void give(size_t core, uint64_t line, bool dirty) {
    if (dirty && !shared_.access(line, true)) {
      put(core, line, true);
    }
  }
  void put(size_t core, uint64_t line, bool dirty) {
    for (const auto& [old, was_dirty] : shared_.insert(line, dirty)) {
      counts[core].writes += was_dirty;
    }
  }

  std::vector<ArrayOracle> private_;
  ArrayOracle shared_;

 public:
  struct Counts {
    uint64_t hits1 = 0;
    uint64_t hits2 = 0;
    uint64_t writebacks1 = 0;
    uint64_t invalidations = 0;
    uint64_t reads = 0;
    uint64_t writes = 0;
  };
  std::vector<Counts> counts;
};

TEST_CASE("cores that share data count what caches of lists count") {
  holds("random geometries, one access of each core in turn", [] {
    const auto cores = between<size_t>(1, 4);
    const auto sets1 = between<uint64_t>(1, 4);
    const auto ways1 = between<uint64_t>(1, 3);
    const auto sets2 = between<uint64_t>(1, 9);
    const auto ways2 = between<uint64_t>(1, 4);
    Machine machine = small_machine();
    machine.cores = static_cast<int>(cores);
    machine.caches = {small_level("L1", sets1, ways1, 4, 4),
                      small_level("L2", sets2, ways2, 12, 4)};
    machine.caches[1].shared_by = machine.cores;
    std::vector<Records> records(cores);
    TwoLevelOracle oracle(cores, sets1, ways1, sets2, ways2);
    for (int step = between(1, 150); step > 0; --step) {
      for (size_t core = 0; core < cores; ++core) {
        const auto line = between<uint64_t>(0, 30);
        const bool write = between(0, 2) == 0;
        records[core].push_back(record(write ? AccessKind::store : AccessKind::load, line));
        oracle.access(core, line, write);
      }
    }
    MultiCore multi(machine, machine.cores, kSpace);
    run_counted(multi, records);
    for (size_t core = 0; core < cores; ++core) {
      const Statistics found = multi.statistics(static_cast<int>(core));
      const TwoLevelOracle::Counts& right = oracle.counts[core];
      RC_ASSERT(found.levels[0].hits == right.hits1);
      RC_ASSERT(found.levels[1].hits == right.hits2);
      RC_ASSERT(found.levels[0].writebacks == right.writebacks1);
      RC_ASSERT(found.levels[0].invalidations == right.invalidations);
      RC_ASSERT(found.memory_reads == right.reads);
      RC_ASSERT(found.memory_writes == right.writes);
    }
  });
}

TEST_CASE("timed, with everything shared and prefetched, time goes on and its parts add up") {
  holds("random machines and records of several cores", [] {
    Machine machine = test::random_machine();
    machine.storage.reset();
    machine.line_transfer_ns = between(0, 200);
    machine.cores = between(1, 4);
    machine.caches.back().shared_by = machine.cores;
    MultiCore multi(machine, machine.cores, kSpace);
    std::vector<Records> records;
    for (int core = 0; core < machine.cores; ++core) {
      records.push_back(test::random_records(100));
    }
    run_timed(multi, records);
    for (int core = 0; core < machine.cores; ++core) {
      const Statistics statistics = multi.statistics(core);
      double sum = 0;
      for (const auto& [name, ns] : statistics.stack_ns) {
        RC_ASSERT(ns >= 0);
        sum += ns;
      }
      RC_ASSERT(std::abs(sum - statistics.ns) <= 1e-9 * statistics.ns + 1e-9);
      for (const LevelCounts& level : statistics.levels) {
        RC_ASSERT(level.hits + level.misses == level.accesses);
      }
    }
  });
}

TEST_CASE("counts restart at a reset and contents stay") {
  MultiCore cores(machine_of(2), 2, kSpace);
  run_timed(cores, {{load(1)}, {load(2)}});
  cores.reset_statistics();
  run_timed(cores, {{load(1)}, {}});
  CHECK(cores.statistics(0).levels[0].hits == 1);
  CHECK(cores.statistics(0).accesses == 1);
  CHECK(cores.statistics(1).ns == 0);
}

TEST_CASE("more cores than the machine has, or none, are refused") {
  const Machine machine = machine_of(2);
  CHECK_THROWS_WITH_AS(MultiCore(machine, 3, kSpace),
                       "cores: found '3', accepted: 1 to 2, the cores of small", InputError);
  CHECK_THROWS_AS(MultiCore(machine, 0, kSpace), InputError);
}

}  // namespace
}  // namespace presort::sim::multi_core_test
