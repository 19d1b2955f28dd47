#include "presort/sim/trace/patterns.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "tests/sim/pipeline/core_rig.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::patterns_test {
namespace {

using test::between;
using test::holds;

std::vector<uint64_t> addresses(AccessSource& source) {
  std::vector<uint64_t> result;
  for (auto records = source.next(); !records.empty(); records = source.next()) {
    for (const Access& record : records) {
      result.push_back(record.address);
    }
  }
  return result;
}

std::vector<uint64_t> walk(const ChaseList& list, uint64_t first, uint64_t count) {
  Chase chase(list, first, count);
  return addresses(chase);
}

ChaseList random_list() {
  ChaseList list;
  list.stride_bytes = between<uint64_t>(1, 300);
  list.footprint_bytes = list.stride_bytes * between<uint64_t>(1, 700);
  list.order = kChaseOrders[between<size_t>(0, 3)].value;
  list.block_bytes = list.stride_bytes * between<uint64_t>(1, 90);
  list.base = between<uint64_t>(0, 1 << 20);
  list.seed = between<uint64_t>(0, 99);
  return list;
}

TEST_CASE("a lap of a chase visits every node once, and the next lap is the same") {
  holds("laps of random lists", [] {
    const ChaseList list = random_list();
    const std::vector<uint64_t> lap = walk(list, 0, list.nodes());
    std::vector<uint64_t> sorted = lap;
    std::sort(sorted.begin(), sorted.end());
    for (uint64_t i = 0; i < list.nodes(); ++i) {
      RC_ASSERT(sorted[i] == list.base + i * list.stride_bytes);
    }
    RC_ASSERT(walk(list, 3 * list.nodes(), list.nodes()) == lap);
  });
}

TEST_CASE("a chase entered in the middle goes on as the whole one does") {
  holds("a part is that part of the whole", [] {
    const ChaseList list = random_list();
    const auto first = between<uint64_t>(0, 2 * list.nodes());
    const auto count = between<uint64_t>(0, 600);
    const std::vector<uint64_t> whole = walk(list, 0, first + count);
    const std::vector<uint64_t> part(whole.begin() + static_cast<ptrdiff_t>(first), whole.end());
    RC_ASSERT(walk(list, first, count) == part);
  });
}

TEST_CASE("forward ascends and backward descends") {
  ChaseList list{.footprint_bytes = 1024, .stride_bytes = 256, .order = ChaseOrder::forward};
  CHECK(walk(list, 0, 5) == std::vector<uint64_t>{0, 256, 512, 768, 0});
  list.order = ChaseOrder::backward;
  CHECK(walk(list, 0, 5) == std::vector<uint64_t>{768, 512, 256, 0, 768});
}

TEST_CASE("blocks come in turn, each in an order of its own") {
  // Blocks of 16 nodes: two whole ones and one of 8
  const ChaseList list{.footprint_bytes = 64 * 40,
                       .stride_bytes = 64,
                       .order = ChaseOrder::blockRandom,
                       .block_bytes = 1024};
  const std::vector<uint64_t> lap = walk(list, 0, 40);
  for (size_t i = 0; i < lap.size(); ++i) {
    CHECK(lap[i] / 1024 == i / 16);
  }
  std::vector<uint64_t> first(lap.begin(), lap.begin() + 16);
  std::vector<uint64_t> second(lap.begin() + 16, lap.begin() + 32);
  for (uint64_t& address : second) {
    address -= 1024;
  }
  CHECK(first != second);
  CHECK(!std::is_sorted(first.begin(), first.end()));
}

TEST_CASE("random order has no short cycle and few neighbours in a row") {
  const ChaseList list{.footprint_bytes = 4096 * 64, .stride_bytes = 64};
  const std::vector<uint64_t> lap = walk(list, 0, 4096);
  int neighbours = 0;
  for (size_t i = 1; i < lap.size(); ++i) {
    neighbours += lap[i] == lap[i - 1] + 64;
  }
  CHECK(neighbours < 12);  // fixed points: one is expected; twelve have a probability below 1e-9
}

TEST_CASE("every step of a chase waits for the one before") {
  test::CoreRig rig(test::small_machine());
  const ChaseList list{.footprint_bytes = 16 * 64, .stride_bytes = 64};  // a footprint that fits L1
  Chase warm(list, 0, 32);
  rig.hierarchy().count(warm);
  Chase chase(list, 32, 100);
  rig.hierarchy().run(chase);
  // time of 100 loads of 4 cycles, and 0.25 for the first dispatch
  CHECK(rig.hierarchy().now_ns() == doctest::Approx(100 * 4 + 0.25));
}

TEST_CASE("no instruction of a chase comes again before kUnrolled steps") {
  Chase chase({.footprint_bytes = 1 << 16}, 5, 200);
  const std::span<const Access> batch = chase.next();
  REQUIRE(batch.size() == 200);
  std::set<uint64_t> seen;
  for (size_t i = 0; i < Chase::kUnrolled; ++i) {
    seen.insert(batch[i].instruction);
    CHECK(batch[i].instruction == batch[i + Chase::kUnrolled].instruction);
  }
  CHECK(seen.size() == Chase::kUnrolled);
}

TEST_CASE("a sweep touches each line once and waits for nothing") {
  for (const uint64_t bytes : {0, 1, 64, 65, 64 * 256, 64 * 257}) {
    Sweep sweep(bytes, 64, 1, AccessKind::store);
    std::vector<uint64_t> expected;
    for (uint64_t at = 0; at < bytes; at += 64) {
      expected.push_back(at);
    }
    CHECK(addresses(sweep) == expected);
  }
  Sweep sweep(64, 64, 1, AccessKind::streamingStore);
  const Access access = sweep.next().front();
  CHECK(access.kind == AccessKind::streamingStore);
  CHECK(access.depends_on == 0);
}

TEST_CASE("the streams of a sweep take turns and share its lines") {
  Sweep four(64 * 8, 64, 4, AccessKind::load);
  CHECK(addresses(four) == std::vector<uint64_t>{0, 128, 256, 384, 64, 192, 320, 448});
  holds("every line once", [] {
    const auto lines = between<uint64_t>(0, 900);
    const auto streams = between<uint64_t>(1, 20);
    Sweep sweep(lines * 64, 64, streams, AccessKind::load);
    std::vector<uint64_t> found = addresses(sweep);
    std::sort(found.begin(), found.end());
    RC_ASSERT(found.size() == lines);
    for (uint64_t i = 0; i < lines; ++i) {
      RC_ASSERT(found[i] == i * 64);
    }
  });
}

}  // namespace
}  // namespace presort::sim::patterns_test
