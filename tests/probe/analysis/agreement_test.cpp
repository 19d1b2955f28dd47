#include "presort/probe/analysis/agreement.h"

#include <doctest/doctest.h>

#include "presort/core/error.h"

namespace agreement_test {

using namespace presort;
using namespace presort::probe;

namespace {

Machine machine(double latency_ns, double uncertainty, Quality quality = Quality::good) {
  Machine m;
  m.name = "here";
  m.memory.latency_ns = latency_ns;
  m.caches = {{.name = "L1d", .latency_cycles = 5}};
  m.provenance = {{"source", "probe"}};
  m.probed = {{"memory.latency", "", uncertainty, quality},
              {"cpu.walk.walkers", "", 0, Quality::table},
              {"memory.readBandwidth", "12.5GB/s", 0.01, Quality::good}};
  return m;
}

const ComparedValue& of_key(const Agreement& agreement, const std::string& key) {
  for (const ComparedValue& value : agreement.values) {
    if (value.key == key) {
      return value;
    }
  }
  FAIL(key);
  return agreement.values.front();
}

}  // namespace

TEST_CASE("values come from the machine, or from the probe where no key takes them") {
  const auto values = file_values(machine(100, 0.04));
  REQUIRE(values.size() == 3);
  CHECK(values[0].key == "memory.latency");
  CHECK(values[0].value == 100);
  CHECK(values[0].unit == "ns");
  CHECK(values[0].uncertainty == doctest::Approx(0.04));
  CHECK(values[0].quality == Quality::good);
  CHECK(values[1].quality == Quality::table);
  CHECK(values[1].uncertainty == 0);
  CHECK(values[2].value == 12.5);
  CHECK(values[2].unit == "GB/s");
}

TEST_CASE("two values agree up to the half-width of their difference") {
  // Values of about 100 with intervals of 3 % and 4 % agree up to a distance of 5.
  const auto agrees = [](double other) {
    return of_key(compare_probes(machine(100, 0.03), machine(other, 0.04)), "memory.latency")
        .agrees;
  };
  CHECK(agrees(100));
  CHECK(agrees(105.1));
  CHECK(agrees(95.2));
  CHECK_FALSE(agrees(105.4));
  CHECK_FALSE(agrees(94.8));
}

TEST_CASE("a value that is uncertain by more than half is counted apart, whatever it says") {
  for (const double other : {100.0, 1000.0}) {
    const Agreement agreement = compare_probes(machine(100, 0.01), machine(other, 0.51));
    CHECK(of_key(agreement, "memory.latency").too_uncertain);
    CHECK_FALSE(of_key(agreement, "memory.latency").counts);
    CHECK(agreement.too_uncertain == 1);
    CHECK(agreement.counted == 1);
    CHECK(agreement.agreeing == 1);
  }
  CHECK(compare_probes(machine(100, 0.5), machine(100, 0.5)).too_uncertain == 0);
}

TEST_CASE("probes of which all values are too uncertain do not agree") {
  Machine vague = machine(100, 0.6);
  vague.probed.resize(1);
  const Agreement agreement = compare_probes(vague, vague);
  CHECK(agreement.counted == 0);
  CHECK(agreement.too_uncertain == 1);
  CHECK(agreement.part() == 0);
}

TEST_CASE("measured values count, those of tables do not") {
  Machine other = machine(200, 0.01);
  other.walk.walkers = 7;
  const Agreement agreement = compare_probes(machine(100, 0.01), other);
  CHECK(agreement.values.size() == 3);
  CHECK(agreement.counted == 2);
  CHECK(agreement.agreeing == 1);
  CHECK(agreement.part() == 0.5);
  CHECK_FALSE(of_key(agreement, "cpu.walk.walkers").counts);
  CHECK_FALSE(of_key(agreement, "cpu.walk.walkers").agrees);
}

TEST_CASE("a value that one probe measured and the other one took from a table counts") {
  const Agreement agreement = compare_probes(machine(100, 0.01), machine(100, 0, Quality::table));
  CHECK(of_key(agreement, "memory.latency").counts);
  CHECK(of_key(agreement, "memory.latency").agrees);
}

TEST_CASE("values that only one file has are named") {
  Machine other = machine(100, 0.01);
  other.probed.resize(1);
  const Agreement agreement = compare_probes(machine(100, 0.01), other);
  CHECK(agreement.counted == 1);
  REQUIRE(agreement.only_in_one.size() == 1);
  CHECK(agreement.only_in_one[0] == "memory.readBandwidth");
  CHECK(compare_probes(other, machine(100, 0.01)).only_in_one.size() == 1);
}

TEST_CASE("a file of no probe, or one that was edited badly, is refused") {
  Machine plain = machine(100, 0.01);
  plain.probed.clear();
  CHECK_THROWS_AS(compare_probes(machine(100, 0.01), plain), InputError);
  for (const auto& [key, value] : {std::pair{"memory.readBandwidth", "fast"},
                                   std::pair{"memory.colour", ""}, std::pair{"cpu.frames", ""}}) {
    CAPTURE(key);
    Machine bad = machine(100, 0.01);
    bad.probed.push_back({key, value, 0.01, Quality::good});
    CHECK_THROWS_AS(file_values(bad), ProvenanceError);
  }
}

TEST_CASE("two machines without measured values agree") {
  CHECK(Agreement{}.part() == 1);
}

}  // namespace agreement_test
