// Every configuration file that comes with the project can be read, and says what it is named
// after.
#include <doctest/doctest.h>

#include <vector>

#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/problem_file.h"
#include "tests/io/fixtures.h"

namespace bundled_files_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::vector<std::filesystem::path> files_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_path(folder))) {
    files.push_back(entry.path());
  }
  REQUIRE(!files.empty());
  return files;
}

}  // namespace

TEST_CASE("all bundled machines load, are named like their files and tell their source") {
  for (const auto& path : files_of("configs/machines")) {
    CAPTURE(path);
    if (path.string().ends_with(kCoreCostsEnding)) {
      continue;  // skipped: core-cost files are read with their machine
    }
    const Machine machine = read_machine(path.string());
    CHECK(machine.name == path.stem().string());
    CHECK(machine.provenance.at(0).first == "source");
    CHECK(parse_machine(machine_to_text(machine), "text") == machine);
  }
}

TEST_CASE("all bundled problems load") {
  for (const auto& path : files_of("configs/problems")) {
    CAPTURE(path);
    CHECK(!read_problems(path.string()).empty());
  }
}

TEST_CASE("the laptop of the thesis has the values of its table") {
  const Machine machine = read_machine(source_path("configs/machines/core2-t7300.yaml"));
  CHECK(machine.clock_hz == 2e9);
  CHECK(machine.caches.at(0).size_bytes == 32 << 10);
  CHECK(machine.caches.at(1).size_bytes == 4 << 20);
  CHECK(machine.memory.latency_ns == 111);
}

}  // namespace bundled_files_test
