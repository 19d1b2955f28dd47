// The counts of digits in all tiles before this one, by decoupled look-back (Merrill and Garland
// 2016; for all digits of a radix pass at a time: Adinets and Merrill 2022, "Onesweep").
// Each tile publishes the count of each digit in itself, then in itself and all before it. Count
// and state are one word, so that whoever sees the state sees the count.
#pragma once

#include <cstdint>

namespace presort::gpu {

// A word of 4 bytes for counts below 2^30, of 8 bytes otherwise.
template <class Word>
struct TileStatus {
  static constexpr int kShift = 8 * sizeof(Word) - 2;
  static constexpr Word kOfTile = Word{1} << kShift;  // below: nothing is published
  static constexpr Word kOfAll = Word{2} << kShift;
  static constexpr Word kCount = (Word{1} << kShift) - 1;
};

template <class Word>
__device__ void publish(Word* status, Word state, Word count) {
  *static_cast<volatile Word*>(status) = state | count;
}

// The count of one digit in all tiles before `tile`. Looks at kAhead tiles at a time: one look
// takes as long as many. Shapes:   status[tiles · stride], of this digit Requires: the tiles before
// it run or have run; tile >= 1
template <int kAhead, class Word>
__device__ Word look_back(const Word* status, uint64_t tile, uint32_t stride) {
  using Status = TileStatus<Word>;
  Word sum = 0;
  for (uint64_t last = tile; last > 0;) {
    const uint64_t looked_at = min(last, static_cast<uint64_t>(kAhead));
    Word seen[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const volatile Word* word = status + (last - 1 - i) * stride;
      seen[i] = static_cast<uint64_t>(i) < looked_at ? *word : Status::kOfAll;
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const volatile Word* word = status + (last - 1 - i) * stride;
      while (seen[i] < Status::kOfTile) {
        seen[i] = *word;
      }
      sum += seen[i] & Status::kCount;
      if (seen[i] >= Status::kOfAll) {
        return sum;
      }
    }
    last -= looked_at;
  }
  return sum;
}

}  // namespace presort::gpu
