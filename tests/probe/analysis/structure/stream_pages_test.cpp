#include "presort/probe/analysis/structure/stream_pages.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "presort/probe/assemble/core_defaults.h"
#include "presort/probe/workloads/workloads.h"
#include "tests/probe/synthetic_probe.h"

namespace stream_pages_test {

using namespace presort;
using namespace presort::probe;
using namespace presort::probe::test;

// Adds the times of a stream's pages: the first lines of the pages in `begins`, and of all pages
// behind them as those of the last one of these.
void set_pages(Estimates& estimates, const std::vector<double>& begins, double end_ns) {
  for (uint64_t page = 0; page < kStreamPages; ++page) {
    set(estimates, Quantity::pageBegin, page, page < begins.size() ? begins[page] : begins.back());
    set(estimates, Quantity::pageEnd, page, end_ns);
  }
}

std::optional<int> crosses(const std::vector<double>& begins, double end_ns, double latency_ns) {
  Estimates estimates;
  set_pages(estimates, begins, end_ns);
  return streams_cross_after(estimates, latency_ns);
}

TEST_CASE("streams go on from the page behind those that begin anew") {
  CHECK(crosses({551, 300, 210, 130, 30}, 30, 142) == 3);  // measured on a Zen 5
  CHECK(crosses({812, 120}, 114, 158) == 1);               // measured on a Zen 3
  CHECK(crosses({263, 200}, 75, 114) == 0);                // measured on a Xeon
}

TEST_CASE("a disturbed page does not count") {
  CHECK(crosses({200, 30, 30, 200, 30}, 30, 100) == 1);
  CHECK(crosses({200, 200, 30, 200, 30}, 30, 100) == 2);
  CHECK(crosses({200, 200, 200, 30, 200}, 30, 100) == 0);
}

TEST_CASE("the last page decides whether streams ever go on where all others begin anew") {
  std::vector<double> begins(kStreamPages, 200);
  begins.back() = 30;
  CHECK(crosses(begins, 30, 100) == kStreamPages - 1);
  begins.back() = 200;
  CHECK(crosses(begins, 30, 100) == 0);
}

TEST_CASE("streams that did not come from memory, or were not timed, say nothing") {
  CHECK(!crosses({60, 30}, 30, 100).has_value());
  CHECK(crosses({106, 30}, 30, 100) == 1);
  CHECK(!streams_cross_after({}, 100).has_value());
  Estimates estimates;
  set_pages(estimates, {200, 30}, 30);
  estimates.erase({Quantity::pageEnd, kStreamPages - 1});
  CHECK(!streams_cross_after(estimates, 100).has_value());
}

TEST_CASE("what was documented or tried for a core comes before what the probe found") {
  Estimates estimates = synthetic_estimates();  // memory latency 100 ns
  set_pages(estimates, {200, 200, 30}, 30);
  const Topology topology = synthetic_topology();
  const auto crosses_after = [&](std::optional<int> known) {
    CoreDefaults core = core_defaults(guest(), topology);
    core.streams_cross_after = known;
    return assemble(find(estimates, topology), estimates, topology, guest(), core,
                    {.date = "2026-11-27"})
        .machine.prefetchers.back()
        .crosses_after;
  };
  CHECK(crosses_after(std::nullopt) == 2);
  CHECK(crosses_after(0) == 0);
  CHECK(crosses_after(3) == 3);
  estimates.erase({Quantity::pageBegin, 0});
  CHECK(crosses_after(std::nullopt) == 0);
}

TEST_CASE("the workload times both ends of every page of its streams") {
  Arena huge(uint64_t{2} << 20, Pages::huge);
  Arena small(uint64_t{4} << 20, Pages::small);
  std::map<SeriesKey, int> slices;
  const auto add = [&](Quantity quantity, uint64_t at, const Slice& slice) {
    CHECK(slice.value_ns > 0);
    CHECK(slice.cycle_ns > 0);
    ++slices[{quantity, at}];
  };
  const Topology topology = this_topology();
  measure_stream_pages({huge, small, topology, 1024, add});
  CHECK(slices.size() == 2 * kStreamPages);
  for (const auto& [key, count] : slices) {
    CHECK((key.quantity == Quantity::pageBegin || key.quantity == Quantity::pageEnd));
    CHECK(key.at < kStreamPages);
    CHECK(count == 2);
  }
}

}  // namespace stream_pages_test
