#include "presort/sim/cache/recency/recency_sets.h"

#include <cstring>
#include <new>

#include "presort/core/base/checked.h"

namespace presort::inline v0::sim {

namespace {

uint64_t* zeroed_entries(uint64_t count) {
  constexpr size_t kAligned = kSetRoom * sizeof(uint64_t);
  const size_t bytes = saturating_multiply(count, sizeof(uint64_t));
  void* const memory = bytes == kUncountable ? nullptr : std::aligned_alloc(kAligned, bytes);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return static_cast<uint64_t*>(std::memset(memory, 0, bytes));
}

}  // namespace

RecencySets::RecencySets(uint64_t sets, uint64_t ways, Simd simd)
    : ways_(ways),
      blocks_((ways + kSetBlock - 1) / kSetBlock),
      room_(saturating_round_up(ways, kSetRoom)),
      functions_(&set_functions(simd)),
      entries_(zeroed_entries(saturating_multiply(sets, room_))) {}

}  // namespace presort::sim
