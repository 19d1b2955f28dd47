// What the partition of a pre-sort has at one of its inputs, where its arrays stand, and the phase
// that goes on from there: with one place for each part, or with chunks drawn from a pool.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "presort/cpu/phases/buffered_partition.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/phases/chunks.h"
#include "presort/predict/phases/digit_state.h"
#include "presort/predict/trace/layout.h"
#include "presort/predict/trace/tracing_memory.h"

namespace presort::inline v0::predict {

// An array of a region that has contents, `apart` bytes into it.
// Requires: contents outlives it
template <class T>
TracedArray<T> backed(Region region, std::vector<T>& contents, uint64_t apart = 0) {
  return {address_of(region) + apart, contents.data(), 0, contents.size()};
}

// What a partition has at one of its inputs.
struct PartitionState {
  std::vector<size_t> positions;
  std::vector<uint32_t> drawn;  // one element
};

// That of input `begin`, with buffers of `capacity` elements and chunks of `chunk`, 0 for none.
inline void set_state(PartitionState& state, const DigitState& digits, uint64_t begin,
                      uint64_t capacity, uint64_t chunk, uint64_t seed) {
  if (chunk == 0) {
    state.positions = digits.positions_at(begin, capacity, seed);
    return;
  }
  DigitState::OpenChunks open = digits.open_chunks_at(0, begin, capacity, chunk, seed);
  state.positions = std::move(open.positions);
  state.drawn = {open.drawn};
}

// Links between chunks, which are numbered for all threads, and behind them a counter of each.
inline cpu::ChunkedParts<TracingMemory> chunked_parts(std::vector<uint32_t>& drawn,
                                                      uint64_t elements, uint64_t apart) {
  constexpr uint64_t kLinkBytes = uint64_t{1} << 30;
  return {
      {address_of(Region::chunks)}, backed(Region::chunks, drawn, kLinkBytes + apart), elements};
}

// f(phase) of the partition that the state is of.
template <class View, class Buffers, class F>
void with_partition(const View& view, const Buffers& buffers, const cpu::Digit& digit,
                    uint64_t chunk, PartitionState& state, const F& f) {
  const TracedArray<size_t> positions = backed(Region::positions, state.positions);
  if constexpr (Buffers::kFlushes == cpu::Flush::streaming) {
    if (chunk > 0) {
      using Chunked = cpu::ChunkedParts<TracingMemory>;
      return f(cpu::BufferedPartition<TracingMemory, View, Buffers, size_t, Chunked>{
          view, positions, buffers, digit, chunked_parts(state.drawn, chunk, 0)});
    }
  }
  f(cpu::BufferedPartition<TracingMemory, View, Buffers, size_t>{view, positions, buffers, digit});
}

}  // namespace presort::predict
