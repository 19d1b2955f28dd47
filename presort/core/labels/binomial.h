// Binomial random numbers by transformed rejection, a pure function of the seed.
// Source: Hörmann, "The generation of binomial random variates", J. Stat. Comput. Simul. 46 (1993),
//         algorithm BTRS.
#pragma once

#include <cstdint>

namespace presort::inline v0 {

// Draws how many of `trials` independent trials of probability p succeed.
// Requires: trials * p >= 10, p <= 1/2. Above 2^50 trials, doubles no longer tell the probabilities
// of neighbouring results apart, and the deviation comes out wrong.
uint64_t draw_binomial(uint64_t seed, uint64_t trials, double p);

}  // namespace presort
