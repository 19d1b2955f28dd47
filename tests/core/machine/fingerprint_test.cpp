#include "presort/core/machine/fingerprint.h"

#include <doctest/doctest.h>

namespace fingerprint_test {

using namespace presort;

namespace {

Fingerprint print_of(const char* l2, const char* clock) {
  return {.hard = {{"isa", "x86_64"}, {"L2.size", l2}, {"L2.ways", "16"}},
          .soft = {{"clock", clock}, {"compiler", "gcc 12"}}};
}

}  // namespace

TEST_CASE("fields of both that differ are named with both values, hard and soft apart") {
  Fingerprint here = print_of("2MiB", "2GHz");
  here.hard[2] = {"L2.ways", "8"};
  const FingerprintDifference difference = compare_fingerprints(print_of("1MiB", "3GHz"), here);
  CHECK(difference.hard == std::vector<std::string>{"L2.size: the file has 1MiB, here it is 2MiB",
                                                    "L2.ways: the file has 16, here it is 8"});
  CHECK(difference.soft == std::vector<std::string>{"clock: the file has 3GHz, here it is 2GHz"});
  CHECK(other_machine_message("out/t.yaml", difference) ==
        "out/t.yaml is of another machine: L2.size: the file has 1MiB, here it is 2MiB; "
        "L2.ways: the file has 16, here it is 8");
}

TEST_CASE("clocks that are less than a tenth apart are the same") {
  const auto soft = [](const char* file, const char* here) {
    return compare_fingerprints(print_of("1MiB", file), print_of("1MiB", here)).soft.size();
  };
  CHECK(soft("3.6GHz", "3.9GHz") == 0);
  CHECK(soft("3.9GHz", "3600MHz") == 0);
  CHECK(soft("3GHz", "3.29GHz") == 0);
  CHECK(soft("3GHz", "3.31GHz") == 1);
  CHECK(soft("3.31GHz", "3GHz") == 1);
  CHECK(soft("fast", "3GHz") == 1);
  CHECK(soft("fast", "fast") == 0);
}

TEST_CASE("a field that one side does not know is not compared") {
  Fingerprint here = print_of("2MiB", "2GHz");
  here.hard.erase(here.hard.begin() + 1);
  here.soft.clear();
  const FingerprintDifference difference = compare_fingerprints(print_of("1MiB", "9GHz"), here);
  CHECK(difference.hard.empty());
  CHECK(difference.soft.empty());
}

}  // namespace fingerprint_test
