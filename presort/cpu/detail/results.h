// The places of an operation's results, one for each input: two layouts with one interface.
//   load(i, memory), store(i, result, memory)  loads or stores result i; an integer or one from memory
//   fetch(i, memory)                           a hint that result i will be read; it may be past the
//                                              end
//   fetch_to_write(first, count, memory)       a hint that results [first, first + count) will be
//                                              stored; they may be past the end
//   from(first)                                the results from `first` on, of plain memory
#pragma once

#include <cstddef>

#include "presort/cpu/detail/input.h"

namespace presort::inline v0::cpu {

template <class Memory, class Value>
struct ResultArray {
  typename Memory::template Array<Value> results;

  auto load(const auto& i, Memory& memory) const { return memory.load(results, i); }
  void store(const auto& i, const auto& result, Memory& memory) const {
    memory.store(results, i, result);
  }

  void fetch(const auto& i, Memory& memory) const { memory.fetch(results, i); }

  void fetch_to_write(size_t first, size_t count, Memory& memory) const {
    fetch_elements_to_write<Value>(results, first, count, memory);
  }

  ResultArray from(size_t first) const { return {results + first}; }
};

// Results that overwrite the values of partitioned (label, value) pairs.
template <class Memory, class Label, class Value>
struct PairResults {
  typename Memory::template Array<Pair<Label, Value>> pairs;

  auto load(const auto& i, Memory& memory) const {
    return memory.load_member(pairs, i, &Pair<Label, Value>::value);
  }
  void store(const auto& i, const auto& result, Memory& memory) const {
    memory.store_member(pairs, i, &Pair<Label, Value>::value, result);
  }

  void fetch(const auto& i, Memory& memory) const { memory.fetch(pairs, i); }

  // Does nothing: results overwrite inputs, whose lines are fetched anyway.
  static void fetch_to_write(size_t, size_t, Memory&) {}

  PairResults from(size_t first) const { return {pairs + first}; }
};

}  // namespace presort::cpu
