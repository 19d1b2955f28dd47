// The random addresses of the probe's loops: cheap enough to leave the memory as what is measured.
#pragma once

#include <bit>
#include <cstdint>

namespace presort::inline v0::probe {

// The i-th 64 random bits, the high ones best: two of the three multiply-and-fold steps of
// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). None waits for the one before, as the states of a
// generator do for 4 cycles and more, which hides what a near cache takes.
constexpr uint64_t random_bits(uint64_t i) {
  uint64_t word = i * 0x9e3779b97f4a7c15ULL;
  word ^= word >> 32;
  return word * 0xbf58476d1ce4e5b9ULL;
}

// Number of places by which random bits are shifted right for the index of a 4-byte word. Requires:
// table_bytes is a power of two, at least 8
constexpr int word_shift(uint64_t table_bytes) {
  return 64 - std::countr_zero(table_bytes / sizeof(uint32_t));
}

}  // namespace presort::probe
