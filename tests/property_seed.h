// The seed of this run's random cases, for the tests that hold whatever it is.
#pragma once

#include <cstdint>

namespace presort::inline v0::test {

// The seed: $PRESORT_PROPERTY_SEED, or drawn once for each run. It is printed when the tests begin.
uint64_t property_seed();

}  // namespace presort::test
