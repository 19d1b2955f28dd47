// Predictions on machines with several memory nodes, where a plan says on which nodes its arrays
// lie.
#include <doctest/doctest.h>

#include <string>

#include "presort/core/error.h"
#include "presort/predict/phases/array_places.h"
#include "presort/predict/trace/layout.h"
#include "tests/predict/laptop.h"

namespace presort::inline v0::predict::on_laptop {
namespace {

using doctest::Approx;

// Two nodes of two laptop's cores each, joined by links that add `extra_ns` and move `bandwidth`.
Machine two_nodes(double extra_ns, double bandwidth) {
  Machine machine = laptop();
  machine.cores = 4;
  machine.caches.back().shared_by = 2;
  const double far = machine.memory.latency_ns + extra_ns;
  machine.numa = {{{"a", 2}, {"b", 2}}, {{"a", "b", far, bandwidth}, {"b", "a", far, bandwidth}}};
  return machine;
}

Machine slow_links() {
  return two_nodes(300, 1e9);
}
Machine free_links() {
  return two_nodes(0, 1e15);
}

double phase_ns(const Prediction& prediction, const std::string& name) {
  for (const PhasePrediction& phase : prediction.phases) {
    if (phase.name == name) {
      return phase.ns_per_input;
    }
  }
  FAIL(name);
  return 0;
}

constexpr const char* kPlacements[] = {"", ",placement=interleaved", ",placement=byShare"};
const Problem kLarge = problem(1 << 18, 1 << 19);

TEST_CASE("on a machine with one node, named or not, placement changes nothing, to the last bit") {
  Machine machine = laptop();
  machine.cores = 4;
  machine.caches.back().shared_by = 2;
  for (const char* plan : {"threads=4,pageSize=4KiB", "strategy=privateTables,threads=3",
                           "sortBits=4,threads=2", "sortBits=6"}) {
    CAPTURE(plan);
    machine.numa.reset();
    const Prediction without = predict(machine, kLarge, plan);
    machine.numa = Numa{{{"all", 4}}, {}};
    for (const char* placement : kPlacements) {
      const Prediction with = predict(machine, kLarge, std::string(plan) + placement);
      CHECK(with.ns_per_input == without.ns_per_input);
      CHECK(with.stack_ns == without.stack_ns);
    }
  }
}

TEST_CASE("one thread with all arrays on its node does not know of other nodes") {
  Machine one = laptop();
  const Prediction without = predict(one, kLarge, "sortBits=6");
  const Prediction with = predict(slow_links(), kLarge, "sortBits=6");
  CHECK(with.ns_per_input == without.ns_per_input);
  CHECK(with.stack_ns == without.stack_ns);
}

// Each thread has its own part of every array in these phases, so only pages at the parts' ends are
// another node's.
TEST_CASE("by shares, threads that work on their own parts use no link") {
  const std::string plan = "strategy=privateTables,threads=4,pageSize=4KiB";
  const Problem what = problem(1 << 20, 1 << 14);
  const Prediction slow = predict(slow_links(), what, plan + ",placement=byShare");
  const Prediction free = predict(free_links(), what, plan + ",placement=byShare");
  for (const PhasePrediction& phase : free.phases) {
    CAPTURE(phase.name);
    if (phase.name != "merge tables") {
      CHECK(phase_ns(slow, phase.name) == Approx(phase.ns_per_input).epsilon(0.02));
    }
  }
}

TEST_CASE("links cost the placements in order: by shares, interleaved, all on the first node") {
  const Problem what = problem(1 << 20, 1 << 14);
  const std::string plan = "strategy=privateTables,threads=4,pageSize=4KiB";
  const double first = predict(slow_links(), what, plan).ns_per_input;
  const double turns = predict(slow_links(), what, plan + ",placement=interleaved").ns_per_input;
  const double shares = predict(slow_links(), what, plan + ",placement=byShare").ns_per_input;
  CHECK(shares < 0.9 * turns);
  CHECK(turns < 0.9 * first);
}

// Half of the inputs are read over a link of 1 GB/s by the threads of node b.
TEST_CASE("a node's threads that read their inputs over a link take the link's time") {
  const Problem what = problem(1 << 20, 1 << 10);
  const Prediction first =
      predict(slow_links(), what, "strategy=privateTables,threads=4,pageSize=4KiB");
  const double bytes = static_cast<double>(what.n) / 2 * 8;
  double updates = 0;
  for (const PhasePrediction& phase : first.phases) {
    updates += phase.kind == PhaseKind::update ? phase.ns_per_input : 0;
  }
  CHECK(updates * static_cast<double>(what.n) == Approx(bytes / 1e9 * 1e9).epsilon(0.05));
}

TEST_CASE("the closed form refuses placements whose links it does not know") {
  const SimulationOptions closed = {.method = Method::closedForm};
  CHECK_NOTHROW(predict(slow_links(), kLarge, "sortBits=6", closed));
  CHECK_NOTHROW(predict(laptop(), kLarge, "sortBits=6,placement=interleaved", closed));
  CHECK_THROWS_WITH_AS(predict(slow_links(), kLarge, "sortBits=6,placement=interleaved", closed),
                       doctest::Contains("accepted by the closed form on a machine with several "
                                         "memory nodes: placement=firstTouch"),
                       PlanError);
}

// The shares of all arrays, element by element, against the threads that have them.
TEST_CASE("by shares an element's page is on the node of its thread, in each slice's copy") {
  const Machine machine = slow_links();
  const Problem what = problem(1 << 20, 3 << 18);
  constexpr uint64_t kMoves = 1 << 21;
  const sim::AddressSpace space =
      placed_space(machine, what, 4096, 4, {Placement::byShare, Layout::pairs}, kMoves);
  const struct {
    Region region;
    uint64_t elements;
    uint64_t bytes;
  } arrays[] = {{Region::labels, what.n, 4},
                {Region::values, what.n, 4},
                {Region::partitioned, what.n, 8},
                {Region::buckets, what.m, 4}};
  for (const auto& array : arrays) {
    for (const uint64_t slice : {0, 1, 5}) {
      for (uint64_t page = 0; page < array.elements * array.bytes / 4096; page += 7) {
        const uint64_t element = page * 4096 / array.bytes;
        const uint64_t thread = element * 4 / array.elements;
        const uint64_t address =
            address_of(array.region) + (slice * kMoves + element) * array.bytes;
        CHECK(space.node(address) == thread / 2);
      }
    }
  }
  const uint64_t table = what.m * 4;
  CHECK(space.node(address_of(Region::tables) + 2 * table - 4096) == 0);
  CHECK(space.node(address_of(Region::tables) + 2 * table) == 1);
  CHECK(space.node(address_of(Region::buffers) + (uint64_t{1} << 30) + 100000) == 0);
  CHECK(space.node(address_of(Region::buffers) + 3 * ((uint64_t{1} << 30) + 100000)) == 1);
}

}  // namespace
}  // namespace presort::predict::on_laptop
