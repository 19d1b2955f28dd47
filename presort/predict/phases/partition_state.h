// The state of a pre-sort's partition at one of its inputs, and where its arrays stand: with one
// place for each part, or with chunks drawn from a pool.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "presort/cpu/phases/chunks.h"
#include "presort/predict/phases/digit_state.h"
#include "presort/predict/trace/layout.h"
#include "presort/predict/trace/tracing_memory.h"

namespace presort::inline v0::predict {

// Makes an array with contents, `apart` bytes behind the start of a region.
// Requires: `contents` outlives the array
template <class T>
TracedArray<T> backed(Region region, std::vector<T>& contents, uint64_t apart = 0) {
  return {address_of(region) + apart, contents.data(), 0, contents.size()};
}

// The state of a partition at one of its inputs.
struct PartitionState {
  std::vector<size_t> positions;
  std::vector<uint32_t> drawn;  // drawn[0]: number of chunks drawn so far
};

// Sets the partition state before input `begin`, for a thread whose share begins with input `from`;
// write buffers have `capacity` elements. In a partition into chunks of `chunk` elements (0: no
// chunks), the thread's own chunks begin with number `first_chunk`.
inline void set_state(PartitionState& state, const DigitState& digits, uint64_t from,
                      uint64_t begin, uint64_t capacity, uint64_t chunk, uint64_t first_chunk,
                      uint64_t seed) {
  if (chunk == 0) {
    state.positions = digits.positions_at(begin, capacity, seed);
    return;
  }
  DigitState::OpenChunks open = digits.open_chunks_at(from, begin, capacity, chunk, seed);
  for (size_t& position : open.positions) {
    position += first_chunk * chunk;
  }
  state.positions = std::move(open.positions);
  state.drawn = {static_cast<uint32_t>(open.drawn + first_chunk)};
}

// The array of links between chunks, which are numbered over all threads; behind the links stands a
// chunk counter for each thread.
inline cpu::ChunkedParts<TracingMemory> chunked_parts(std::vector<uint32_t>& drawn,
                                                      uint64_t elements, uint64_t apart) {
  constexpr uint64_t kLinkBytes = uint64_t{1} << 30;
  return {
      {address_of(Region::chunks)}, backed(Region::chunks, drawn, kLinkBytes + apart), elements};
}

}  // namespace presort::predict
