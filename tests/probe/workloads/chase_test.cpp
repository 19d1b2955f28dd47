#include "presort/probe/workloads/chase.h"

#include <doctest/doctest.h>

#include <set>

#include "presort/probe/host/arena.h"
#include "presort/probe/session.h"
#include "presort/probe/workloads/cycle.h"

namespace chase_test {

using namespace presort::probe;

namespace {

// Length of the pointer cycle that starts at the arena's first node.
uint64_t pointer_cycle_length(char* start, uint64_t limit) {
  uint64_t length = 0;
  char* at = start;
  do {
    at = *reinterpret_cast<char**>(at);
    ++length;
  } while (at != start && length <= limit);
  return length;
}

}  // namespace

TEST_CASE("a cycle visits every node once before it returns") {
  for (const uint64_t n : {1, 2, 3, 7, 64, 100, 1024, 3000, 46340}) {
    const Cycle cycle(n);
    std::set<uint64_t> seen;
    uint64_t node = 0;
    for (uint64_t step = 0; step < n; ++step) {
      CHECK(node < n);
      seen.insert(node);
      node = cycle.next(node);
    }
    CHECK(node == 0);
    CHECK(seen.size() == n);
  }
}

TEST_CASE("positions list the nodes in the cycle's own order") {
  const Cycle cycle(100);
  std::vector<uint64_t> order;
  for (uint64_t i = 0; i < cycle.positions(); ++i) {
    if (cycle.is_node(cycle.at(i))) {
      order.push_back(cycle.at(i));
    }
  }
  REQUIRE(order.size() == 100);
  for (size_t i = 0; i < order.size(); ++i) {
    CHECK(cycle.next(order[i]) == order[(i + 1) % order.size()]);
  }
}

TEST_CASE("neighbours in a cycle are far apart") {
  const Cycle cycle(1 << 16);
  int near = 0;
  for (uint64_t node = 0; node < cycle.size(); ++node) {
    const auto distance = static_cast<int64_t>(cycle.next(node)) - static_cast<int64_t>(node);
    near += distance > -64 && distance < 64 ? 1 : 0;
  }
  CHECK(near < 400);  // successors within 63 nodes; a random order would have 127
}

TEST_CASE("chains of every layout are one cycle through all their nodes") {
  Arena arena(16 << 20, Pages::small);
  Chain dense(arena, Layout::dense, 1000);
  CHECK(pointer_cycle_length(arena.data(), 1000) == 1000);
  Chain paged(arena, Layout::onePerPage, 256);
  CHECK(pointer_cycle_length(*reinterpret_cast<char**>(arena.data()), 256) == 256);
  Chain few(arena, Layout::fewPages, kFewPagesNodes);
  few.warm(1 << 20);
  CHECK(few.chase(1000).value_ns > 0);
  CHECK(few.chase_many(8, 100).value_ns > 0);
}

TEST_CASE("an arena ends where touching it took too long, at a power of two") {
  CHECK(Arena(16 << 20, Pages::small, [](uint64_t) { return false; }).bytes() == 16 << 20);
  CHECK(Arena(16 << 20, Pages::small, [](uint64_t touched) {
          return touched >= 6 << 20;
        }).bytes() == 4 << 20);
  CHECK(Arena(16 << 20, Pages::small, [](uint64_t touched) {
          return touched >= 8 << 20;
        }).bytes() == 8 << 20);
}

TEST_CASE("footprints are ascending, doubled below the second level and finer above") {
  const Topology topology{.cores = 1,
                          .cpus = {},
                          .caches = {{.level = 1, .size_bytes = 32 << 10},
                                     {.level = 2, .size_bytes = 1 << 20},
                                     {.level = 3, .size_bytes = 32 << 20}},
                          .warnings = {}};
  const auto footprints = chase_footprints(topology, 256 << 20);
  CHECK(footprints.front() == 16 << 10);
  CHECK(footprints.back() == 256 << 20);
  for (size_t i = 1; i < footprints.size(); ++i) {
    const double step = static_cast<double>(footprints[i]) / static_cast<double>(footprints[i - 1]);
    CHECK(step > 1.3);
    CHECK(step <= (footprints[i] <= 512 << 10 ? 2.0 : 2.01));
  }
}

}  // namespace chase_test
