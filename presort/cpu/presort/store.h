// Memory layouts of partitioned inputs ("stores"): one array of pairs, two arrays, or one of labels
// alone. kWide: true if the partition has versions for wider instructions (wide_memory.h). from(first)
// is the store that begins with element `first`.
#pragma once

#include <cstddef>

#include "presort/core/base/carver.h"
#include "presort/cpu/detail/input.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/memory/memory.h"
#include "presort/cpu/memory/wide_memory.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/presort/buffer_capacity.h"

namespace presort::inline v0::cpu {

template <class Label, class Value>
struct PairStore {
  static constexpr Layout kLayout = Layout::pairs;
  static constexpr bool kWide = sizeof(Pair<Label, Value>) == kWideElementBytes;
  using Input = PairInput<RawMemory, Label, Value>;
  template <Flush kFlush, class Memory>
  using Buffers = PairBuffers<Memory, Label, Value, kFlush>;

  Pair<Label, Value>* pairs = nullptr;

  static PairStore take(Carver& carver, size_t count) {
    return {carver.take<Pair<Label, Value>>(count)};
  }

  static size_t capacity(const WriteBuffers& buffers) {
    return buffer_capacity(buffers, sizeof(Label), sizeof(Value), sizeof(Pair<Label, Value>));
  }

  Input input(size_t first) const { return {pairs + first}; }
  PairStore from(size_t first) const { return {pairs + first}; }

  // Layout of results of partitioned pairs: results overwrite the pairs' values.
  using Results = PairResults<RawMemory, Label, Value>;
  Results results() const { return {pairs}; }

  // Makes write buffers whose memory is a store; they are flushed to the store `output`.
  template <Flush kFlush, class Memory>
  Buffers<kFlush, Memory> buffers(const PairStore& output, size_t capacity) const {
    return {pairs, output.pairs, capacity};
  }
};

template <class Label, class Value>
struct SeparateStore {
  static constexpr Layout kLayout = Layout::separate;
  static constexpr bool kWide = false;
  using Input = SeparateInput<RawMemory, Label, Value>;
  template <Flush kFlush, class Memory>
  using Buffers = SeparateBuffers<Memory, Label, Value, kFlush>;

  Label* labels = nullptr;
  Value* values = nullptr;

  static SeparateStore take(Carver& carver, size_t count) {
    Label* labels = carver.take<Label>(count);
    return {labels, carver.take<Value>(count)};
  }

  static size_t capacity(const WriteBuffers& buffers) {
    return buffer_capacity(buffers, sizeof(Label), sizeof(Value), sizeof(Pair<Label, Value>));
  }

  Input input(size_t first) const { return {labels + first, values + first}; }
  SeparateStore from(size_t first) const { return {labels + first, values + first}; }

  using Results = ResultArray<RawMemory, Value>;
  Results results() const { return {values}; }

  template <Flush kFlush, class Memory>
  Buffers<kFlush, Memory> buffers(const SeparateStore& output, size_t capacity) const {
    return {labels, values, output.labels, output.values, capacity};
  }
};

// Layout of inputs without values (cpu/detail/input.h): all values are 1, of type Value.
template <class Label, class Value>
struct LabelStore {
  static constexpr bool kWide = false;
  using Input = LabelInput<RawMemory, Label, Value>;
  template <Flush kFlush, class Memory>
  using Buffers = LabelBuffers<Memory, Label, kFlush>;

  Label* labels = nullptr;

  static LabelStore take(Carver& carver, size_t count) { return {carver.take<Label>(count)}; }

  static size_t capacity(const WriteBuffers& buffers) {
    return buffer_capacity(buffers, sizeof(Label));
  }

  Input input(size_t first) const { return {labels + first}; }
  LabelStore from(size_t first) const { return {labels + first}; }

  template <Flush kFlush, class Memory>
  Buffers<kFlush, Memory> buffers(const LabelStore& output, size_t capacity) const {
    return {labels, output.labels, capacity};
  }
};

}  // namespace presort::cpu
