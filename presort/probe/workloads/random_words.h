// Random addresses for the probe's loops, cheap to compute, so that the memory is what is measured.
#pragma once

#include <bit>
#include <cstdint>

namespace presort::inline v0::probe {

// Word number i of a random sequence; its high bits are the best. Two of the three
// multiply-and-fold steps of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). No word waits for the
// one before, as the states of a generator do for 4 cycles and more, which would hide the time of a
// near cache.
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
