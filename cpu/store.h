// Where partitioned inputs lie: one array of pairs, or two arrays.
#pragma once

#include <cstddef>

#include "core/plan.h"
#include "cpu/carver.h"
#include "cpu/input.h"
#include "cpu/memory.h"
#include "cpu/phases/buffers.h"

namespace presort::cpu {

template <class Label, class Value>
struct PairStore {
  static constexpr Layout kLayout = Layout::pairs;
  using Input = PairInput<RawMemory, Label, Value>;
  template <Flush kFlush>
  using Buffers = PairBuffers<RawMemory, Label, Value, kFlush>;

  Pair<Label, Value>* pairs = nullptr;

  static PairStore take(Carver& carver, size_t count) {
    return {carver.take<Pair<Label, Value>>(count)};
  }

  Input input(size_t first) const { return {pairs + first}; }

  // This store as the buffers of `output`.
  template <Flush kFlush>
  Buffers<kFlush> buffers(const PairStore& output, size_t capacity) const {
    return {pairs, output.pairs, capacity};
  }
};

template <class Label, class Value>
struct SeparateStore {
  static constexpr Layout kLayout = Layout::separate;
  using Input = SeparateInput<RawMemory, Label, Value>;
  template <Flush kFlush>
  using Buffers = SeparateBuffers<RawMemory, Label, Value, kFlush>;

  Label* labels = nullptr;
  Value* values = nullptr;

  static SeparateStore take(Carver& carver, size_t count) {
    Label* labels = carver.take<Label>(count);
    return {labels, carver.take<Value>(count)};
  }

  Input input(size_t first) const { return {labels + first, values + first}; }

  template <Flush kFlush>
  Buffers<kFlush> buffers(const SeparateStore& output, size_t capacity) const {
    return {labels, values, output.labels, output.values, capacity};
  }
};

}  // namespace presort::cpu
