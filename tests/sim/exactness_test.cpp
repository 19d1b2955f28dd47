// Caches of random geometry, policy, write mode and inclusion against an oracle of plain lists.
// PRESORT_EXACT_CASES=10000 sim_test -tc="*not one count*" runs more cases.
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "tests/property_seed.h"
#include "tests/sim/exact_case.h"

namespace presort::inline v0::test::exactness_test {
namespace {

uint64_t cases() {
  const char* wanted = std::getenv("PRESORT_EXACT_CASES");
  return wanted == nullptr ? 500 : std::strtoull(wanted, nullptr, 10);
}

TEST_CASE("not one count differs from that of plain lists") {
  std::map<std::string, int> covered;
  uint64_t accesses = 0;
  for (uint64_t i = 0; i < cases(); ++i) {
    const uint64_t number = property_seed() + i;
    const ExactResult result = run_exact_case(number);
    REQUIRE_MESSAGE(result.difference == "", "case " << number << ": " << result.difference);
    accesses += result.accesses;
    for (const CacheLevel& level : exact_machine(number).caches) {
      ++covered["policy " + to_name(kReplacements, level.policy.kind)];
      ++covered["inclusion " + to_name(kInclusions, level.inclusion)];
      ++covered["write " + to_name(kWriteModes, level.write)];
      ++covered[level.write_allocate ? "allocates" : "does not allocate"];
      ++covered["sectors " + std::to_string(level.line_bytes / unit_bytes(level))];
    }
  }
  std::string text = std::to_string(cases()) + " cases, " + std::to_string(accesses) + " accesses";
  for (const auto& [what, levels] : covered) {
    text += "\n  " + what + ": " + std::to_string(levels) + " levels";
    CHECK(levels >= 10);
  }
  MESSAGE(text);
}

}  // namespace
}  // namespace presort::test::exactness_test
