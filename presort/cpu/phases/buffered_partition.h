// Partitions by one digit through software write buffers, so that the output is written in whole
// lines and few pages are open at a time. Stable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "presort/cpu/phases/behind_in_page.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/phases/chunks.h"
#include "presort/cpu/phases/digit.h"

namespace presort::inline v0::cpu {

// Number of inputs in a block. Digits and elements of a block are computed in vector code before its
// inputs are moved.
inline constexpr size_t kPartitionBlock = 64;

// Distance, in inputs, at which software prefetches inputs: hardware prefetching falls behind where write
// buffers miss the caches.
inline constexpr size_t kPartitionAhead = 512;

// Calls f with the capacity of the buffers. Usual capacities are passed as compile-time constants, for
// speed, unless the loop is recorded; each constant costs compile time.
template <class Memory, class Buffers, class F>
void with_capacity(size_t capacity, const F& f) {
  constexpr bool kRecorded = requires {
    Memory::kRecords;
  };
  if constexpr (requires { Memory::kCapacity; }) {
    return f(std::integral_constant<size_t, Memory::kCapacity>{});
  } else if constexpr (Buffers::kFlushes == Flush::streaming && !kRecorded) {
    switch (capacity) {
      case 32:
        return f(std::integral_constant<size_t, 32>{});
      case 64:
        return f(std::integral_constant<size_t, 64>{});
      default:
        return f(capacity);
    }
  } else {
    return f(capacity);
  }
}

// Moves inputs [first, last) to the buffer of their digit, and each buffer that became full to the
// output. positions[d] is where in the output the next input of digit d belongs; its low bits say
// where in the buffer.
// Requires: each digit's part of the output starts at a multiple of the capacity; in chunks
//           (chunks.h) at one of a chunk
// Source:   software write-combining after Wassenberg & Sanders, "Engineering a multi-core radix
//           sort", Euro-Par 2011
// Measured: docs/results/cpu-kernels.md
template <class Memory, class Input, class Buffers, class Position = size_t,
          class Parts = WholeParts>
struct BufferedPartition {
  Input input;
  typename Memory::template Array<Position> positions;
  Buffers buffers;
  Digit digit;
  [[no_unique_address]] Parts parts = {};

  void step(size_t first, size_t last, Memory& memory) const {
    // Each buffer capacity has a function of its own: one function with all capacities runs out of
    // registers (g++ 12).
    with_capacity<Memory, Buffers>(buffers.capacity, [&](auto capacity) {
      Memory::apart([&]() __attribute__((always_inline)) {
        step_with(capacity, first, last, memory);
      });
    });
  }

  // Does what step() does, for a capacity that may be a compile-time constant. Requires: `capacity` is
  // the buffers' capacity, in elements
  [[gnu::always_inline]] void step_with(auto capacity, size_t first, size_t last,
                                        Memory& memory) const {
    BehindInPage<Block> block(end_of_positions());
    size_t i = first;
    for (; i + kPartitionBlock <= last; i += kPartitionBlock) {
      input.fetch(i + kPartitionAhead, kPartitionBlock, memory);
      move<kPartitionBlock>(i, *block, capacity, memory);
    }
    for (; i < last; ++i) {
      move<1>(i, *block, capacity, memory);
    }
  }

 private:
  using StagedDigit = typename Memory::template Loaded<uint32_t>;
  using Staged = typename Buffers::Staged;

  // A block of inputs: digits and elements, computed before the inputs are moved.
  struct Block {
    StagedDigit digits[kPartitionBlock];
    Staged elements[kPartitionBlock];
  };

  // The address behind the array of positions in real memory; nullptr when memory is traced.
  const void* end_of_positions() const {
    if constexpr (std::is_pointer_v<decltype(positions)>) {
      return positions + digit.count();
    }
    return nullptr;
  }

  template <size_t kCount>
  [[gnu::always_inline]] void move(size_t first, Block& block, auto capacity,
                                   Memory& memory) const {
    auto& [digits, elements] = block;
    for (size_t k = 0; k < kCount; ++k) {
      const auto label = input.label(first + k, memory);
      const auto value = input.value(first + k, memory);
      digits[k] = memory.apply([d = digit](auto l) { return d.narrow(l); }, label);
      elements[k] = buffers.stage(label, value, memory);
    }
    const BufferedPartition self =
        *this;  // a local copy, as stores in the loop might alias the members
#pragma GCC unroll 4
    for (size_t k = 0; k < kCount; ++k) {
      self.move_one(digits[k], elements[k], capacity, memory);
    }
  }

  [[gnu::always_inline]] void move_one(const StagedDigit& d, const Staged& element, auto capacity,
                                       Memory& memory) const {
    const size_t last_slot = capacity - 1;
    const auto position = memory.load(positions, d);
    const auto slot = memory.apply(
        [=](size_t which, Position p) { return which * capacity + (p & last_slot); }, d, position);
    buffers.put(slot, element, memory);
    memory.store(positions, d,
                 memory.apply([](Position p) { return static_cast<Position>(p + 1); }, position));
    const auto full =
        memory.apply([=](Position p) { return (p & last_slot) == last_slot; }, position);
    if (memory.branch(full)) {
      const auto back = [=](size_t at) { return at - last_slot; };
      buffers.flush(memory.apply(back, slot), memory.apply(back, position), capacity, memory);
      memory.ops(4);
      if constexpr (Parts::kInChunks) {
        go_on_in_chunk(d, position, memory);
      }
    }
    // Micro-operations for an input, g++ 12 -O3, u32 + u32: 17 in all, of which 14 are recorded at this
    // place: two loads from the stack, two shifts, copies and sums each, mask, p + 1, index, compare and
    // jump. Staging takes 2.75: a quarter each of two loads, two copies, shift, mask, two unpacks and
    // three stores.
    memory.ops(11);
  }

  // With chunks, a part whose chunk is full goes on in another chunk.
  [[gnu::always_inline]] void go_on_in_chunk(const auto& d, const auto& position,
                                             Memory& memory) const {
    const size_t last_place = parts.elements - 1;
    const auto ended =
        memory.apply([=](Position p) { return (p & last_place) == last_place; }, position);
    memory.ops(1);
    if (memory.branch(ended)) {
      memory.store(positions, d, parts.draw(position, memory));
    }
  }
};

// Copies what remains in the buffers of digits [first, last) to the output.
// Requires: positions are those that the partition left
template <class Memory, class Buffers, class Position = size_t>
struct DrainBuffers {
  typename Memory::template Array<Position> positions;
  Buffers buffers;

  void step(size_t first, size_t last, Memory& memory) const {
    const size_t capacity = buffers.capacity;
    for (size_t d = first; d < last; ++d) {
      const auto end = memory.load(positions, d);
      const auto rest = memory.apply([capacity](Position p) { return p & (capacity - 1); }, end);
      for (size_t k = 0; memory.branch(memory.apply([k](size_t r) { return k < r; }, rest)); ++k) {
        const auto to = memory.apply([k](Position p, size_t r) { return p - r + k; }, end, rest);
        buffers.drain(d * capacity + k, to, memory);
        memory.ops(3);
      }
      memory.ops(4);
    }
  }
};

}  // namespace presort::cpu
