#include "presort/core/text/byte_text.h"

#include <doctest/doctest.h>

#include <limits>

#include "presort/core/machine/fingerprint.h"

namespace byte_text_test {

using namespace presort;

namespace {

std::string joined(const TwoTexts& texts) {
  return texts.first + " " + texts.second;
}

constexpr uint64_t kKiB = 1 << 10;
constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kGiB = 1 << 30;

}  // namespace

TEST_CASE("exact numbers of bytes stand in the unit in which both are whole") {
  CHECK(joined(exact_bytes(2 * kMiB, 1280 * kKiB)) == "2048KiB 1280KiB");
  CHECK(joined(exact_bytes(2 * kMiB, 64 * kMiB)) == "2MiB 64MiB");
  CHECK(joined(exact_bytes(3 * kKiB, 100)) == "3072B 100B");
  CHECK(joined(exact_bytes(0, 5 * kGiB)) == "0B 5368709120B");
}

TEST_CASE("rounded numbers of bytes stand in the unit of the smaller one") {
  CHECK(joined(rounded_bytes(64 * kGiB, 15938264 * kKiB)) == "64.0GiB 15.2GiB");
  CHECK(joined(rounded_bytes(kGiB, 200 * kMiB)) == "1024.0MiB 200.0MiB");
  CHECK(joined(rounded_bytes(100, 1000)) == "100B 1000B");
  CHECK(joined(rounded_bytes(0, 3 * kGiB)) == "0.0GiB 3.0GiB");
  CHECK(joined(rounded_bytes(std::numeric_limits<uint64_t>::max(), 1)) ==
        "18446744073709551615B 1B");
}

TEST_CASE("a shortage of memory is said in one unit, exactly when rounding hides it") {
  CHECK(memory_shortage(64 * kGiB, 15938264 * kKiB) ==
        "not enough memory: needed 64.0GiB, available 15.2GiB");
  CHECK(memory_shortage(2 * kGiB + kKiB, 2 * kGiB) ==
        "not enough memory: needed 2097153KiB, available 2097152KiB");
}

TEST_CASE("fingerprints that differ in a size say both in one unit") {
  const Fingerprint file = {.hard = {{"L2.size", "2MiB"}, {"isa", "x86_64"}}, .soft = {}};
  const Fingerprint here = {.hard = {{"L2.size", "1280KiB"}, {"isa", "aarch64"}}, .soft = {}};
  const FingerprintDifference difference = compare_fingerprints(file, here);
  REQUIRE(difference.hard.size() == 2);
  CHECK(difference.hard[0] == "L2.size: the file has 2048KiB, here it is 1280KiB");
  CHECK(difference.hard[1] == "isa: the file has x86_64, here it is aarch64");
}

}  // namespace byte_text_test
