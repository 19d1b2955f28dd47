// Random numbers that cost so little that many loads fit into the core's window.
#pragma once

#include <cstdint>

namespace presort::inline v0::cpu {

// The i-th random number, 32 bits. Two of the three multiply-and-fold steps of SplitMix64 (Steele, Lea,
// Flood, OOPSLA 2014), the first of which a compiler turns into an addition.
constexpr uint64_t random_word(uint64_t i) {
  uint64_t word = i * 0x9e3779b97f4a7c15ULL;
  word ^= word >> 32;
  return word * 0xbf58476d1ce4e5b9ULL >> 32;
}

}  // namespace presort::cpu
