// Reductions and scans of consecutive segments, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/phases/update.h"

namespace presort::cpu {

// Calls f(i) for every index i of segment s, from offsets[s] up to offsets[s + 1].
template <class Memory, class Offset, class F>
void for_segment(const typename Memory::template Array<const Offset>& offsets, size_t s,
                 Memory& memory, const F& f) {
  const auto begin = memory.load(offsets, s);
  const auto count = memory.apply([](Offset a, Offset b) { return static_cast<size_t>(b - a); },
                                  begin, memory.load(offsets, s + 1));
  for (size_t k = 0; memory.branch(memory.apply([k](size_t c) { return k < c; }, count)); ++k) {
    f(memory.apply([k](Offset b) { return static_cast<size_t>(b) + k; }, begin));
    memory.ops(1);
  }
  memory.ops(2);  // length, index
}

// `sum` becomes sum ⊙ values [first, last).
template <class Memory, class Value, class Monoid>
struct FoldValues {
  typename Memory::template Array<const Value> values;
  Monoid monoid;

  void step(size_t first, size_t last, typename Memory::template Loaded<Value>& sum,
            Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      sum = memory.apply(monoid, sum, memory.load(values, i));
      memory.ops(3);  // ⊙, index, compare and jump
    }
  }
};

// results[i] of values [first, last), which `sum` precedes in their segment; likewise afterwards.
template <Scan kScan, class Memory, class Value, class Monoid>
struct ScanValues {
  typename Memory::template Array<const Value> values;
  typename Memory::template Array<Value> results;
  Monoid monoid;

  void step(size_t first, size_t last, typename Memory::template Loaded<Value>& sum,
            Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      const auto before = sum;
      sum = memory.apply(monoid, before, memory.load(values, i));
      memory.store(results, i, kScan == Scan::exclusive ? before : sum);
      memory.ops(3);
    }
  }
};

// results[s] = identity ⊙ the values of segment s, for segments [first, last).
template <class Memory, class Offset, class Value, class Monoid>
struct ReduceSegments {
  typename Memory::template Array<const Offset> offsets;
  typename Memory::template Array<const Value> values;
  typename Memory::template Array<Value> results;
  Monoid monoid;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t s = first; s < last; ++s) {
      typename Memory::template Loaded<Value> sum{monoid.identity()};
      for_segment<Memory, Offset>(offsets, s, memory, [&](const auto& i) {
        sum = memory.apply(monoid, sum, memory.load(values, i));
        memory.ops(1);
      });
      memory.store(results, s, sum);
    }
  }
};

// results[i] of every value of segments [first, last): identity ⊙ the values before it in its
// segment; inclusive: and it.
template <Scan kScan, class Memory, class Offset, class Value, class Monoid>
struct ScanSegments {
  typename Memory::template Array<const Offset> offsets;
  typename Memory::template Array<const Value> values;
  typename Memory::template Array<Value> results;
  Monoid monoid;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t s = first; s < last; ++s) {
      typename Memory::template Loaded<Value> sum{monoid.identity()};
      for_segment<Memory, Offset>(offsets, s, memory, [&](const auto& i) {
        const auto before = sum;
        sum = memory.apply(monoid, before, memory.load(values, i));
        memory.store(results, i, kScan == Scan::exclusive ? before : sum);
        memory.ops(1);
      });
    }
  }
};

// The same where a segment begins at every value whose head flag is set. `sum` is what precedes
// value `first` in its segment, and is then what precedes `last`.
template <Scan kScan, class Memory, class Value, class Monoid>
struct ScanFlagged {
  typename Memory::template Array<const uint8_t> heads;
  typename Memory::template Array<const Value> values;
  typename Memory::template Array<Value> results;
  Monoid monoid;

  void step(size_t first, size_t last, typename Memory::template Loaded<Value>& sum,
            Memory& memory) const {
    const auto unless_head = [this](uint8_t head, Value before) {
      return head != 0 ? monoid.identity() : before;
    };
    for (size_t i = first; i < last; ++i) {
      const auto before = memory.apply(unless_head, memory.load(heads, i), sum);
      sum = memory.apply(monoid, before, memory.load(values, i));
      memory.store(results, i, kScan == Scan::exclusive ? before : sum);
      memory.ops(5);  // test, conditional move, ⊙, index, compare and jump
    }
  }
};

}  // namespace presort::cpu
