#include <doctest/doctest.h>

#include "presort/probe/workloads/workloads.h"
#include "tests/probe/synthetic_probe.h"

namespace line_transfer_test {

using namespace presort;
using namespace presort::probe;
using namespace presort::probe::test;
using doctest::Approx;

TEST_CASE("the time of a line that another core has written comes into the machine file") {
  const ProbeResult without = assembled(synthetic_estimates(), synthetic_topology());
  CHECK(without.machine.line_transfer_ns == 0);
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::lineTransfer, 0, 93.46);
  const ProbeResult with = assembled(estimates, synthetic_topology());
  CHECK(with.machine.line_transfer_ns == Approx(93.5));
}

TEST_CASE("lines that another CPU of this machine has written take some time, in every slice") {
  Arena huge(uint64_t{4} << 20, Pages::huge);
  Arena small(uint64_t{2} << 20, Pages::small);
  size_t slices = 0;
  const auto add = [&](Quantity quantity, uint64_t at, const Slice& slice) {
    CHECK(quantity == Quantity::lineTransfer);
    CHECK(at == 0);
    CHECK(slice.value_ns > 0);
    ++slices;
  };
  Topology topology = this_topology();
  const size_t cpus = topology.cpus.size();
  measure_line_transfer({huge, small, topology, 1024, add});
  CHECK(slices == (cpus > 1 ? 4 : 0));
  slices = 0;
  topology.cpus.clear();
  measure_line_transfer({huge, small, topology, 1024, add});
  CHECK(slices == 0);
}

}  // namespace line_transfer_test
