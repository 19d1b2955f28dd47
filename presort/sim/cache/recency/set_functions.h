// What an array asks of one of its sets, compiled for each instruction set and chosen when the
// array is made. Entries and blocks as in ordered_set.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/sim/cache/recency/simd.h"

namespace presort::inline v0::sim {

struct SetFunctions {
  // Uses the entry with this key: it stands first, without the bits of `cleared` and with those of
  // `set_bits`. Returns it as it was; 0 if it is not there.
  uint64_t (*use)(uint64_t* set, size_t blocks, uint64_t key, uint64_t cleared, uint64_t set_bits);

  // An entry comes in first. Returns the last of `ways`, which goes; 0 if that place was empty.
  uint64_t (*insert)(uint64_t* set, size_t ways, uint64_t entry);

  // Where the entry with this key stands, or kNowhere.
  size_t (*find)(const uint64_t* set, size_t blocks, uint64_t key);

  // Takes the entry at `place` out.
  void (*remove)(uint64_t* set, size_t blocks, size_t place);
};

// Requires: runs_simd(simd)
const SetFunctions& set_functions(Simd simd);

}  // namespace presort::sim
