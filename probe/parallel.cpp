#include "probe/parallel.h"

#include <bit>

#include "probe/meter.h"

namespace presort::probe {
namespace {

// Knuth's 64-bit linear congruential generator (MMIX); its high bits index the words.
constexpr uint64_t kMultiplier = 6364136223846793005ULL;
constexpr uint64_t kIncrement = 1442695040888963407ULL;

}  // namespace

RandomAccess::RandomAccess(Arena& arena, uint64_t footprint_bytes)
    : words_(reinterpret_cast<uint32_t*>(arena.data())),
      shift_(64 - std::countr_zero(footprint_bytes / sizeof(uint32_t))) {}

void RandomAccess::warm(uint64_t loads) {
  static_cast<void>(this->loads(loads));
}

Slice RandomAccess::loads(uint64_t count) {
  uint64_t state = state_;
  uint32_t sum = 0;
  const Slice slice = take_slice(count, [&] {
    for (uint64_t i = 0; i < count; ++i) {
      state = state * kMultiplier + kIncrement;
      sum += words_[state >> shift_];
    }
    keep(sum);
  });
  state_ = state;
  return slice;
}

Slice RandomAccess::updates(uint64_t count) {
  uint64_t state = state_;
  const Slice slice = take_slice(count, [&] {
    for (uint64_t i = 0; i < count; ++i) {
      state = state * kMultiplier + kIncrement;
      ++words_[state >> shift_];
    }
  });
  state_ = state;
  return slice;
}

}  // namespace presort::probe
