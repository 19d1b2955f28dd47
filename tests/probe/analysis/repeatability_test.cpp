#include "presort/probe/analysis/repeatability.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace repeatability_test {

using namespace presort::probe;

namespace {

ProbeValue measured(const std::string& key, double value, double uncertainty = 0.01) {
  return {.key = key,
          .value = value,
          .unit = "ns",
          .uncertainty = uncertainty,
          .quality = measured_quality(uncertainty, 1),
          .in_file = true};
}

ProbeValue of_table(const std::string& key, double value) {
  return {.key = key, .value = value, .unit = "", .quality = Quality::table, .in_file = true};
}

presort::ProbedValue noted_in(const ProbeResult& result, const std::string& key) {
  for (const presort::ProbedValue& value : result.machine.probed) {
    if (value.key == key) {
      return value;
    }
  }
  return {.key = "absent"};
}

}  // namespace

TEST_CASE("quality follows the uncertainty, and one pass is fair at best") {
  CHECK(measured_quality(0.05, 2) == Quality::good);
  CHECK(measured_quality(0.051, 2) == Quality::fair);
  CHECK(measured_quality(0.15, 9) == Quality::fair);
  CHECK(measured_quality(0.151, 9) == Quality::poor);
  CHECK(measured_quality(0, 1) == Quality::fair);
}

TEST_CASE("a value is as uncertain as it differs between passes") {
  std::vector<ProbeValue> whole = {measured("memory.latency", 100)};
  widen_by_passes(whole, {{measured("memory.latency", 90)}, {measured("memory.latency", 110)}});
  CHECK(whole[0].uncertainty == doctest::Approx(12.706 * 0.1));
  CHECK(whole[0].quality == Quality::poor);
}

TEST_CASE("passes that agree leave a value its own uncertainty") {
  std::vector<ProbeValue> whole = {measured("memory.latency", 100, 0.04)};
  const std::vector<ProbeValue> pass = {measured("memory.latency", 100)};
  widen_by_passes(whole, {pass, pass, pass});
  CHECK(whole[0].uncertainty == doctest::Approx(0.04));
  CHECK(whole[0].quality == Quality::good);
}

TEST_CASE("passes that did not measure a value say nothing of it") {
  std::vector<ProbeValue> whole = {measured("cpu.caches.L1d.queue", 12),
                                   of_table("cpu.walk.walkers", 4)};
  widen_by_passes(whole, {{measured("cpu.caches.L1d.queue", 12), of_table("cpu.walk.walkers", 2)},
                          {of_table("cpu.caches.L1d.queue", 16)},
                          {}});
  CHECK(whole[0].uncertainty == doctest::Approx(0.01));
  CHECK(whole[0].quality == Quality::fair);
  CHECK(whole[1].uncertainty == 0);
  CHECK(whole[1].quality == Quality::table);
}

TEST_CASE("a machine says of each value how good it is") {
  ProbeResult result;
  result.values = {measured("memory.latency", 100, 0.12304), of_table("cpu.walk.walkers", 4),
                   measured("memory.readBandwidth", 12.34567), measured("curve.x", 1),
                   measured("probe.y", 1)};
  for (size_t i = 2; i < 5; ++i) {
    result.values[i].in_file = false;
  }
  note_values(result);
  CHECK(noted_in(result, "memory.latency").uncertainty == 0.123);
  CHECK(noted_in(result, "memory.latency").quality == Quality::fair);
  CHECK(noted_in(result, "memory.latency").value.empty());
  CHECK(noted_in(result, "cpu.walk.walkers").uncertainty == 0);
  CHECK(noted_in(result, "cpu.walk.walkers").quality == Quality::table);
  CHECK(noted_in(result, "memory.readBandwidth").value == "12.35ns");
  CHECK(noted_in(result, "curve.x").key == "absent");
  CHECK(noted_in(result, "probe.y").key == "absent");
}

TEST_CASE("times of dirty evictions that came out negative are 0 and poor, others stay") {
  std::vector<ProbeValue> values = {measured("cpu.caches.L2.dirtyEviction", -0.3, 0.02),
                                    measured("cpu.caches.L3.dirtyEviction", -0.1, 3.5),
                                    measured("cpu.caches.L1d.dirtyEviction", 0.2, 0.02),
                                    measured("memory.rowHit", -8, 0.02)};
  floor_evictions(values);
  CHECK(values[0].value == 0);
  CHECK(values[0].uncertainty == 1);
  CHECK(values[0].quality == Quality::poor);
  CHECK(values[1].value == 0);
  CHECK(values[1].uncertainty == 3.5);
  CHECK(values[2].value == 0.2);
  CHECK(values[2].quality == Quality::fair);
  CHECK(values[3].value == -8);
}

}  // namespace repeatability_test
