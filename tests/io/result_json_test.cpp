#include "presort/io/json/result_json.h"

#include <doctest/doctest.h>

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/problem_fields.h"
#include "presort/io/fields/field_json.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/machine/machine_file.h"
#include "tests/io/fixtures.h"

namespace result_json_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) {
    keys.push_back(item.key());
  }
  return keys;
}

using Keys = std::vector<std::string>;

Prediction example_prediction() {
  Prediction prediction;
  prediction.problem = simple_problem(1000, 10);
  prediction.plan = parse_cpu_plan("sortBits=3,passes=1");
  prediction.machine = "small";
  prediction.ns_per_input = 6.5;
  prediction.ci95_relative = 0.01;
  prediction.stack_ns = {{"core", 2.5}, {"L1d", 1}, {"memoryLatency", 3}};
  prediction.phases = {{"histogram 1", 1.5, {{"core", 1.5}}}, {"reduce", 5, {{"core", 1}}}};
  prediction.levels = {{"L1d", 100, 90, 10, 5, 2, 1, 1, 0, 3, 4, 1, 7, 640, 320}};
  prediction.tlb = {{"STLB", 50, 40, 10, 30, 8}};
  prediction.walks = 10;
  prediction.simulated_inputs = 500;
  prediction.simulated_accesses = 3000;
  prediction.seconds = 0.5;
  return prediction;
}

}  // namespace

TEST_CASE("a prediction has exactly the promised fields, in order") {
  const Json json = prediction_to_json(example_prediction());
  CHECK(keys_of(json) == Keys{"problem", "plan", "machine", "predicted_ns_per_input",
                              "ci95_relative", "stack_ns", "phases", "levels", "tlb", "walks",
                              "simulated_inputs", "simulated_accesses", "seconds",
                              "accesses_per_second"});
  CHECK(json["predicted_ns_per_input"] == 6.5);
  CHECK(keys_of(json["stack_ns"]) == Keys{"core", "L1d", "memoryLatency"});
  REQUIRE(json["phases"].is_array());
  REQUIRE(json["phases"].size() == 2);
  CHECK(keys_of(json["phases"][0]) == Keys{"name", "ns_per_input", "stack_ns"});
  CHECK(json["phases"][0]["name"] == "histogram 1");
  CHECK(json["levels"][0] == Json{{"name", "L1d"},
                                  {"accesses", 100},
                                  {"hits", 90},
                                  {"misses", 10},
                                  {"writebacks", 5},
                                  {"prefetches", 2},
                                  {"useful_prefetches", 1},
                                  {"late_prefetches", 1},
                                  {"useless_prefetches", 0},
                                  {"sector_misses", 3},
                                  {"write_throughs", 4},
                                  {"back_invalidations", 1},
                                  {"invalidations", 7},
                                  {"bytes_in", 640},
                                  {"bytes_out", 320}});
  CHECK(json["tlb"][0] == Json{{"name", "STLB"},
                               {"accesses", 50},
                               {"hits", 40},
                               {"misses", 10},
                               {"load_accesses", 30},
                               {"load_misses", 8}});
  CHECK(json["accesses_per_second"] == 6000);
}

TEST_CASE("a prediction without parts has empty lists and no division by zero") {
  Prediction prediction;
  prediction.problem = simple_problem(1, 1);
  const Json json = prediction_to_json(prediction);
  CHECK(json["stack_ns"].is_object());
  CHECK(json["phases"] == Json::array());
  CHECK(json["levels"] == Json::array());
  CHECK(json["tlb"] == Json::array());
  CHECK(json["accesses_per_second"] == 0);
}

TEST_CASE("problems and plans are typed") {
  const Json json = prediction_to_json(example_prediction());
  CHECK(json["problem"] == Json{{"op", "multireduce"},
                                {"n", 1000},
                                {"m", 10},
                                {"dist", "uniform"},
                                {"types", "u32+u32"},
                                {"seed", 1}});
  CHECK(json["plan"]["sortBits"] == 3);
  CHECK(json["plan"]["passes"] == 1);
  CHECK(json["plan"]["streaming"].is_boolean());
  CHECK(json["plan"]["strategy"] == "direct");
  CHECK(json["plan"]["pageSize"] == "2MiB");
  CHECK(plan_to_json(parse_cpu_plan("sortBits=0"))["sortBits"] == 0);
}

TEST_CASE("a problem has a shape and axes in JSON only where it has them, and reads without") {
  Problem problem = simple_problem(60, 15);
  const auto read = [](const Json& json) {
    Problem found;
    fields_from_json(fields::kProblem, JsonObject(json), &found);
    return found;
  };
  CHECK(keys_of(problem_to_json(problem)) == Keys{"op", "n", "m", "dist", "types", "seed"});
  CHECK(read(problem_to_json(problem)) == problem);
  problem.operation = Operation::reduceAxes;
  problem.shape = parse_extents("", "3x4x5");
  problem.axes = parse_axis_set("", "1");
  const Json json = problem_to_json(problem);
  CHECK(json["shape"] == "3x4x5");
  CHECK(json["axes"] == "1");
  CHECK(read(json) == problem);
}

TEST_CASE("a measurement has exactly the promised fields") {
  Measurement measurement;
  measurement.problem = simple_problem(1000, 10);
  measurement.samples_ns_per_input = {4, 2, 3};
  measurement.checked = true;
  measurement.initialise_ns_per_input = 0.25;
  measurement.huge_page_bytes = 4096;
  const Json json = measurement_to_json(measurement);
  CHECK(keys_of(json) == Keys{"problem", "plan", "ns_per_input", "samples_ns_per_input", "checked",
                              "initialise_ns_per_input", "huge_page_bytes"});
  CHECK(json["ns_per_input"] == Json{{"median", 3.0}, {"min", 2.0}, {"mad", 1.0}, {"reps", 3}});
  CHECK(json["checked"] == true);
}

TEST_CASE("a tuned entry has exactly the promised fields") {
  TunedEntry entry;
  entry.problem = simple_problem(1000, 10);
  entry.predicted_ns_per_input = 6.1;
  entry.matters = false;
  const Json json = tuned_entry_to_json(entry);
  CHECK(keys_of(json) == Keys{"device", "problem", "plan", "predicted_ns_per_input", "direct_plan",
                              "direct_ns_per_input", "runner_up", "runner_up_ns_per_input",
                              "margin", "matters", "origin"});
  CHECK(json["matters"] == false);
  CHECK(json["origin"] == "simulation");
}

TEST_CASE("a machine is told with every key and its units") {
  const Json json = machine_to_json(read_machine(valid_path("machine_full.yaml")));
  CHECK(keys_of(json) == Keys{"name", "cpu", "memory", "gpu", "provenance"});
  CHECK(json["cpu"]["clock_hz"] == 2.5e9);
  CHECK(json["cpu"]["window"]["stores"] == 56);
  CHECK(json["cpu"]["caches"].size() == 3);
  CHECK(json["cpu"]["caches"][2]["share"] == 0.3);
  CHECK(json["cpu"]["tlb"][2]["page_bytes"] == Json{4096, 2097152});
  CHECK(json["cpu"]["walk"]["nested_host_page_bytes"] == 4096);
  CHECK(json["memory"]["row_hit_ns"] == -25);
  CHECK(json["gpu"]["clock_hz"] == 2e9);
  CHECK(json["gpu"]["ceilings"]["read_bytes_per_second"] == 4.1e12);
  CHECK(json["gpu"]["ceilings"]["atomics_one_address_per_second"] == 1.36e9);
  CHECK(json["gpu"]["ceilings"].size() == fields::kGpuCeilings.rows.size());
  CHECK(json["provenance"]["uncertainty.L3.latency"] == "4%");
}

TEST_CASE("the provenance of a result says what made it, where and when") {
  const Provenance provenance = current_provenance();
  CHECK(keys_of(provenance_to_json(provenance)) ==
        Keys{"tool_version", "host", "compiler", "date", "kernel"});
  CHECK(contains(provenance.tool_version, "."));
  CHECK(!provenance.host.empty());
  CHECK(provenance.date.size() == 20);
  CHECK(provenance.date[10] == 'T');
  CHECK(provenance.date.back() == 'Z');
  CHECK(provenance_pairs(provenance).front().first == "toolVersion");
}

TEST_CASE("JSON text is one document, of several lines or of one") {
  CHECK(json_text(Json{{"a", 1}}) == "{\n  \"a\": 1\n}\n");
  CHECK(json_line(Json{{"a", 1}, {"b", {2, 3}}}) == "{\"a\":1,\"b\":[2,3]}\n");
}

TEST_CASE("JSON text is printable ASCII whatever the strings are, and means what they are") {
  const Json names = {{"a\x1b\x7f", "\n\xc2\x9b\xe2\x80\xae é"}};
  for (const std::string& text : {json_text(names), json_line(names)}) {
    CHECK(Json::parse(text) == names);
    for (const char c : text) {
      CHECK((c == '\n' || (c >= ' ' && c <= '~')));
    }
  }
  // A byte that is not UTF-8 is replaced; the result is still written.
  CHECK(json_line(Json{{"a", "x\xff"}}) == "{\"a\":\"x\\ufffd\"}\n");
  CHECK(contains(json_text(Json{{"\xff", 1}}), "\\ufffd"));
}

}  // namespace result_json_test
