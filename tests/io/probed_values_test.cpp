#include "presort/io/machine/probed_values.h"

#include <doctest/doctest.h>

#include "presort/io/json/machine_json.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace probed_values_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

const std::vector<ProbedValue> kExpected = {
    {"cpu.clock", "", 0.02, Quality::good},
    {"cpu.dispatchWidth", "", 0, Quality::table},
    {"memory.readBandwidth", "18.4GB/s", 0.083, Quality::fair},
};

const std::string kTable =
    "  probed:\n"
    "    cpu.clock: {uncertainty: 2%, quality: good}\n"
    "    cpu.dispatchWidth: {quality: table}\n"
    "    memory.readBandwidth: {value: 18.4GB/s, uncertainty: 8.3%, quality: fair}\n";

// The error message for the fixture `flat` with the text `from` replaced by `to`.
std::string refusal(const std::string& from, const std::string& to) {
  std::string text = read_text_file(valid_path("machine_flat_provenance.yaml"));
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  return input_error([&] { parse_machine(text, "file"); });
}

}  // namespace

TEST_CASE("flat keys of older files are read as the table of a probe's values") {
  const Machine machine = read_machine(valid_path("machine_flat_provenance.yaml"));
  CHECK(machine.probed == kExpected);
  CHECK(machine.provenance ==
        std::vector<std::pair<std::string, std::string>>{
            {"source", "probe"}, {"cpu", "Some Processor"}, {"uncertainty.of.nothing", "4%"}});
}

TEST_CASE("the table is written below the free text, and read back") {
  const Machine machine = read_machine(valid_path("machine_flat_provenance.yaml"));
  CHECK(provenance_text(machine) ==
        "provenance:\n  source: probe\n  cpu: Some Processor\n  uncertainty.of.nothing: 4%\n" +
            kTable);
  CHECK(parse_machine(machine_to_text(machine), "file") == machine);
  Machine without_text = machine;
  without_text.provenance.clear();
  CHECK(provenance_text(without_text) == "provenance:\n" + kTable);
  CHECK(parse_machine(machine_to_text(without_text), "file") == without_text);
}

TEST_CASE("JSON keeps the flat keys") {
  const Json json =
      machine_to_json(read_machine(valid_path("machine_flat_provenance.yaml")))["provenance"];
  CHECK(json["source"] == "probe");
  CHECK(json["uncertainty.cpu.clock"] == "2%");
  CHECK(json["quality.cpu.clock"] == "good");
  CHECK_FALSE(json.contains("measured.cpu.clock"));
  CHECK_FALSE(json.contains("uncertainty.cpu.dispatchWidth"));
  CHECK(json["measured.memory.readBandwidth"] == "18.4GB/s");
}

TEST_CASE("what is said badly of a value is refused at its place, in either form") {
  CHECK(refusal("clock: good", "clock: god")
            .starts_with("file:8:22: provenance.quality.cpu.clock: found 'god', accepted: good, "));
  CHECK(
      refusal("clock: 2.0%", "clock: wide")
          .starts_with("file:7:26: provenance.uncertainty.cpu.clock: found 'wide', accepted: a "));
  const std::string nested = "source: probe\n  probed: {cpu.clock: {quality: good}}";
  CHECK(refusal("source: probe", nested + "\n  probed: {}").starts_with("file:7:3: "));
  CHECK(refusal("source: probe", "probed: guessed")
            .starts_with("file:5:11: provenance.probed: found 'guessed', accepted: a map"));
  CHECK(refusal("source: probe", "probed: {cpu.clock: {quality: good, colour: red}}")
            .starts_with("file:5:39: provenance.probed.cpu.clock.colour: found 'colour', accepted: "
                         "value, uncertainty, quality"));
}

}  // namespace probed_values_test
