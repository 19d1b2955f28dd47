#include "presort/app/cli/partial_file.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "presort/app/machines/completeness.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace partial_file_test {

using namespace presort;
using namespace presort::app;
using namespace presort::io::test;

namespace {

std::string machine_text(const std::string& provenance) {
  const std::string text = io::read_text_file(source_path("tests/app/data/machine.yaml"));
  return text + provenance;
}

}  // namespace

TEST_CASE("a part of a file has a name beside it") {
  CHECK(partial_path("out/machine.yaml") == "out/machine.partial.yaml");
  CHECK(partial_path("machine") == "machine.partial");
  CHECK(partial_path("a.b/c.tuned.yaml") == "a.b/c.tuned.partial.yaml");
}

TEST_CASE("a part takes the place of nothing, of a part and of a device, and of no whole file") {
  const TemporaryFolder folder;
  const auto is_part = [](const std::string& path) { return io::read_text_file(path) == "part"; };
  CHECK(place_for_part(folder.file("new.yaml"), is_part) == folder.file("new.yaml"));
  CHECK(place_for_part("/dev/null", is_part) == "/dev/null");
  const std::string part = folder.write("part.yaml", "part");
  CHECK(place_for_part(part, is_part) == part);
  const std::string whole = folder.write("whole.yaml", "whole");
  CHECK(place_for_part(whole, is_part) == folder.file("whole.partial.yaml"));
}

TEST_CASE("a machine file says whether its probe was interrupted") {
  const TemporaryFolder folder;
  const std::string whole = folder.write("whole.yaml", machine_text(""));
  const std::string part =
      folder.write("part.yaml", machine_text("provenance: {complete: false}\n"));
  CHECK(is_part_of_machine(part));
  CHECK(!is_part_of_machine(whole));
  CHECK(!is_part_of_machine(
      folder.write("true.yaml", machine_text("provenance: {complete: true}\n"))));
  CHECK(!is_part_of_machine(folder.write("other.yaml", "not a machine: [")));
  CHECK(!is_part_of_machine(folder.file("missing.yaml")));
  CHECK(!is_part_of_table(whole));
  CHECK(!is_part_of_table(folder.file("missing.yaml")));
}

}  // namespace partial_file_test
