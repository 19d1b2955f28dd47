// Functions on one LRU set of lines, compiled for each instruction set; the fitting ones are chosen
// when an array of sets is made. Entries and blocks are those of ordered_set.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/sim/cache/recency/simd.h"

namespace presort::inline v0::sim {

struct SetFunctions {
  // Uses the entry with a given key: moves it to the front, clears the bits of `cleared` and sets
  // those of `set_bits`. Returns the entry as it was before; 0 if there is none.
  uint64_t (*use)(uint64_t* set, size_t blocks, uint64_t key, uint64_t cleared, uint64_t set_bits);

  // Puts a new entry first. Returns the last of `ways` entries, which leaves the set; 0 if that
  // place was empty.
  uint64_t (*insert)(uint64_t* set, size_t ways, uint64_t entry);

  // Index of the entry with a given key in a set, or kNowhere.
  size_t (*find)(const uint64_t* set, size_t blocks, uint64_t key);

  // Removes the entry with index `place` from a set.
  void (*remove)(uint64_t* set, size_t blocks, size_t place);
};

// The functions compiled for an instruction set. Requires: runs_simd(simd)
const SetFunctions& set_functions(Simd simd);

}  // namespace presort::sim
