#include "probe/parallel.h"

#include "probe/meter.h"
#include "probe/random_words.h"

namespace presort::probe {

RandomAccess::RandomAccess(Arena& arena, uint64_t footprint_bytes)
    : words_(reinterpret_cast<uint32_t*>(arena.data())), shift_(word_shift(footprint_bytes)) {}

void RandomAccess::warm(uint64_t loads) {
  static_cast<void>(this->loads(loads));
}

Slice RandomAccess::loads(uint64_t count) {
  uint64_t state = state_;
  uint32_t sum = 0;
  const Slice slice = take_slice(count, [&] {
    for (uint64_t i = 0; i < count; ++i) {
      state = next_random(state);
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
      state = next_random(state);
      ++words_[state >> shift_];
    }
  });
  state_ = state;
  return slice;
}

}  // namespace presort::probe
