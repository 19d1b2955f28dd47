#include "presort/probe/host/limits.h"

#include <doctest/doctest.h>

namespace limits_test {

using namespace presort::probe;

namespace {

bool only_says(const Limits& limits, const std::string& text) {
  const auto warnings = warnings_of(limits);
  return warnings.size() == 1 && warnings[0].find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a control group's quota is time over period, and none where it is none") {
  CHECK(parse_cpu_max("50000 100000\n") == 0.5);
  CHECK(parse_cpu_max("400000 100000") == 4);
  CHECK(parse_cpu_max("max 100000\n") == 0);
  CHECK(parse_cpu_max("50000") == 0);
  CHECK(parse_cpu_max("50000 0") == 0);
  CHECK(parse_cpu_max("") == 0);
}

TEST_CASE("each limit is said in a sentence, and an ordinary machine has none") {
  CHECK(warnings_of(Limits{.cores = 2}).empty());
  CHECK(warnings_of(Limits{.cpu_quota = 2, .cores = 2}).empty());
  CHECK(only_says({.cpu_quota = 0.5, .cores = 2}, "50.0% of a CPU"));
  CHECK(only_says({.cpu_quota = 1.5, .cores = 2}, "less time"));
  CHECK(only_says({.cores = 1}, "one core only"));
  CHECK(only_says({.cores = 2, .may_pin = false}, "pinned"));
  CHECK(only_says({.cores = 2, .is_unknown = true}, "not in the core table"));
  CHECK(warnings_of(Limits{.cpu_quota = 0.1, .cores = 1, .may_pin = false, .is_unknown = true})
            .size() == 3);
}

TEST_CASE("the limits of this process can be asked for") {
  const Limits limits = these_limits();
  CHECK(limits.cpu_quota >= 0);
}

}  // namespace limits_test
