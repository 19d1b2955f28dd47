#include "presort/app/trace/multi_trace.h"

#include <doctest/doctest.h>

#include <memory>

#include "presort/app/trace/multi_trace_report.h"
#include "presort/app/trace/trace_report.h"
#include "presort/core/error.h"
#include "tests/sim/random_machine.h"

namespace multi_trace_test {

using namespace presort;
using namespace presort::app;
using presort::test::between;
using presort::test::holds;
using presort::test::load;
using presort::test::Records;

namespace {

// A trace source that gives records in batches of a few, and then ends, or fails.
class Trace final : public sim::AccessSource {
 public:
  explicit Trace(Records records, bool fails = false)
      : records_(std::move(records)), fails_(fails) {}

  std::span<const sim::Access> next() override {
    const size_t count = std::min<size_t>(7, records_.size() - at_);
    if (count == 0 && fails_) {
      throw InputError("line 1: broken");
    }
    at_ += count;
    return {records_.data() + at_ - count, count};
  }

 private:
  Records records_;
  bool fails_;
  size_t at_ = 0;
};

MultiTraceResult together(const Machine& machine, std::vector<Trace> traces,
                          const TraceSimulationOptions& options = {},
                          sim::Processes processes = sim::Processes::one) {
  std::vector<sim::AccessSource*> sources;
  for (Trace& trace : traces) {
    sources.push_back(&trace);
  }
  return MultiTraceSimulation(machine, static_cast<int>(traces.size()), options, processes)
      .run(sources);
}

TraceResult alone(const Machine& machine, const Records& records,
                  const TraceSimulationOptions& options = {}) {
  Trace trace(records);
  return simulate_trace(machine, trace, options, {});
}

// All fields of a trace's JSON document that describe its simulation.
std::string told(const Machine& machine, const TraceSimulationOptions& options,
                 TraceResult result) {
  result.seconds = 0;
  io::Json json = trace_json({"trace", "csv", "4KiB", options.functional, &machine}, result);
  json.erase("provenance");
  return json.dump();
}

Records displaced(Records records, uint64_t by) {
  for (sim::Access& record : records) {
    record.address += by;
  }
  return records;
}

Machine with_cores(Machine machine, int cores) {
  machine.storage.reset();
  machine.cores = cores;
  return machine;
}

TraceSimulationOptions random_options() {
  TraceSimulationOptions options;
  options.functional = between(0, 1) == 1;
  options.dependent = !options.functional && between(0, 1) == 1;
  options.seed = between<uint64_t>(1, 5);
  if (between(0, 1) == 1) {
    options.limit = between<uint64_t>(1, 300);
  }
  return options;
}

TEST_CASE("one trace through several is the trace alone, to the last bit of its document") {
  holds("random machines, records and options", [] {
    const Machine machine = with_cores(test::random_machine(), 1);
    const Records records = test::random_records(300);
    const TraceSimulationOptions options = random_options();
    const auto processes = *rc::gen::element(sim::Processes::one, sim::Processes::onePerCore);
    const MultiTraceResult result = together(machine, {Trace(records)}, options, processes);
    const std::string expected = told(machine, options, alone(machine, records, options));
    RC_ASSERT(told(machine, options, result.cores.front()) == expected);
    TraceResult total = result.cores.front();
    total.statistics = result.total();
    RC_ASSERT(told(machine, options, total) == expected);
  });
}

TEST_CASE("traces that share neither caches nor bandwidth are each as alone, to the last bit") {
  holds("random machines with private caches, and records apart", [] {
    Machine machine = with_cores(test::random_machine(), between(2, 4));
    // No random replacement, whose random numbers differ from cache to cache
    for (CacheLevel& level : machine.caches) {
      level.policy =
          *rc::gen::element(ReplacementKind::lru, ReplacementKind::fifo, ReplacementKind::srrip);
    }
    machine.memory = test::small_machine().memory;  // a memory without row effects
    machine.memory.bandwidth = 1e30;                // so much that memory bandwidth is no limit
    const TraceSimulationOptions options = random_options();
    std::vector<Records> records;
    std::vector<Trace> traces;
    for (int core = 0; core < machine.cores; ++core) {
      records.push_back(displaced(test::random_records(200), static_cast<uint64_t>(core) << 32));
      traces.emplace_back(records.back());
    }
    const MultiTraceResult result = together(machine, std::move(traces), options);
    for (size_t core = 0; core < records.size(); ++core) {
      RC_ASSERT(told(machine, options, result.cores[core]) ==
                told(machine, options, alone(machine, records[core], options)));
    }
  });
}

TEST_CASE("copies that share the bandwidth of memory take the longer the more they are") {
  Machine machine = with_cores(test::small_machine(), 8);
  machine.memory.bandwidth = 2e9;  // moving a cache line takes 32 ns
  Records records;
  for (uint64_t line = 0; line < 2000; ++line) {
    records.push_back(load(line));
  }
  const double one = alone(machine, records).statistics.ns;
  CHECK(one == doctest::Approx(2000 * 32).epsilon(0.02));
  for (const size_t copies : {2, 4, 8}) {
    const MultiTraceResult result = together(machine, std::vector<Trace>(copies, Trace(records)),
                                             {}, sim::Processes::onePerCore);
    CHECK(result.total().ns == doctest::Approx(one * static_cast<double>(copies)).epsilon(0.02));
    CHECK(result.total().memory_reads == 2000 * copies);
    CHECK(result.total().accesses == 2000 * copies);
  }
}

TEST_CASE("a trace that ends or breaks off leaves the others to go on") {
  const Machine machine = with_cores(test::small_machine(), 3);
  const Records records = test::repeat(50, {load(1), load(2)});
  const MultiTraceResult result =
      together(machine, {Trace(records), Trace({load(9), load(9)}, true), Trace({load(3)})});
  CHECK(result.cores[0].statistics.accesses == 100);
  CHECK(result.cores[0].error.empty());
  CHECK(result.cores[1].statistics.accesses == 2);
  CHECK(result.cores[1].error == "line 1: broken");
  CHECK(result.cores[2].statistics.accesses == 1);
  CHECK(!result.complete());
  CHECK(result.last_core() == 0);
  CHECK(together(machine, {Trace(records), Trace({})}).complete());
}

TEST_CASE("a trace of which nothing can be read is an error") {
  const Machine machine = with_cores(test::small_machine(), 2);
  CHECK_THROWS_WITH_AS(together(machine, {Trace({load(1)}), Trace({}, true)}), "line 1: broken",
                       InputError);
}

TEST_CASE("shared caches are summed over the cores that have them") {
  Machine machine = with_cores(test::small_machine(), 6);
  machine.caches[1].shared_by = 2;
  machine.caches[2].shared_by = 6;
  std::vector<Trace> traces;
  for (uint64_t core = 0; core < 5; ++core) {
    traces.emplace_back(
        displaced(test::repeat(static_cast<int>(core) + 1, {load(0), load(64)}), core << 20));
  }
  const MultiTraceResult result = together(machine, std::move(traces));
  const std::vector<SharedCounts> shared = shared_counts(machine, result);
  REQUIRE(shared.size() == 3);  // expected caches: two shared L2, an L2 with one busy core, the L3
  CHECK(shared[0].counts.name == "L2");
  CHECK(shared[1].first_core == 2);
  CHECK(shared[1].last_core == 3);
  CHECK(shared[1].counts.misses == 4);
  CHECK(shared[2].counts.name == "L3");
  CHECK(shared[2].first_core == 0);
  CHECK(shared[2].last_core == 4);
  CHECK(shared[2].counts.accesses == 10);
  CHECK(result.total().levels[0].accesses == 2 * (1 + 2 + 3 + 4 + 5));
  CHECK(result.total().memory_reads == 10);
}

TEST_CASE("the document of several traces has the sums and a part for each core") {
  Machine machine = with_cores(test::small_machine(), 2);
  machine.caches[2].shared_by = 2;
  const MultiTraceResult result =
      together(machine, {Trace({load(1), load(1)}), Trace({load(70), load(71), load(72)}, true)});
  MultiTraceRun run{{{"a.csv", "csv"}, {"b.csv", "csv"}}, "4KiB"};
  run.machine = &machine;
  const io::Json json = multi_trace_json(run, result);
  CHECK(json["complete"] == false);
  CHECK(json["simulated_accesses"] == 5);
  CHECK(json["memory_bytes"] == 4 * 64);
  CHECK(json["shared"][0]["cores"] == io::Json({0, 1}));
  CHECK(json["shared"][0]["misses"] == 4);
  CHECK(json["cores"][0]["complete"] == true);
  CHECK(json["cores"][0]["levels"][0]["hits"] == 1);
  CHECK(json["cores"][1]["trace"] == "b.csv");
  CHECK(json["cores"][1]["error"] == "line 1: broken");
  CHECK(json["ns"] == std::max(json["cores"][0]["ns"], json["cores"][1]["ns"]));
  const std::string text = multi_trace_report(run, result);
  for (const char* part : {"2 traces on small", "b.csv (csv)", "L1 of core 1", "L3 of cores 0 to 1",
                           "memory  4 lines read", "the last to end"}) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  }
  run.functional = true;
  CHECK(!multi_trace_json(run, result).contains("ns"));
  CHECK(multi_trace_report(run, result).find("ns per access") == std::string::npos);
}

TEST_CASE("more traces than cores, and a block device, are refused") {
  const Machine machine = with_cores(test::small_machine(), 2);
  CHECK_THROWS_WITH_AS(together(machine, std::vector<Trace>(3, Trace({load(1)}))),
                       "cores: found '3', accepted: 1 to 2, the cores of small", InputError);
  Machine paged = machine;
  paged.storage.emplace();
  CHECK_THROWS_AS(together(paged, std::vector<Trace>(2, Trace({load(1)}))), InputError);
}

}  // namespace

}  // namespace multi_trace_test
