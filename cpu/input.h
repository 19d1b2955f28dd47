// How the labels and values of an input stand in memory; a phase reads either through one
// interface. An index is an integer, or one that came from memory.
#pragma once

#include <cstddef>

namespace presort::cpu {

// A label and its value side by side, as the partition writes them with layout `pairs`.
template <class Label, class Value>
struct Pair {
  Label label;
  Value value;
};

// Two arrays.
template <class Memory, class Label, class Value>
struct SeparateInput {
  typename Memory::template Array<const Label> labels;
  typename Memory::template Array<const Value> values;

  auto label(auto i, Memory& memory) const { return memory.load(labels, i); }
  auto value(auto i, Memory& memory) const { return memory.load(values, i); }

  // The inputs from `first` on, of plain memory.
  SeparateInput from(size_t first) const { return {labels + first, values + first}; }
};

// Labels alone: every input has the value one.
template <class Memory, class Label, class Value>
struct LabelInput {
  typename Memory::template Array<const Label> labels;

  auto label(auto i, Memory& memory) const { return memory.load(labels, i); }
  static Value value(const auto&, Memory&) { return Value{1}; }

  LabelInput from(size_t first) const { return {labels + first}; }
};

// One array of pairs. Two loads, of the two halves of an element.
template <class Memory, class Label, class Value>
struct PairInput {
  typename Memory::template Array<const Pair<Label, Value>> pairs;

  auto label(auto i, Memory& memory) const {
    return memory.load_member(pairs, i, &Pair<Label, Value>::label);
  }
  auto value(auto i, Memory& memory) const {
    return memory.load_member(pairs, i, &Pair<Label, Value>::value);
  }
};

}  // namespace presort::cpu
