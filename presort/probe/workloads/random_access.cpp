#include "presort/probe/workloads/random_access.h"

#include "presort/probe/workloads/meter.h"
#include "presort/probe/workloads/random_words.h"

namespace presort::inline v0::probe {

RandomAccess::RandomAccess(Arena& arena, uint64_t footprint_bytes)
    : words_(reinterpret_cast<uint32_t*>(arena.data())), shift_(word_shift(footprint_bytes)) {}

void RandomAccess::warm(uint64_t loads) {
  static_cast<void>(this->loads(loads));
}

Slice RandomAccess::loads(uint64_t count) {
  uint32_t sum = 0;
  const Slice slice = take_slice(count, [&] {
    for (uint64_t i = next_; i < next_ + count; ++i) {
      sum += words_[random_bits(i) >> shift_];
    }
    keep(sum);
  });
  next_ += count;
  return slice;
}

Slice RandomAccess::updates(uint64_t count) {
  const Slice slice = take_slice(count, [&] {
    for (uint64_t i = next_; i < next_ + count; ++i) {
      ++words_[random_bits(i) >> shift_];
    }
  });
  next_ += count;
  return slice;
}

}  // namespace presort::probe
