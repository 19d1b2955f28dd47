// The parts of a partition: each in one piece, or in chunks of the output that are drawn from a
// pool, the next one whenever a part has filled the one before. With chunks, nothing needs to know
// beforehand how long parts become.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace presort::inline v0::cpu {

struct WholeParts {
  static constexpr bool kInChunks = false;
};

// Parts as chains of chunks: chunk c is elements [c · elements, (c + 1) · elements) of the output.
// Shapes:   next[chunks], drawn[1]
// Requires: elements is a power of two and a multiple of the buffers' capacity; there are as many
//           chunks as parts, and one for each `elements` inputs besides
template <class Memory>
struct ChunkedParts {
  static constexpr bool kInChunks = true;
  // next[c]: number of the chunk that follows chunk c in its part
  typename Memory::template Array<uint32_t> next;
  typename Memory::template Array<uint32_t> drawn;  // drawn[0]: number of chunks in use
  size_t elements = 0;

  // Takes a new chunk from the pool, to follow the chunk in which `position` lies. Returns the new
  // chunk's first position.
  auto draw(const auto& position, Memory& memory) const {
    const int bits = std::countr_zero(elements);
    const auto chunk = memory.load(drawn, size_t{0});
    memory.store(drawn, size_t{0}, memory.apply([](uint32_t c) { return c + 1; }, chunk));
    memory.store(next, memory.apply([=](size_t p) { return p >> bits; }, position), chunk);
    memory.ops(3);
    return memory.apply([=](uint32_t c) { return size_t{c} << bits; }, chunk);
  }
};

}  // namespace presort::cpu
