// Parts of few inputs in a pre-sort of several passes. For each part a pass clears, adds up and walks
// over a table of all its digits. That takes longer than the inputs do where a part has fewer inputs
// than the pass has digits, or a few times as many. Such a part is not partitioned: kernels that
// update buckets run on it as it is, and a kernel that needs its inputs in order gets them from a
// sort in the caches.
// Measured: docs/results/draws.md
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "presort/cpu/phases/digit.h"
#include "presort/cpu/presort/pieces.h"

namespace presort::inline v0::cpu {

// Inputs of a part for each digit of the next pass, up to which the part counts as one of few.
inline constexpr size_t kFewInputsPerDigit = 4;

// True if a part of so many inputs is one of few, for a pass through buffers of `capacity` inputs,
// which a sort of the part uses.
constexpr bool is_few(size_t inputs, const Digit& digit, size_t capacity) {
  return inputs <= std::min(kFewInputsPerDigit, capacity) * digit.count();
}

// Largest number of inputs that are sorted by insertion.
inline constexpr size_t kMostInserted = 16;

// Most bits of one run of the sort of few inputs: its counters fill a quarter of a page.
inline constexpr int kMostRunBits = 8;

// Runs of a sort by `bits` bits with at most `most` bits each: their number, and the bits of each.
struct FewRuns {
  int count;
  int bits;
  constexpr FewRuns(int all_bits, int most)
      : count((all_bits + most - 1) / most), bits((all_bits + count - 1) / count) {}
};

// Adds inputs [0, count) to `sorted` inputs that stand in order in `to`. Stable: an input goes
// behind those of an equal digit. Requires: `view` reads what `to` writes
template <class Memory, class Input, class View, class Target>
void insert_inputs(const Input& input, size_t count, const View& view, const Target& to,
                   size_t sorted, const Digit& digit, Memory& memory) {
  for (size_t i = 0; i < count; ++i) {
    const auto label = input.label(i, memory);
    const auto staged = to.stage(label, input.value(i, memory), memory);
    size_t place = sorted + i;
    for (; place > 0; --place) {
      const auto before = view.label(place - 1, memory);
      memory.ops(4);  // micro-operations a step, memory aside: two shifts or masks, compare, index
      if (!memory.branch(
              memory.apply([digit](auto one, auto other) { return digit(one) > digit(other); },
                           before, label))) {
        break;
      }
      to.put(place, to.stage(before, view.value(place - 1, memory), memory), memory);
    }
    to.put(place, staged, memory);
    memory.ops(3);
  }
}

// One run of a sort of few inputs, least significant digit first: counts, turns counts into places,
// and moves each input to its place. Stable.
// Shapes:   places[digit.count()]
// Pieces:   pieces.for_each(f) calls f(input, count) for each piece of the inputs, in order
template <class Memory, class Pieces, class Target>
void sort_by_digit(const Pieces& pieces, const Target& to,
                   typename Memory::template Array<uint32_t> places, const Digit& digit,
                   Memory& memory) {
  memory.template vector_loop<4>(0, digit.count(), 2,
                                 [&](size_t d) { memory.store(places, d, uint32_t{0}); });
  const auto add_one = [](uint32_t count) { return count + 1; };
  pieces.for_each([&](const auto& input, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const auto d =
          memory.apply([digit](auto l) { return digit.narrow(l); }, input.label(i, memory));
      memory.store(places, d, memory.apply(add_one, memory.load(places, d)));
      memory.ops(4);  // micro-operations a step, memory aside: shift, mask, index, compare and jump
    }
  });
  typename Memory::template Loaded<uint32_t> start{};
  for (size_t d = 0; d < digit.count(); ++d) {
    const auto count = memory.load(places, d);
    memory.store(places, d, start);
    start = memory.apply([](uint32_t sum, uint32_t one) { return sum + one; }, start, count);
    memory.ops(2);
  }
  pieces.for_each([&](const auto& input, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const auto label = input.label(i, memory);
      const auto d = memory.apply([digit](auto l) { return digit.narrow(l); }, label);
      const auto place = memory.load(places, d);
      to.put(place, to.stage(label, input.value(i, memory), memory), memory);
      memory.store(places, d, memory.apply(add_one, place));
      memory.ops(5);
    }
  });
}

// An array that a sort of few inputs writes (target) and reads again (view).
template <class View, class Target>
struct FewArray {
  View view;
  Target target;
};
template <class View, class Target>
FewArray(View, Target) -> FewArray<View, Target>;

// Sorts the `count` inputs of all pieces by `digit` into `to`, through `spare` where that takes
// several runs. Stable.
// Requires: places[2^min(run_bits, kMostRunBits)]; both arrays hold `count` elements
template <class Memory, class Pieces, class Array, class Spare>
void sort_few(const Pieces& pieces, size_t count, const Array& to, const Spare& spare,
              typename Memory::template Array<uint32_t> places, const Digit& digit, int run_bits,
              Memory& memory) {
  if (count <= kMostInserted) {
    size_t sorted = 0;
    pieces.for_each([&](const auto& input, size_t inputs) {
      insert_inputs(input, inputs, to.view, to.target, sorted, digit, memory);
      sorted += inputs;
    });
    return;
  }
  const FewRuns runs(digit.bits(), std::min(run_bits, kMostRunBits));
  for (int run = 0; run < runs.count; ++run) {
    const int below = run * runs.bits;
    const Digit part = make_digit(digit.shift + below, std::min(runs.bits, digit.bits() - below));
    const bool last = (runs.count - 1 - run) % 2 == 0;  // the last run writes to `to`
    const auto go = [&](const auto& from) {
      last ? sort_by_digit<Memory>(from, to.target, places, part, memory)
           : sort_by_digit<Memory>(from, spare.target, places, part, memory);
    };
    if (run == 0) {
      go(pieces);
    } else if (last) {
      go(OnePiece{spare.view, count});
    } else {
      go(OnePiece{to.view, count});
    }
  }
}

}  // namespace presort::cpu
