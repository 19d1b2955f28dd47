// One random machine of the shape that sim::CountingPasses are made for, and one random trace: the
// passes against the same records one by one (sim/count_access.h), and both against
// tests/sim/cache/stack_oracle.h where the machine has neither TLBs nor prefetchers.
#pragma once

#include <cstdint>
#include <string>

#include "presort/core/machine/machine.h"
#include "presort/sim/cache/recency/simd.h"

namespace presort::inline v0::test {

// The machine of a case, a pure function of `number`: two or three levels of any size, hashed or
// not; policies, prefetchers, TLBs, page sizes, walks.
Machine counting_machine(uint64_t number);

struct CountingResult {
  uint64_t accesses = 0;
  bool oracle = false;     // true: the case was also compared with stack_oracle.h
  std::string difference;  // description of the first difference; "" when all counts agree
};
CountingResult run_counting_case(uint64_t number, sim::Simd simd);

}  // namespace presort::test
