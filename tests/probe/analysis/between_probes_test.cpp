#include "presort/probe/analysis/probe_to_probe_spread.h"

#include <doctest/doctest.h>

namespace between_probes_test {

using namespace presort::probe;

TEST_CASE("what neighbours decide moves more from probe to probe than what the core does") {
  CHECK(between_probes("cpu.caches.L3.share") > 0.3);
  CHECK(between_probes("memory.latency") > 0);
  CHECK(between_probes("memory.readBandwidth") > between_probes("memory.latency"));
  CHECK(between_probes("cpu.caches.L1d.latency") == 0);
  CHECK(between_probes("cpu.walk.nested.evidence") == 0);
  CHECK(between_probes("") == 0);
}

TEST_CASE("uncertainties are added as those of independent causes, of measured values only") {
  std::vector<ProbeValue> values = {
      {.key = "memory.latency",
       .value = 100,
       .unit = "ns",
       .uncertainty = 0.01,
       .quality = Quality::good,
       .passes = 5},
      {.key = "cpu.tlb.STLB.entries", .value = 2048, .unit = "", .quality = Quality::table}};
  widen_between_probes(values);
  const double between = between_probes("memory.latency");
  CHECK(values[0].uncertainty * values[0].uncertainty ==
        doctest::Approx(0.0001 + between * between));
  CHECK(values[0].quality == Quality::fair);
  CHECK(values[1].uncertainty == 0);
  CHECK(values[1].quality == Quality::table);
}

}  // namespace between_probes_test
