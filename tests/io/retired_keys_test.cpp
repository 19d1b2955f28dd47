#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "presort/core/fields/field.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace retired_keys_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

const std::string kWindow = "window: {entries: 96, stores: 20}";

// The text of the small machine fixture with `window` in place of its window and `more` appended.
std::string machine_text(const std::string& window, const std::string& more = "") {
  std::string text = read_text_file(valid_path("machine_small.yaml"));
  const size_t at = text.find(kWindow);
  REQUIRE(at != std::string::npos);
  return text.replace(at, kWindow.size(), window) + more;
}

struct Read {
  Machine machine;
  std::vector<std::string> notes;
};

Read read(const std::string& text) {
  Read result;
  result.machine = parse_machine(text, "old.yaml",
                                 [&](const std::string& note) { result.notes.push_back(note); });
  return result;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a retired key is ignored, whatever it says, with one note of its place") {
  const Machine expected = read(machine_text(kWindow)).machine;
  for (const std::string value : {"32", "0", "many", "[1, 2]", "{of: 3}", "''"}) {
    CAPTURE(value);
    const Read old = read(machine_text("window: {entries: 96, loads: " + value + ", stores: 20}"));
    CHECK(old.machine == expected);
    REQUIRE(old.notes.size() == 1);
    CHECK(old.notes[0].starts_with("old.yaml:"));
    CHECK(contains(old.notes[0], ": cpu.window.loads: ignored since presort 0.1.0: "));
  }
}

TEST_CASE("the note names the line and column of the value") {
  const std::string text = machine_text("window:\n    entries: 96\n    loads: 32\n    stores: 20");
  const std::string before = text.substr(0, text.find("loads:"));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  CHECK(read(text).notes.at(0).starts_with("old.yaml:" + std::to_string(line) + ":12: "));
}

TEST_CASE("files without retired keys give no notes") {
  CHECK(read(machine_text(kWindow)).notes.empty());
  CHECK(read(read_text_file(valid_path("machine_full.yaml"))).notes.empty());
}

TEST_CASE("retired keys are not written, nor what a probe said of them") {
  const std::string probed =
      "provenance:\n"
      "  probed:\n"
      "    cpu.window.entries: {quality: table}\n"
      "    cpu.window.loads: {quality: table}\n";
  const Machine machine =
      read(machine_text("window: {entries: 96, loads: 32, stores: 20}", probed)).machine;
  REQUIRE(machine.probed.size() == 1);
  CHECK(machine.probed[0].key == "cpu.window.entries");
  CHECK_FALSE(contains(machine_to_text(machine), "loads"));
  const Machine flat =
      read(machine_text(kWindow, "provenance: {quality.cpu.window.loads: table}\n")).machine;
  CHECK(flat.probed.empty());
}

TEST_CASE("other keys are as strict beside a retired key, and it is not suggested") {
  const auto refusal = [](const std::string& window) {
    return input_error([&] { parse_machine(machine_text(window), "old.yaml"); });
  };
  const std::string misspelt = refusal("window: {entries: 96, lods: 32, stores: 20}");
  CHECK(contains(misspelt, "cpu.window.lods: found 'lods'"));
  CHECK_FALSE(contains(misspelt, "loads"));
  CHECK(contains(refusal("window: {entries: 96, loads: 32, loads: 32, stores: 20}"),
                 "cpu.window.loads: found 'loads' again"));
  CHECK(contains(refusal("window: {entries: 96, loads: 32}"), "cpu.window.stores: found nothing"));
}

TEST_CASE("retired keys are found by the path of their sections") {
  CHECK(find_retired(fields::kMachine, "cpu.window.loads") != nullptr);
  CHECK(find_retired(fields::kWindow, "loads") != nullptr);
  for (const char* path :
       {"", ".", "loads", "cpu", "cpu.window", "cpu.window.", "cpu.window.stores",
        "cpu.window.loads.", "cpu.window.loads.x", "cpu.caches.loads"}) {
    CAPTURE(path);
    CHECK(find_retired(fields::kMachine, path) == nullptr);
  }
}

}  // namespace retired_keys_test
