// How the labels and values of an input stand in memory; a phase reads either through one
// interface. An index is an integer, or one that came from memory.
#pragma once

#include <cstddef>

namespace presort::inline v0::cpu {

// Hints that elements [first, first + count) will be read: one hint for each 64 bytes.
template <class T, class Memory, class Array>
void fetch_elements(const Array& array, size_t first, size_t count, Memory& memory) {
  constexpr size_t kLine = 64;
  for (size_t byte = 0; byte < count * sizeof(T); byte += kLine) {
    memory.fetch(array, first + byte / sizeof(T));
  }
}

// Hints that elements [first, first + count) will be written: one hint for each cache line.
template <class T, class Memory, class Array>
void fetch_elements_to_write(const Array& array, size_t first, size_t count, Memory& memory) {
  constexpr size_t kLine = 64;
  for (size_t byte = 0; byte < count * sizeof(T); byte += kLine) {
    memory.fetch_to_write(array, first + byte / sizeof(T));
  }
}

// A label and its value side by side, as the partition writes them with layout `pairs`.
template <class Label, class Value>
struct Pair {
  Label label;
  Value value;
};

// Input as parallel arrays labels[n], values[n].
template <class Memory, class Label, class Value>
struct SeparateInput {
  typename Memory::template Array<const Label> labels;
  typename Memory::template Array<const Value> values;

  auto label(auto i, Memory& memory) const { return memory.load(labels, i); }
  auto value(auto i, Memory& memory) const { return memory.load(values, i); }

  // Hints that inputs [first, first + count) will be read; these inputs may be past the end.
  void fetch(size_t first, size_t count, Memory& memory) const {
    fetch_elements<Label>(labels, first, count, memory);
    fetch_elements<Value>(values, first, count, memory);
  }

  // A view of the inputs from `first` on; only for plain memory, not for traced memory.
  SeparateInput from(size_t first) const { return {labels + first, values + first}; }
};

// Input as labels[n] alone: every input has the value one.
template <class Memory, class Label, class Value>
struct LabelInput {
  typename Memory::template Array<const Label> labels;

  auto label(auto i, Memory& memory) const { return memory.load(labels, i); }
  static Value value(const auto&, Memory&) { return Value{1}; }
  void fetch(size_t first, size_t count, Memory& memory) const {
    fetch_elements<Label>(labels, first, count, memory);
  }

  LabelInput from(size_t first) const { return {labels + first}; }
};

// Input as one array of pairs; the label and the value of a pair are loaded separately.
template <class Memory, class Label, class Value>
struct PairInput {
  typename Memory::template Array<const Pair<Label, Value>> pairs;

  auto label(auto i, Memory& memory) const {
    return memory.load_member(pairs, i, &Pair<Label, Value>::label);
  }
  auto value(auto i, Memory& memory) const {
    return memory.load_member(pairs, i, &Pair<Label, Value>::value);
  }
  void fetch(size_t first, size_t count, Memory& memory) const {
    fetch_elements<Pair<Label, Value>>(pairs, first, count, memory);
  }

  PairInput from(size_t first) const { return {pairs + first}; }
};

}  // namespace presort::cpu
