// Runs numbered cases in a child process and survives what becomes of it: a crash, a case without
// an end, a case that takes too much memory, a sanitizer's report. Each of these is a finding of the
// running case; a new child goes on with the next case.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace presort::inline v0::attack {

struct Limits {
  double case_seconds = 20;
  uint64_t resident_bytes = uint64_t{2} << 30;
  uint64_t address_bytes =
      uint64_t{4} << 30;  // limit of the child's address space; 0: none, as sanitizers need
};

struct Findings {
  uint64_t cases = 0;
  uint64_t refused = 0;
  struct Cause {
    uint64_t count = 0;
    uint64_t first = 0;  // number of the first case with this cause
    std::string detail;
  };
  std::map<std::string, Cause> causes;  // findings by "VERDICT: CAUSE"
};

// Runs a case and returns one line about it: "" when the input was taken, "refused" when it was
// refused as it should be, otherwise "VERDICT: CAUSE\tDETAIL".
using RunCase = std::function<std::string(uint64_t number)>;

// Runs cases [first, first + count), as many of them as `seconds` allow.
// Requires: no other threads
// Errors:   std::runtime_error when there can be no child
Findings run_cases(uint64_t first, uint64_t count, double seconds, const Limits& limits,
                   const RunCase& run);

}  // namespace presort::attack
