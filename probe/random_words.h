// The random addresses of the probe's loops: cheap enough to leave the memory as what is measured.
#pragma once

#include <bit>
#include <cstdint>

namespace presort::probe {

// Knuth's 64-bit linear congruential generator (MMIX).
constexpr uint64_t next_random(uint64_t state) {
  return state * 6364136223846793005ULL + 1442695040888963407ULL;
}

// How far a state is shifted right for the index of a 4-byte word: its high bits are the random
// ones. Requires: table_bytes is a power of two, at least 8
constexpr int word_shift(uint64_t table_bytes) {
  return 64 - std::countr_zero(table_bytes / sizeof(uint32_t));
}

}  // namespace presort::probe
