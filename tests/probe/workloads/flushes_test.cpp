// Flushes of lines that were just stored, and what they say of stores.
#include <doctest/doctest.h>

#include "presort/probe/assemble/core_defaults.h"
#include "presort/probe/workloads/workloads.h"
#include "tests/probe/synthetic_probe.h"

namespace flushes_test {

using namespace presort;
using namespace presort::probe;
using namespace presort::probe::test;

TEST_CASE("stores ask ahead where flushes take less than half a memory latency") {
  const Topology topology = synthetic_topology();
  const auto stores_ahead = [&](double flush_ns, int known) {
    Estimates estimates = synthetic_estimates();  // memory latency 100 ns
    if (flush_ns > 0) {
      set(estimates, Quantity::flushes, 0, flush_ns);
    }
    CoreDefaults core = core_defaults(guest(), topology);
    core.window.stores = 72;
    core.window.stores_ahead = known;
    return assemble(find(estimates, topology), estimates, topology, guest(), core,
                    {.date = "2026-11-27"})
        .machine.window.stores_ahead;
  };
  CHECK(stores_ahead(33, 0) == 72);
  CHECK(stores_ahead(49.9, 0) == 72);
  CHECK(stores_ahead(50, 0) == 0);
  CHECK(stores_ahead(125, 0) == 0);
  CHECK(stores_ahead(0, 0) == 0);  // not measured
  // The probe's table of cores that were tried counts before what a probe finds
  CHECK(stores_ahead(33, 16) == 16);
  CHECK(stores_ahead(125, 16) == 16);
}

TEST_CASE("the workload times flushes into lines of the large arena") {
  Arena huge(uint64_t{4} << 20, Pages::huge);
  Arena small(uint64_t{2} << 20, Pages::small);
  int slices = 0;
  const auto add = [&](Quantity quantity, uint64_t at, const Slice& slice) {
    CHECK(quantity == Quantity::flushes);
    CHECK(at == 0);
    CHECK(slice.value_ns > 0);
    ++slices;
  };
  measure_flushes({huge, small, this_topology(), 1024, add});
  CHECK(slices == 4);
}

}  // namespace flushes_test
