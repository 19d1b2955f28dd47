// Counter-based random numbers: the i-th number of a stream is a pure function of (seed, i), so any
// slice can be generated alone, in parallel and in any order.
#pragma once

#include <cmath>
#include <cstdint>

#include "presort/core/base/wide.h"

namespace presort::inline v0 {

// SplitMix64's finaliser: a bijection on 64-bit words that passes BigCrush as a counter generator.
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
constexpr uint64_t mix64(uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// The number at `counter` of the stream `seed`.
constexpr uint64_t random_u64(uint64_t seed, uint64_t counter) {
  return mix64(mix64(seed) + counter * 0x9e3779b97f4a7c15ULL);
}

// Maps a 64-bit random word to [0, bound) without division (bias below bound / 2^64).
constexpr uint64_t bounded(uint64_t random, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<Wide>(random) * bound) >> 64);
}

// Maps a random 64-bit word to a uniform double in [0, 1), from its top 53 bits.
constexpr double unit_double(uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1.0p-53;
}

}  // namespace presort
