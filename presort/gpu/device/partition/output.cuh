// Where a partition writes its inputs, in order: as pairs, or labels beside values. A tile keeps
// them in shared memory in the same way.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/base/carver.h"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/detail/input.cuh"

namespace presort::inline v0::gpu {

// Output of a partition as pairs[n]. An input takes one store; if label and value have different sizes,
// pairs have gaps.
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
      const Pair<Label, Value> pair = pairs[i];
      to.pairs[place(pair.label)] = pair;
    }
  };
};

// Pairs, and beside each pair the digit of its label that the next pass orders by: so counting these
// digits reads one byte for each input instead of a pair.
template <class LabelType, class ValueType>
struct DigitedOutput : PairedOutput<LabelType, ValueType> {
  uint8_t* digits = nullptr;
  Digit next;  // digit of each input for the next pass, at most 8 bits

  template <int kInputs>
  struct Tile : PairedOutput<LabelType, ValueType>::template Tile<kInputs> {
    template <class Place>
    __device__ void write(uint32_t i, const DigitedOutput& to, const Place& place) const {
      const Pair<LabelType, ValueType> pair = this->pairs[i];
      const uint64_t at = place(pair.label);
      to.pairs[at] = pair;
      to.digits[at] = static_cast<uint8_t>(to.next.of(pair.label));
    }
  };
};

// Output of a partition as two arrays, labels[n] and values[n]. There are no gaps, and readers of labels
// alone read nothing else.
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

  template <int kInputs>
  struct Tile {
    Value values[kInputs];
    Label labels[kInputs];
    __device__ void put(uint32_t i, Label label, const Value& value) {
      labels[i] = label;
      values[i] = value;
    }
    template <class Place>
    __device__ void write(uint32_t i, const SeparateOutput& to, const Place& place) const {
      const Label label = labels[i];
      const uint64_t at = place(label);
      to.labels[at] = label;
      to.values[at] = values[i];
    }
  };
};

// Output of a partition that also notes where each input went; so results can be taken back to the order
// of the inputs.
template <class OutputType>
struct TracedOutput : OutputType {
  uint32_t* places = nullptr;  // places[n]: index in the output of each input
};

template <class Output>
inline constexpr bool kTracesInputs = false;
template <class Output>
inline constexpr bool kTracesInputs<TracedOutput<Output>> = true;

}  // namespace presort::gpu
