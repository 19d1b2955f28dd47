// Tests that take minutes or tens of GiB, run only when asked for.
#pragma once

#include <cstdlib>
#include <cstring>

namespace presort::inline v0::test {

// True if the environment has PRESORT_SLOW_TESTS=1.
inline bool slow_tests_wanted() {
  const char* const wanted = std::getenv("PRESORT_SLOW_TESTS");
  return wanted != nullptr && std::strcmp(wanted, "1") == 0;
}

}  // namespace presort::inline v0::test
