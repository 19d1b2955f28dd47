// One random machine and one random trace, on sim::CacheStack (timed and warming) and on
// tests/sim/cache/stack_oracle.h.
#pragma once

#include <cstdint>
#include <string>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::test {

// The machine of a case, a pure function of `number`: 1 to 4 levels of any geometry, policy, write
// mode, inclusion, sector size, hashed or not.
Machine exact_machine(uint64_t number);

struct ExactResult {
  uint64_t accesses = 0;
  std::string difference;  // description of the first difference or broken rule; "" if none
};
ExactResult run_exact_case(uint64_t number);

}  // namespace presort::test
