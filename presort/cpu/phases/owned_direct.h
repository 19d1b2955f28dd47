// The plain loop on a range of the buckets: it reads all inputs and updates the buckets of its own
// range with those that belong there, in their order. The range is that of one thread among
// several, so that no bucket is written by two, or of one of several passes
// (cpu/detail/range_passes.h), so that a cache holds what is updated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "presort/cpu/phases/direct_ahead.h"

namespace presort::inline v0::cpu {

// Inputs in a block, of which the range's own are chosen first, and then updated. Whether a label
// is in the range is as good as random: a branch on it would be mispredicted for every second input
// of two ranges. Alternatives were tried in two passes over 2^22 inputs of 2^17 and 2^20 buckets,
// where blocks take 1.6 and 2.4 ns an input: every input updates its bucket or, instead, one of 16
// places that count for nothing, 1.6 and 4.2; a list of labels and values instead of places, 1.8
// and 2.5 (two-core virtual machine, Golden-Cove-class core, 2026-11-23).
inline constexpr size_t kOwnedBlock = 256;

// Updates buckets [low, low + count) with the inputs among [first, last) that belong to them.
// distances.buckets counts the range's own inputs, and ends with the block.
// Shapes: chosen[kOwnedBlock]
template <class Memory, class Input, class Value, class Update>
struct OwnedDirect {
  Input input;
  typename Memory::template Array<Value> buckets;
  Update update;
  size_t low;
  size_t count;
  typename Memory::template Array<uint32_t> chosen;
  Distances distances;

  using Count = typename Memory::template Loaded<uint32_t>;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t at = first; at < last; at += kOwnedBlock) {
      if (distances.inputs > 0) {
        input.fetch(at + distances.inputs, kOwnedBlock, memory);
      }
      const Count found = choose(at, std::min(last, at + kOwnedBlock), memory);
      update_chosen(at, found, memory);
    }
  }

 private:
  // Finds the inputs among [at, end) whose labels lie in the loop's range of buckets, writes their
  // distances from `at` to `chosen`, and returns their number.
  Count choose(size_t at, size_t end, Memory& memory) const {
    Count found{};
    for (size_t i = at; i < end; ++i) {
      const auto k = input.label(i, memory);
      memory.store(chosen, found, static_cast<uint32_t>(i - at));
      found = memory.apply(
          [this](uint32_t before, auto label) {
            return before + static_cast<uint32_t>(static_cast<size_t>(label) - low < count);
          },
          found, k);
      memory.ops(
          6);  // micro-operations a step (g++ 12): copy, subtract, compare, add with carry, index, jump
    }
    return found;
  }

  void update_chosen(size_t at, const Count& found, Memory& memory) const {
    const auto before = [&](size_t j) {
      return memory.branch(memory.apply([j](uint32_t f) { return j < f; }, found));
    };
    const auto chosen_input = [&](size_t j) {
      return memory.apply([at](uint32_t i) { return at + i; }, memory.load(chosen, j));
    };
    for (size_t j = 0; before(j); ++j) {
      if (distances.buckets > 0 && before(j + distances.buckets)) {
        memory.prefetch(buckets, input.label(chosen_input(j + distances.buckets), memory));
      }
      const auto i = chosen_input(j);
      const auto k = input.label(i, memory);
      const auto v = input.value(i, memory);
      update(memory, buckets, k, v, i);
      memory.ops(2);  // micro-operations a step, memory aside: at + i, and the index
    }
  }
};

}  // namespace presort::cpu
