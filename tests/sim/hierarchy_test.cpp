#include "presort/sim/hierarchy.h"

#include <doctest/doctest.h>

#include <span>

#include "tests/sim/random_machine.h"

namespace presort::inline v0::sim::hierarchy_test {
namespace {

using namespace test;
using doctest::Approx;

Hierarchy make(const Machine& machine, MemoryMode mode = MemoryMode::pipelined, uint64_t seed = 1) {
  AddressSpace space(4096);
  return Hierarchy(machine, std::move(space), mode, seed);
}

void check_equal(const Statistics& a, const Statistics& b) {
  RC_ASSERT(a.ns == b.ns);
  RC_ASSERT(a.stack_ns == b.stack_ns);
  RC_ASSERT(a.walks == b.walks);
  RC_ASSERT(a.memory_reads == b.memory_reads);
  RC_ASSERT(a.memory_writes == b.memory_writes);
  RC_ASSERT(a.accesses == b.accesses);
  for (size_t i = 0; i < a.levels.size(); ++i) {
    RC_ASSERT(a.levels[i].hits == b.levels[i].hits);
    RC_ASSERT(a.levels[i].misses == b.levels[i].misses);
    RC_ASSERT(a.levels[i].prefetches == b.levels[i].prefetches);
  }
}

TEST_CASE("time never decreases, and its parts are not negative and sum to it") {
  holds("random machines and traces, in both modes", [] {
    const Machine machine = random_machine();
    Hierarchy hierarchy(machine, AddressSpace(*rc::gen::element<uint64_t>(4096, 2 << 20)),
                        *rc::gen::element(MemoryMode::pipelined, MemoryMode::dependent));
    double before = 0;
    const Records records = random_records(200);
    const size_t reset_at = between<size_t>(0, records.size());
    double reset_ns = 0;
    for (size_t i = 0; i < records.size(); ++i) {
      if (i == reset_at) {
        hierarchy.reset_statistics();
        reset_ns = hierarchy.now_ns();
      }
      hierarchy.run(std::span(&records[i], 1));
      RC_ASSERT(hierarchy.now_ns() >= before);
      before = hierarchy.now_ns();
    }
    const Statistics statistics = hierarchy.statistics();
    double sum = 0;
    for (const auto& [name, ns] : statistics.stack_ns) {
      RC_ASSERT(ns >= 0);
      sum += ns;
    }
    RC_ASSERT(std::abs(sum - statistics.ns) <= 1e-9 * (1 + before));
    RC_ASSERT(std::abs(statistics.ns - (before - reset_ns)) <= 1e-9 * (1 + before));
    for (const LevelCounts& level : statistics.levels) {
      RC_ASSERT(level.hits + level.misses == level.accesses);
    }
  });
}

TEST_CASE("no trace takes less than its micro-operations divided by the width") {
  holds("the dispatch bound", [] {
    const Machine machine = random_machine();
    Hierarchy hierarchy = make(machine);
    const Records records = random_records(200);
    double micro_ops = 0;
    for (const Access& access : records) {
      micro_ops += 1 + access.micro_ops;
    }
    hierarchy.run(records);
    RC_ASSERT(hierarchy.now_ns() >= micro_ops / machine.dispatch_width - 1e-9);
  });
}

TEST_CASE("equal seeds give equal results, however the records are cut into batches") {
  holds("twice the same, and in batches", [] {
    const Machine machine = random_machine();
    const Records records = random_records(200);
    const auto seed = between<uint64_t>(1, 9);
    Hierarchy whole = make(machine, MemoryMode::pipelined, seed);
    Hierarchy again = make(machine, MemoryMode::pipelined, seed);
    Hierarchy batches = make(machine, MemoryMode::pipelined, seed);
    whole.run(records);
    again.run(records);
    const size_t cut = between<size_t>(0, records.size());
    batches.run(std::span(records).first(cut));
    batches.run(std::span(records).subspan(cut));
    check_equal(whole.statistics(), again.statistics());
    check_equal(whole.statistics(), batches.statistics());
  });
}

TEST_CASE("another seed changes frames and with them the result") {
  Machine machine = small_machine();
  machine.frames = Frames::random;
  machine.caches[1] = small_level("L2", 1024, 1, 12, 16);  // an L2 whose sets span 16 pages
  Records records;
  for (uint64_t i = 0; i < 4000; ++i) {
    records.push_back(load(bounded(random_u64(9, i), 64) * 64));
  }
  Hierarchy one = make(machine, MemoryMode::pipelined, 1);
  Hierarchy two = make(machine, MemoryMode::pipelined, 2);
  one.run(records);
  two.run(records);
  CHECK(one.statistics().levels[1].hits != two.statistics().levels[1].hits);
  CHECK(one.statistics().ns != two.statistics().ns);
}

TEST_CASE("without prefetchers counting gives the counts of running, and no time") {
  holds("the same records run and counted", [] {
    Machine machine = random_machine();
    machine.prefetchers.clear();
    for (CacheLevel& level : machine.caches) {
      level.policy = Replacement::lru;
    }
    const Records records = random_records(300);
    // Dependent mode: stores come in program order
    Hierarchy ran = make(machine, MemoryMode::dependent);
    Hierarchy counted = make(machine);
    ran.run(records);
    counted.count(records);
    const Statistics a = ran.statistics();
    const Statistics b = counted.statistics();
    RC_ASSERT(b.ns == 0);
    RC_ASSERT(a.accesses == b.accesses);
    RC_ASSERT(a.walks == b.walks);
    for (size_t i = 0; i < a.levels.size(); ++i) {
      RC_ASSERT(a.levels[i].accesses == b.levels[i].accesses);
      RC_ASSERT(a.levels[i].hits == b.levels[i].hits);
      RC_ASSERT(a.levels[i].writebacks == b.levels[i].writebacks);
    }
    for (size_t i = 0; i < a.tlb.size(); ++i) {
      RC_ASSERT(a.tlb[i].misses == b.tlb[i].misses);
    }
    RC_ASSERT(a.memory_reads == b.memory_reads);
    RC_ASSERT(a.memory_writes == b.memory_writes);
  });
}

TEST_CASE("a sink gets everything that is run or counted, in order") {
  class Sink final : public AccessSink {
   public:
    void write(std::span<const Access> records) override {
      for (const Access& record : records) {
        addresses.push_back(record.address);
      }
    }
    std::vector<uint64_t> addresses;
  };
  Sink sink;
  Hierarchy hierarchy = make(small_machine());
  hierarchy.run(Records{load(1)});
  hierarchy.record_to(&sink);
  hierarchy.run(Records{load(2), branch(7, true)});
  hierarchy.count(Records{load(3)});
  hierarchy.record_to(nullptr);
  hierarchy.run(Records{load(4)});
  CHECK(sink.addresses == std::vector<uint64_t>{2 * 64, 7, 3 * 64});
}

TEST_CASE("without prefetchers warming leaves what running leaves") {
  holds("the hits of a trace after a warm-up of either kind", [] {
    Machine machine = random_machine();
    machine.prefetchers.clear();
    for (CacheLevel& level : machine.caches) {
      level.policy = Replacement::lru;
    }
    const Records first = random_records(200);
    const Records second = random_records(100);
    // Dependent mode: stores come in program order
    Hierarchy ran = make(machine, MemoryMode::dependent);
    Hierarchy warmed = make(machine, MemoryMode::dependent);
    ran.run(first);
    warmed.count(first);
    RC_ASSERT(warmed.now_ns() == 0);
    ran.reset_statistics();
    warmed.reset_statistics();
    ran.run(second);
    warmed.run(second);
    const Statistics a = ran.statistics();
    const Statistics b = warmed.statistics();
    for (size_t i = 0; i < a.levels.size(); ++i) {
      RC_ASSERT(a.levels[i].hits == b.levels[i].hits);
      RC_ASSERT(a.levels[i].misses == b.levels[i].misses);
      RC_ASSERT(a.levels[i].writebacks == b.levels[i].writebacks);
    }
    RC_ASSERT(a.walks == b.walks);
    RC_ASSERT(a.memory_reads == b.memory_reads);
    RC_ASSERT(a.memory_writes == b.memory_writes);
  });
}

TEST_CASE("a stream that finds the queue of its level full prefetches into the level below") {
  const auto prefetches = [](int queue) {
    Machine machine = small_machine();
    machine.prefetchers = {{"L2", PrefetcherKind::stream, 2, 20}};
    machine.caches[1].queue = queue;
    machine.memory.bandwidth = 64e9;
    Hierarchy hierarchy = make(machine);
    Records records;
    for (uint64_t line = 0; line < 64; ++line) {
      records.push_back(load(line));
    }
    hierarchy.run(records);
    const std::vector<LevelCounts> levels = hierarchy.statistics().levels;
    return std::pair(levels[1].prefetches, levels[2].prefetches);
  };
  CHECK(prefetches(64).first > 20);
  CHECK(prefetches(64).second == 0);
  CHECK(prefetches(4).first < 20);
  CHECK(prefetches(4).second > 20);
}

TEST_CASE("dependent memory is never faster than pipelined") {
  holds("loads without prefetchers", [] {
    Machine machine = small_machine();
    Records records;
    for (int i = between(1, 200); i > 0; --i) {
      records.push_back(load(between<uint64_t>(0, 400), static_cast<uint16_t>(between(0, 9)),
                             static_cast<uint16_t>(between(0, 5))));
    }
    Hierarchy pipelined = make(machine);
    Hierarchy dependent = make(machine, MemoryMode::dependent);
    pipelined.run(records);
    dependent.run(records);
    RC_ASSERT(dependent.now_ns() >= pipelined.now_ns() - 1e-9);
  });
}

TEST_CASE("a machine of one level answers from it or from memory") {
  Machine machine = small_machine();
  machine.caches.resize(1);
  CoreRig rig(machine);
  const Records hits = chase(16);
  rig.warm(hits);
  rig.run(hits);
  CHECK(rig.run(hits) == Approx(16 * 4));
  CHECK(rig.run(fresh(100, [](uint64_t line) { return load(line, 0, 1); })) == Approx(100 * 100));
  CHECK(rig.hierarchy().cache_levels() == 1);
  CHECK(rig.hierarchy().statistics().levels.size() == 1);
}

TEST_CASE("accesses are the memory records run or counted") {
  Hierarchy hierarchy = make(small_machine());
  hierarchy.count(Records{load(1), branch(7, true), load(2)});
  CHECK(hierarchy.statistics().accesses == 2);
  hierarchy.reset_statistics();
  hierarchy.run(Records{load(1), branch(0x400, true), record(AccessKind::store, 3),
                        record(AccessKind::prefetch, 4), record(AccessKind::streamingStore, 5)});
  CHECK(hierarchy.statistics().accesses == 4);
  hierarchy.reset_statistics();
  CHECK(hierarchy.statistics().accesses == 0);
  CHECK(hierarchy.statistics().ns == 0);
}

TEST_CASE("a primed address hits in its level") {
  const Machine machine = small_machine();
  Hierarchy hierarchy = make(machine);
  hierarchy.run(Records{load(1)});
  hierarchy.prime(1, 100 * 64, false);
  hierarchy.reset_statistics();
  hierarchy.run(Records{load(100, 0, 1)});
  CHECK(hierarchy.statistics().ns == Approx(12));
  CHECK(hierarchy.statistics().levels[1].hits == 1);
}

TEST_CASE("an access source is run to its end") {
  class Source : public AccessSource {
   public:
    std::span<const Access> next() override {
      records_ = {load(left_)};
      return left_-- > 0 ? std::span<const Access>(records_) : std::span<const Access>();
    }

   private:
    uint64_t left_ = 5;
    Records records_;
  };
  Source source;
  Hierarchy hierarchy = make(small_machine());
  hierarchy.run(source);
  CHECK(hierarchy.statistics().accesses == 5);
}

TEST_CASE("time is told in nanoseconds of the machine's clock") {
  Machine machine = small_machine();
  machine.clock_hz = 2e9;
  CoreRig rig(machine);
  rig.warm({load(0)});
  rig.run({load(0)});
  CHECK(rig.run(repeat(100, {load(0, 0, 1)})) == Approx(100 * 4 / 2.0));
  CHECK(rig.run(fresh(100, [](uint64_t line) { return load(line, 0, 1); })) == Approx(100 * 100));
}

}  // namespace
}  // namespace presort::sim::hierarchy_test
