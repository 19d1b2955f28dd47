// The examples in the reference documentation can be read, and the documented keys are those of
// written files.
#include "presort/io/reference/references.h"

#include <doctest/doctest.h>

#include <regex>
#include <set>
#include <sstream>

#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/io/plans/problem_file.h"
#include "presort/io/plans/tuned_file.h"
#include "presort/io/reference/file_formats.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace references_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string text_of(const std::string& name) {
  for (const Reference& reference : references()) {
    if (reference.name == name) {
      return reference.text();
    }
  }
  FAIL(name);
  return "";
}

// The YAML example in a reference page for a kind of file, such as "tuned/1".
std::string example_of(const std::string& text, const std::string& kind) {
  const std::string opening = "```yaml\npresort: " + kind;
  REQUIRE(contains(text, opening));
  const size_t begin = text.find(opening) + std::string("```yaml\n").size();
  return text.substr(begin, text.find("```\n", begin) - begin);
}

using Keys = std::set<std::string>;

Keys keys_of(std::span<const FileKey> rows) {
  Keys keys;
  for (const FileKey& row : rows) {
    keys.emplace(row.key);
  }
  return keys;
}

// The keys on the lines of a YAML text that begin with `indent`; "  - " opens an item with indent
// 4.
Keys keys_at(const std::string& text, const std::string& indent) {
  static const std::regex kKey(R"(^( *(?:- )?)([A-Za-z]+):.*)");
  Keys keys;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, kKey) && match[1].length() == std::ssize(indent)) {
      keys.insert(match[2]);
    }
  }
  return keys;
}

}  // namespace

TEST_CASE("the examples of the reference are read") {
  const Machine machine =
      parse_machine(example_of(text_of("machine-keys"), "machine/1"), "example");
  CHECK(machine.caches.size() == 3);
  CHECK(parse_problems(example_of(text_of("problem-keys"), "problem/1"), "example").size() == 2);
  const std::string files = text_of("file-formats");
  const PlanGrid grid = parse_plan_grid(example_of(files, "planGrid/1"), "example");
  CHECK(grid.problems.size() == 3);
  CHECK(grid.plans.size() == 2);
  CHECK(parse_tuned(example_of(files, "tuned/1"), "example").entries.size() == 1);
}

TEST_CASE("the keys of a tuned file are those that are written") {
  Tuned tuned = parse_tuned(example_of(text_of("file-formats"), "tuned/1"), "example");
  tuned.provenance = {{"date", "today"}};
  GpuTunedEntry of_two_devices;
  of_two_devices.shared.devices = 2;
  tuned.gpu_entries.push_back(of_two_devices);
  const std::string text = tuned_to_text(tuned);
  const Keys of_file = keys_at(text, "");
  CHECK(of_file == keys_of(tuned_keys()));
  const Keys of_entry = keys_at(text.substr(text.find("\nentries:")), "    ");
  CHECK(of_entry == keys_of(tuned_entry_keys()));
}

TEST_CASE("the keys of core costs are those that are written") {
  const std::string text =
      read_text_file(source_path("configs/machines/emerald-rapids-host.costs.yaml"));
  CHECK(keys_at(text, "") == keys_of(core_costs_keys()));
}

TEST_CASE("a row of the reference says what is accepted and what holds otherwise") {
  const std::string text = text_of("machine-keys");
  for (const char* line :
       {"## `cpu.caches[]`\n", "| `size` | 64B to 1TiB",
        "| `sharedBy` | 1 to 4096 | `1` | `shared_by` | cores that share an instance of the "
        "level |\n",
        "| `queue` | 1 to 4096 | that of the level above; required of the first | `queue` |",
        "| `inclusion` | `nonInclusive`, `inclusive`, `exclusive` | `nonInclusive` |",
        "average seek (with kind: disk) |\n"}) {
    CAPTURE(line);
    CHECK(contains(text, line));
  }
}

}  // namespace references_test
