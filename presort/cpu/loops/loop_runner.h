// Runs the loops of core/loop.h on real memory.
#pragma once

#include <array>
#include <cstdint>

#include "presort/core/loop.h"
#include "presort/cpu/loops/loops.h"
#include "presort/cpu/memory/memory.h"
#include "presort/cpu/pages.h"

namespace presort::inline v0::cpu {

// The arrays of all loops up to a footprint, on pages of one size. Loops share the arrays, so a loop
// finds in the table what the loop before has added.
class LoopRunner {
 public:
  // Allocates the arrays. Requires: largest_footprint is one that a loop can have
  // Errors:   EnvironmentError when there is not enough memory
  LoopRunner(uint64_t largest_footprint, uint64_t streamed_items, PageSize page_size);

  static uint64_t required_bytes(uint64_t largest_footprint, uint64_t streamed_items);

  // Runs items [at, at + count) of a loop, counted through all rounds.
  // Requires: the loop has this runner's page size, and at most its largest footprint and its
  //           streamed items
  void run(const Loop& loop, uint64_t at, uint64_t count);

  const LoopArrays<RawMemory>& arrays(const Loop& loop);

  // Bytes of the arrays that really lie in 2 MiB pages, where these were asked for.
  uint64_t huge_page_bytes() const;

 private:
  PageBuffer words_;
  PageBuffer values_;
  PageBuffer table_;  // array that stream loops read or copy
  LoopArrays<RawMemory> arrays_{};
  std::array<uint64_t, kStreamSums> sums_{};
  uint32_t sum_ = 0;
};

}  // namespace presort::cpu
