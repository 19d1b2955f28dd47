#include "presort/app/machines/fingerprint.h"

#include <doctest/doctest.h>

#include "presort/app/machines/gpu_fingerprint.h"
#include "presort/core/error.h"
#include "presort/io/machine/host_fingerprint.h"

namespace fingerprint_test {

using namespace presort;
using namespace presort::app;

namespace {

Machine fingerprinted_machine() {
  Machine machine;
  machine.clock_hz = 2.5e9;
  CacheLevel level;
  level.name = "L2";
  level.size_bytes = 1 << 20;
  level.ways = 16;
  machine.caches = {level};
  return machine;
}

const io::Provenance kHere = {"0.1.0", "host", "gcc 12", "today", "Linux 6"};

}  // namespace

TEST_CASE("a machine agrees with itself") {
  const Fingerprint print = make_fingerprint(fingerprinted_machine(), kHere);
  const FingerprintDifference difference = compare_fingerprints(print, print);
  CHECK(difference.hard.empty());
  CHECK(difference.soft.empty());
  CHECK_NOTHROW(require_fingerprint("t.yaml", print, print, false));
}

TEST_CASE("another cache geometry is a hard difference that names the field") {
  Machine other = fingerprinted_machine();
  other.caches[0].size_bytes = 2 << 20;
  const Fingerprint file = make_fingerprint(fingerprinted_machine(), kHere);
  const Fingerprint here = make_fingerprint(other, kHere);
  const FingerprintDifference difference = compare_fingerprints(file, here);
  REQUIRE(difference.hard.size() == 1);
  CHECK(difference.hard[0] == "L2.size: the file has 1MiB, here it is 2MiB");
  CHECK_THROWS_WITH_AS(require_fingerprint("t.yaml", file, here, false),
                       "t.yaml is of another machine: L2.size: the file has 1MiB, here it is 2MiB; "
                       "--force uses it anyway",
                       InputError);
  CHECK_NOTHROW(require_fingerprint("t.yaml", file, here, true));
}

TEST_CASE("clock, compiler and system kernel only warn") {
  Machine other = fingerprinted_machine();
  other.clock_hz = 3e9;
  io::Provenance elsewhere = kHere;
  elsewhere.compiler = "gcc 13";
  const Fingerprint file = make_fingerprint(fingerprinted_machine(), kHere);
  const Fingerprint here = make_fingerprint(other, elsewhere);
  CHECK(compare_fingerprints(file, here).hard.empty());
  CHECK(compare_fingerprints(file, here).soft.size() == 2);
  CHECK_NOTHROW(require_fingerprint("t.yaml", file, here, false));
}

TEST_CASE("another version of the kernels is a hard difference") {
  io::Provenance later = kHere;
  later.tool_version = "0.2.0";
  const FingerprintDifference difference =
      compare_fingerprints(make_fingerprint(fingerprinted_machine(), kHere),
                           make_fingerprint(fingerprinted_machine(), later));
  REQUIRE(difference.hard.size() == 1);
  CHECK(difference.hard[0].find("kernels") == 0);
}

TEST_CASE("a field that one side does not know is not compared") {
  Fingerprint here = make_fingerprint(fingerprinted_machine(), kHere);
  const Fingerprint file = here;
  here.hard.pop_back();
  CHECK(compare_fingerprints(file, here).hard.empty());
}

// Two functions that read the cache sizes of this system agree: the one with hwloc, and the one
// without.
TEST_CASE("a file tuned by the command for this machine is accepted by a program on it") {
  const Fingerprint print = host_fingerprint(io::current_provenance());
  const FingerprintDifference difference = compare_fingerprints(print, io::host_fingerprint());
  CHECK(difference.hard == std::vector<std::string>{});
  CHECK(difference.soft == std::vector<std::string>{});
}

TEST_CASE("a GPU of another architecture is a hard difference, one of another name a soft one") {
  Gpu gpu;
  gpu.name = "A GPU";
  gpu.architecture = "sm_90";
  gpu.multiprocessors = 132;
  gpu.shared_bytes_of_block = 227 << 10;
  Gpu other = gpu;
  other.architecture = "sm_80";
  other.name = "Another";
  const FingerprintDifference difference =
      compare_fingerprints(gpu_fingerprint(gpu, kHere), gpu_fingerprint(other, kHere));
  REQUIRE(difference.hard.size() == 1);
  CHECK(difference.hard[0] == "gpu.architecture: the file has sm_90, here it is sm_80");
  REQUIRE(difference.soft.size() == 1);
  CHECK(difference.soft[0].starts_with("gpu.name: "));
}

}  // namespace fingerprint_test
