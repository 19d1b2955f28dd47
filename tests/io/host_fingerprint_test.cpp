#include "presort/io/machine/host_fingerprint.h"

#include <doctest/doctest.h>

#include "tests/io/fixtures.h"

namespace host_fingerprint_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

// Writes files that announce a cache as Linux does; "" leaves a file out.
void announce(const TemporaryFolder& folder, const std::string& index, const std::string& level,
              const std::string& type, const std::string& size, const std::string& ways) {
  std::filesystem::create_directory(folder.file(index));
  folder.write(index + "/level", level + "\n");
  folder.write(index + "/type", type + "\n");
  if (!size.empty()) {
    folder.write(index + "/size", size + "\n");
  }
  if (!ways.empty()) {
    folder.write(index + "/ways_of_associativity", ways + "\n");
  }
  folder.write(index + "/coherency_line_size", "64\n");
}

}  // namespace

TEST_CASE("announced caches become fields, without the instruction cache") {
  const TemporaryFolder folder;
  announce(folder, "index0", "1", "Data", "48K", "12");
  announce(folder, "index1", "1", "Instruction", "64K", "16");
  announce(folder, "index2", "2", "Unified", "2048K", "16");
  // a cache with 0 ways: their number is unknown
  announce(folder, "index3", "3", "Unified", "36608K", "0");
  Fingerprint print;
  add_announced_caches(folder.file(""), print);
  CHECK(print.hard == FingerprintFields{{"L1d.size", "48KiB"},
                                        {"L1d.ways", "12"},
                                        {"L1d.line", "64B"},
                                        {"L2.size", "2MiB"},
                                        {"L2.ways", "16"},
                                        {"L2.line", "64B"},
                                        {"L3.size", "36608KiB"},
                                        {"L3.line", "64B"}});
}

TEST_CASE("what the system does not say, or says oddly, is left out") {
  const TemporaryFolder folder;
  Fingerprint print;
  add_announced_caches(folder.file("nowhere"), print);
  CHECK(print.hard.empty());
  announce(folder, "index0", "2", "Unified", "huge", "");
  add_announced_caches(folder.file(""), print);
  CHECK(print.hard == FingerprintFields{{"L2.line", "64B"}});
}

TEST_CASE("a table of this machine is taken, one of another names the field that differs") {
  Tuned tuned;
  tuned.fingerprint = host_fingerprint();
  CHECK(require_this_machine(tuned, "t.yaml").empty());
  tuned.fingerprint.soft = {{"compiler", "abacus 1"}};
  const std::vector<std::string> warnings = require_this_machine(tuned, "t.yaml");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].starts_with("compiler: the file has abacus 1, here it is "));
  tuned.fingerprint.hard = {{"kernels", "0.0.1"}};
  CHECK_THROWS_WITH_AS(require_this_machine(tuned, "t.yaml"),
                       doctest::Contains("t.yaml is of another machine: kernels: the file has "
                                         "0.0.1, here it is "),
                       InputError);
  tuned.fingerprint.hard.clear();  // a tuned table without a machine to check
  CHECK_NOTHROW(require_this_machine(tuned, "t.yaml"));
}

}  // namespace host_fingerprint_test
