// Reductions and scans of consecutive segments, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/cpu/phases/update.h"

namespace presort::inline v0::cpu {

// Finds the first bad one of offsets [first, last); returns its index, or `last` if none is bad.
// Offsets are good if they never fall and none is above n. On entry `least` is the offset before number
// `first`, afterwards the last offset that was looked at.
template <class Memory, class Offset>
struct CheckOffsets {
  typename Memory::template Array<const Offset> offsets;
  Offset n;

  size_t step(size_t first, size_t last, typename Memory::template Loaded<Offset>& least,
              Memory& memory) const {
    const auto is_wrong = [this](Offset before, Offset found) {
      return found < before || found > n;
    };
    for (size_t s = first; s < last; ++s) {
      const auto found = memory.load(offsets, s);
      const bool wrong = memory.branch(memory.apply(is_wrong, least, found));
      memory.ops(
          4);  // micro-operations a step, memory aside: two compares, second jump, index and end
      if (wrong) {
        return s;
      }
      least = found;
    }
    return last;
  }
};

// One segment of an array, whose values are visited one by one.
template <class Memory>
struct OpenSegment {
  typename Memory::template Loaded<size_t> begin;
  typename Memory::template Loaded<size_t> count;

  template <class Offset>
  static OpenSegment open(const typename Memory::template Array<const Offset>& offsets, size_t s,
                          Memory& memory) {
    const auto begin = memory.load(offsets, s);
    const auto end = memory.load(offsets, s + 1);
    memory.ops(2);  // micro-operations a step, memory aside: length of a segment, index
    return {
        memory.apply([](Offset at) { return static_cast<size_t>(at); }, begin),
        memory.apply([](Offset a, Offset b) { return static_cast<size_t>(b - a); }, begin, end)};
  }

  // True if the segment has more than k values.
  bool has(size_t k, Memory& memory) const {
    return memory.branch(memory.apply([k](size_t c) { return k < c; }, count));
  }

  // Index in the array of a segment's value number k.
  auto index(size_t k, Memory& memory) const {
    memory.ops(1);
    return memory.apply([k](size_t at) { return at + k; }, begin);
  }
};

// Folds values [first, last) into `sum`: sum = sum ⊙ values.
template <class Memory, class Value, class Monoid>
struct FoldValues {
  typename Memory::template Array<const Value> values;
  Monoid monoid;

  void step(size_t first, size_t last, typename Memory::template Loaded<Value>& sum,
            Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      sum = memory.apply(monoid, sum, memory.load(values, i));
      memory.ops(3);  // micro-operations a step, memory aside: ⊙, index, compare and jump
    }
  }
};

// Scans values [first, last) of a segment to results[i]. On entry `sum` is ⊙ of the segment's values
// before `first`, afterwards of those before `last`.
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

// Goes through segments one after the other, for a reduction or a scan. A phase has
//   begin(s)                   begins segment s
//   all(segment, sum)          folds or scans all values of the segment
//   some(segment, first, last, sum)
//                              instead of all(), in a phase that can be stopped at any value: called
//                              until `last` is one more than the number of values
//   end(s, sum)                ends segment s
template <class Phase, class Memory>
void step_segments(const Phase& phase, size_t first, size_t last, Memory& memory) {
  for (size_t s = first; s < last; ++s) {
    const auto segment = phase.begin(s, memory);
    auto sum = phase.identity();
    phase.all(segment, sum, memory);
    phase.end(s, sum, memory);
  }
}

// results[s] = identity ⊙ the values of segment s, for segments [first, last).
template <class Memory, class Offset, class Value, class Monoid>
struct ReduceSegments {
  using Segment = OpenSegment<Memory>;
  using Sum = typename Memory::template Loaded<Value>;
  typename Memory::template Array<const Offset> offsets;
  typename Memory::template Array<const Value> values;
  typename Memory::template Array<Value> results;
  Monoid monoid;

  void step(size_t first, size_t last, Memory& memory) const {
    step_segments(*this, first, last, memory);
  }

  Sum identity() const { return Sum{monoid.identity()}; }
  Segment begin(size_t s, Memory& memory) const {
    return Segment::template open<Offset>(offsets, s, memory);
  }
  void all(const Segment& segment, Sum& sum, Memory& memory) const {
    sum = memory.fold(values, segment.begin, segment.count, monoid, sum);
  }
  void some(const Segment& segment, size_t first, size_t last, Sum& sum, Memory& memory) const {
    sum = memory.fold_some(values, segment.begin, segment.count, first, last, monoid, sum);
  }
  void end(size_t s, const Sum& sum, Memory& memory) const { memory.store(results, s, sum); }
};

// Sets results[i] for every value i of segments [first, last): identity ⊙ the values before value i in
// its segment; inclusive: and value i.
template <Scan kScan, class Memory, class Offset, class Value, class Monoid>
struct ScanSegments {
  using Segment = OpenSegment<Memory>;
  using Sum = typename Memory::template Loaded<Value>;
  typename Memory::template Array<const Offset> offsets;
  typename Memory::template Array<const Value> values;
  typename Memory::template Array<Value> results;
  Monoid monoid;

  void step(size_t first, size_t last, Memory& memory) const {
    step_segments(*this, first, last, memory);
  }

  Sum identity() const { return Sum{monoid.identity()}; }
  Segment begin(size_t s, Memory& memory) const {
    return Segment::template open<Offset>(offsets, s, memory);
  }
  void all(const Segment& segment, Sum& sum, Memory& memory) const {
    for (size_t k = 0; segment.has(k, memory); ++k) {
      value(segment, k, sum, memory);
    }
  }
  void some(const Segment& segment, size_t first, size_t last, Sum& sum, Memory& memory) const {
    for (size_t k = first; k < last && segment.has(k, memory); ++k) {
      value(segment, k, sum, memory);
    }
  }
  static void end(size_t, const Sum&, Memory&) {}

 private:
  void value(const Segment& segment, size_t k, Sum& sum, Memory& memory) const {
    const auto i = segment.index(k, memory);
    const auto before = sum;
    sum = memory.apply(monoid, before, memory.load(values, i));
    memory.store(results, i, kScan == Scan::exclusive ? before : sum);
    memory.ops(1);
  }
};

// Scans segments that begin at every value whose head flag is set. On entry `sum` is ⊙ of the
// values before `first` in its segment, afterwards of those before `last` in its own.
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
      memory.ops(
          5);  // micro-operations a step, memory aside: test, conditional move, ⊙, index, compare, jump
    }
  }
};

}  // namespace presort::cpu
