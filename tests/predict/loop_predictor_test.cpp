#include "presort/predict/loop_predictor.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "presort/core/error.h"
#include "presort/cpu/loops/loops.h"
#include "presort/cpu/loops/random_word.h"
#include "tests/predict/trace_rig.h"

namespace presort::inline v0::predict::loop_predictor_test {
namespace {

using namespace test;

cpu::LoopArrays<TracingMemory> traced_arrays() {
  cpu::LoopArrays<TracingMemory> arrays;
  arrays.table = {kBuckets};
  arrays.words = {kLabels};
  arrays.values = {kValues};
  arrays.from = {kBuckets};
  arrays.to = {kOutput};
  arrays.sums = {kCounts};
  arrays.sum = {kCounts};
  return arrays;
}

std::vector<Access> records_of(LoopKind kind, const cpu::LoopArrays<TracingMemory>& arrays,
                               size_t first, size_t last) {
  TracingMemory memory;
  cpu::with_loop<TracingMemory>({kind, kSmallestLoop, PageSize::k4KiB}, arrays,
                                [&](const auto& phase) { phase.step(first, last, memory); });
  return memory.records();
}

uint64_t element_at(uint64_t i) {
  return kBuckets + cpu::random_word(i) % (kSmallestLoop / 4) * 4;
}

TEST_CASE("random gather: loads that depend on nothing, between a load and a store of the sum") {
  check_records(records_of(LoopKind::randomGather, traced_arrays(), 3, 5),
                {load(kCounts, 4, 0), load(element_at(3), 4, 0), load(element_at(4), 4, 8),
                 store(kCounts, 4, 8, 0, 1)});
}

TEST_CASE("random update: an element is loaded and stored") {
  check_records(records_of(LoopKind::randomUpdate, traced_arrays(), 3, 5),
                {load(element_at(3), 4, 0), store(element_at(3), 4, 0, 0, 1),
                 load(element_at(4), 4, 10), store(element_at(4), 4, 0, 0, 1)});
}

TEST_CASE("random store: nothing is loaded") {
  check_records(records_of(LoopKind::randomStore, traced_arrays(), 3, 5),
                {store(element_at(3), 4, 0, 0, 0), store(element_at(4), 4, 9, 0, 0)});
}

TEST_CASE("streams with gathers: the element depends on its index") {
  cpu::LoopArrays<TracingMemory> arrays = traced_arrays();
  std::vector<uint32_t> words = {0x12345, 0xfff};
  arrays.words = backed<const uint32_t>(kLabels, words);
  const uint64_t first = kBuckets + 0x345 * 4;
  const uint64_t second = kBuckets + 0x3ff * 4;
  check_records(records_of(LoopKind::streamGather, arrays, 0, 2),
                {load(kCounts, 4, 0), load(kLabels, 4, 0), load(kValues, 4, 0),
                 load(first, 4, 0, 2), load(kLabels + 4, 4, 3), load(kValues + 4, 4, 0),
                 load(second, 4, 0, 2), store(kCounts, 4, 3, 0, 1)});
  check_records(
      records_of(LoopKind::streamUpdate, arrays, 0, 1),
      {load(kLabels, 4, 0), load(kValues, 4, 0), load(first, 4, 0, 2), store(first, 4, 0, 3, 1)});
}

TEST_CASE("streams read every word of a line, and copies move them 16 bytes at a time") {
  const auto arrays = traced_arrays();
  const auto one = records_of(LoopKind::streamRead, arrays, 2, 3);
  REQUIRE(one.size() == 4 + 8 + 4);
  for (size_t w = 0; w < 8; ++w) {
    CHECK(one[4 + w].address == kBuckets + 128 + 8 * w);
    CHECK(one[4 + w].size == 8);
  }
  const auto two = records_of(LoopKind::streamReadTwo, arrays, 0, 1);
  REQUIRE(two.size() == 4 + 16 + 4);
  CHECK(two[4].address == kBuckets);
  CHECK(two[5].address == kOutput);
  check_records(records_of(LoopKind::streamCopy, arrays, 1, 3),
                {load(kBuckets + 64, 64, 3), store(kOutput + 64, 64, 3, 0, 1),
                 load(kBuckets + 128, 64, 7), store(kOutput + 128, 64, 3, 0, 1)});
}

// A machine with one cache level, no prefetcher and free translation.
Machine plain_machine() {
  Machine machine;
  machine.name = "plain";
  machine.clock_hz = 1e9;  // at 1 GHz a cycle is 1 ns
  machine.dispatch_width = 4;
  machine.window = {200, 50, 0};
  machine.caches = {
      {.name = "L1d", .size_bytes = 32 << 10, .ways = 8, .latency_cycles = 4, .queue = 10}};
  machine.memory = {.latency_ns = 100, .bandwidth = 64e9};
  return machine;
}

double predicted(const Machine& machine, LoopKind kind, uint64_t footprint) {
  return predict_loop(machine, {kind, footprint, PageSize::k2MiB}, {.ci95_relative = 0.02})
      .ns_per_item;
}

TEST_CASE("loops that stay in the first level take what they dispatch") {
  const Machine machine = plain_machine();
  CHECK(predicted(machine, LoopKind::randomGather, 1 << 14) ==
        doctest::Approx(9 / 4.0).epsilon(.02));
  CHECK(predicted(machine, LoopKind::randomUpdate, 1 << 14) ==
        doctest::Approx(12 / 4.0).epsilon(.02));
  CHECK(predicted(machine, LoopKind::streamRead, 1 << 14) ==
        doctest::Approx(11 / 4.0).epsilon(.03));
  CHECK(predicted(machine, LoopKind::streamReadTwo, 1 << 14) ==
        doctest::Approx(20 / 4.0).epsilon(.03));
  CHECK(predicted(machine, LoopKind::streamCopy, 1 << 14) ==
        doctest::Approx(12 / 4.0).epsilon(.02));
}

TEST_CASE("random misses overlap as far as the queue of the first level goes") {
  Machine machine = plain_machine();
  // Share of loads that hit: 32 KiB of cache over KiB of table
  const double hits = 32.0 / (1 << 12);
  // Time per item, by hand: latency / queue for each miss; the window has room for 200 / 9 = 22
  // items
  CHECK(predicted(machine, LoopKind::randomGather, 1 << 22) ==
        doctest::Approx((1 - hits) * 100 / 10).epsilon(.03));
  machine.caches[0].queue = 5;
  CHECK(predicted(machine, LoopKind::randomGather, 1 << 22) ==
        doctest::Approx((1 - hits) * 100 / 5).epsilon(.03));
}

TEST_CASE("streams from memory take their lines' bandwidth, written lines twice") {
  Machine machine = plain_machine();
  machine.memory.bandwidth = 4e9;  // moving a cache line takes 16 ns
  machine.caches[0].queue = 32;
  CHECK(predicted(machine, LoopKind::streamRead, 1 << 20) == doctest::Approx(16).epsilon(.02));
  CHECK(predicted(machine, LoopKind::streamReadTwo, 1 << 20) == doctest::Approx(32).epsilon(.02));
  CHECK(predicted(machine, LoopKind::streamCopy, 1 << 20) == doctest::Approx(48).epsilon(.02));
}

TEST_CASE("a stream that fits is read from the cache in every round after the first") {
  const Machine machine = plain_machine();
  CHECK(predicted(machine, LoopKind::streamRead, 1 << 14) < 3);
  CHECK(predicted(machine, LoopKind::streamRead, 1 << 17) > 8);
}

TEST_CASE("page size matters where the translation is not free") {
  Machine machine = plain_machine();
  machine.tlb = {{"TLB-4K", {4096}, 16, 4, 0}, {"TLB-2M", {2 << 20}, 16, 4, 0}};
  const auto gather = [&](PageSize page_size) {
    return predict_loop(machine, {LoopKind::randomGather, 1 << 22, page_size},
                        {.ci95_relative = 0.02});
  };
  const LoopPrediction small = gather(PageSize::k4KiB);
  CHECK(small.ns_per_item > 1.2 * gather(PageSize::k2MiB).ns_per_item);
  CHECK(small.ci95_relative <= 0.02);
  double total = 0;
  for (const auto& [term, ns] : small.stack_ns) {
    CHECK(ns >= 0);
    total += ns;
  }
  CHECK(total == doctest::Approx(small.ns_per_item));
}

TEST_CASE("what cannot be simulated is refused") {
  const Loop loop = {LoopKind::randomGather, 1 << 14, PageSize::k4KiB};
  Machine paged = plain_machine();
  paged.storage.emplace();
  CHECK_THROWS_AS(predict_loop(paged, loop, {}), InputError);
  CHECK_THROWS_AS(
      predict_loop(plain_machine(), {LoopKind::randomGather, 5000, PageSize::k4KiB}, {}),
      InputError);
}

}  // namespace
}  // namespace presort::predict::loop_predictor_test
