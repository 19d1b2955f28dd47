// Where a partition writes its inputs, in order: as pairs, or labels beside values. A tile keeps
// them in shared memory in the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "presort/core/base/carver.h"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/detail/input.cuh"

namespace presort::inline v0::gpu {

// Output of a partition as pairs[n]. An input takes one store, of the gap too that pairs have if
// label and value have different sizes.
template <class LabelType, class ValueType>
struct PairedOutput {
  using Label = LabelType;
  using Value = ValueType;
  static constexpr size_t kBytes =
      sizeof(Pair<Label, Value>);  // bytes of an input as a partition writes it
  Pair<Label, Value>* pairs = nullptr;

  static PairedOutput take(Carver& carver, uint64_t n) {
    return {carver.take<Pair<Label, Value>>(n)};
  }
  PairedInput<Label, Value> input() const { return {pairs}; }

  template <int kInputs>
  struct Tile {
    Pair<Label, Value> pairs[kInputs];
    __device__ void put(uint32_t i, Label label, const Value& value) { pairs[i] = {label, value}; }
    // Writes the thread's input i to the place that place(label) gives.
    template <class Place>
    __device__ void write(uint32_t i, const PairedOutput& to, const Place& place) const {
      const WholePair<Pair<Label, Value>> whole(pairs + i);
      whole.write(to.pairs + place(whole.pair().label));
    }
  };
};

// Pairs, and beside each pair the digit of its label that the next pass orders by: so counting
// these digits reads one byte for each input instead of a pair.
template <class LabelType, class ValueType>
struct DigitedOutput : PairedOutput<LabelType, ValueType> {
  uint8_t* digits = nullptr;
  Digit next;  // digit of each input for the next pass, at most 8 bits

  template <int kInputs>
  struct Tile : PairedOutput<LabelType, ValueType>::template Tile<kInputs> {
    template <class Place>
    __device__ void write(uint32_t i, const DigitedOutput& to, const Place& place) const {
      const WholePair<Pair<LabelType, ValueType>> whole(this->pairs + i);
      const LabelType label = whole.pair().label;
      const uint64_t at = place(label);
      whole.write(to.pairs + at);
      to.digits[at] = static_cast<uint8_t>(to.next.of(label));
    }
  };
};

// Output of a partition as two arrays, labels[n] and values[n]. There are no gaps, and readers of
// labels alone read nothing else.
template <class LabelType, class ValueType>
struct SeparateOutput {
  using Label = LabelType;
  using Value = ValueType;
  static constexpr size_t kBytes = sizeof(Label) + sizeof(Value);
  Label* labels = nullptr;
  Value* values = nullptr;

  static SeparateOutput take(Carver& carver, uint64_t n) {
    Label* labels = carver.take<Label>(n);
    return {labels, carver.take<Value>(n)};
  }
  SeparateInput<Label, Value> input() const { return {labels, values}; }

  // Values move by as few loads and stores as their size allows. Requires: arrays of a Carver
  using WholeValue = Pack<Value, 1, pack_alignment(sizeof(Value), alignof(Value))>;

  template <int kInputs>
  struct Tile {
    WholeValue values[kInputs];
    Label labels[kInputs];
    __device__ void put(uint32_t i, Label label, const Value& value) {
      labels[i] = label;
      values[i] = {{value}};
    }
    template <class Place>
    __device__ void write(uint32_t i, const SeparateOutput& to, const Place& place) const {
      const Label label = labels[i];
      const uint64_t at = place(label);
      to.labels[at] = label;
      reinterpret_cast<WholeValue*>(to.values)[at] = values[i];
    }
  };
};

// Output of a partition without gaps: pairs where pairs have none, else labels beside values. ns an
// input of a stable pass by 8 bits and of its histogram (one H200, 2026-11-22, tiles of as many
// inputs):
//   u32 + u32  pairs 0.0073, 0.0021; labels beside values 0.0090, 0.0011
//   u32 + u64  pairs 0.0198, 0.0039; labels beside values 0.0135, 0.0015
template <class Label, class Value>
using GaplessOutput =
    std::conditional_t<sizeof(Pair<Label, Value>) == sizeof(Label) + sizeof(Value),
                       PairedOutput<Label, Value>, SeparateOutput<Label, Value>>;

// The inputs that a partition wrote, whose values have their own type again instead of words.
template <class Value, class Label, class Item>
PairedInput<Label, Value> typed_input(const PairedOutput<Label, Item>& out) {
  return {out.pairs};
}
template <class Value, class Label, class Item>
SeparateInput<Label, Value> typed_input(const SeparateOutput<Label, Item>& out) {
  return {out.labels, reinterpret_cast<const Value*>(out.values)};
}

// Output of a partition that also notes where each input went; so results can be taken back to the
// order of the inputs.
template <class OutputType>
struct TracedOutput : OutputType {
  uint32_t* places = nullptr;  // places[n]: index in the output of each input
};

template <class Output>
inline constexpr bool kTracesInputs = false;
template <class Output>
inline constexpr bool kTracesInputs<TracedOutput<Output>> = true;

}  // namespace presort::gpu
