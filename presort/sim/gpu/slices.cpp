#include "presort/sim/gpu/slices.h"

#include <bit>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim::gpu {
namespace {

// The address without bit number `bit`, which is joined to the bit below by exclusive or.
uint64_t fold(uint64_t address, int bit) {
  const uint64_t low = address & ((uint64_t{1} << bit) - 1);
  const uint64_t folded = bit > 0 ? (address >> bit & 1) << (bit - 1) : 0;
  return address >> (bit + 1) << bit | (low ^ folded);
}

}  // namespace

size_t slice_of(const GpuL2& l2, uint64_t address) {
  // From the highest bit down, so that bits still to be folded keep their places.
  for (auto bytes = l2.folded_bytes.rbegin(); bytes != l2.folded_bytes.rend(); ++bytes) {
    address = fold(address, std::countr_zero(*bytes));
  }
  const uint64_t piece = address / (l2.interleave_bytes > 0 ? l2.interleave_bytes : l2.line_bytes);
  const auto slices = static_cast<uint64_t>(l2.slices);
  const uint64_t turn = piece % slices + mix64(piece / slices) % slices;
  return static_cast<size_t>(turn < slices ? turn : turn - slices);
}

}  // namespace presort::sim::gpu
