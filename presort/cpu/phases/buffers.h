// The software write buffers of a partition: one per digit, together small enough for the nearest
// cache, written to the output a whole buffer at a time. Three layouts with one interface:
//   stage(label, value, memory)      an element, put together in a register or on the stack
//   put(slot, staged, memory)        stores it in slot `slot` of the buffers
//   flush(slot, to, count, memory)   writes the buffer that starts at `slot` to the output at `to`;
//                                    count is the capacity, which may be known as a constant
//   drain(slot, to, memory)          copies one element of a buffer to the output
// Shapes:   buffers[digits · capacity], output: both 64-byte aligned
// Requires: capacity is a power of two; capacity elements of each array are a multiple of 64 bytes
#pragma once

#include <cstddef>

#include "presort/cpu/detail/input.h"

namespace presort::inline v0::cpu {

enum class Flush {
  streaming,  // flush write buffers by stores past the caches
  cached,     // flush write buffers by ordinary stores
};

// Copies `count` elements of the write buffers, from `slot` on, to the output, from `to` on.
template <Flush kFlush, class Memory, class Array, class Slot, class To>
void flush_array(const Array& output, const To& to, const Array& buffers, const Slot& slot,
                 auto count, Memory& memory) {
  if constexpr (kFlush == Flush::streaming) {
    memory.stream(output, to, buffers, slot, count);
  } else {
    memory.copy(output, to, buffers, slot, count);
  }
}

template <class Memory, class Label, class Value, Flush kFlush>
struct PairBuffers {
  static constexpr Flush kFlushes = kFlush;
  using Element = Pair<Label, Value>;
  typename Memory::template Array<Element> buffers;
  typename Memory::template Array<Element> output;
  size_t capacity;  // number of elements that each write buffer holds

  using Staged = typename Memory::template Loaded<Element>;

  template <class LoadedLabel, class LoadedValue>
  static Staged stage(const LoadedLabel& label, const LoadedValue& value, Memory& memory) {
    return memory.apply([](Label l, Value v) { return Element{l, v}; }, label, value);
  }

  template <class Slot>
  void put(const Slot& slot, const Staged& staged, Memory& memory) const {
    memory.store(buffers, slot, staged);
  }

  template <class Slot, class To>
  void flush(const Slot& slot, const To& to, auto count, Memory& memory) const {
    flush_array<kFlush>(output, to, buffers, slot, count, memory);
  }

  template <class To>
  void drain(size_t slot, const To& to, Memory& memory) const {
    memory.store_member(output, to, &Element::label,
                        memory.load_member(buffers, slot, &Element::label));
    memory.store_member(output, to, &Element::value,
                        memory.load_member(buffers, slot, &Element::value));
  }
};

template <class Memory, class Label, class Value, Flush kFlush>
struct SeparateBuffers {
  static constexpr Flush kFlushes = kFlush;
  typename Memory::template Array<Label> label_buffers;
  typename Memory::template Array<Value> value_buffers;
  typename Memory::template Array<Label> labels;
  typename Memory::template Array<Value> values;
  size_t capacity;  // number of elements that each write buffer holds

  struct Staged {
    typename Memory::template Loaded<Label> label;
    typename Memory::template Loaded<Value> value;
  };

  template <class LoadedLabel, class LoadedValue>
  static Staged stage(const LoadedLabel& label, const LoadedValue& value, Memory&) {
    return {label, value};
  }

  template <class Slot>
  void put(const Slot& slot, const Staged& staged, Memory& memory) const {
    memory.store(label_buffers, slot, staged.label);
    memory.store(value_buffers, slot, staged.value);
  }

  template <class Slot, class To>
  void flush(const Slot& slot, const To& to, auto count, Memory& memory) const {
    flush_array<kFlush>(labels, to, label_buffers, slot, count, memory);
    flush_array<kFlush>(values, to, value_buffers, slot, count, memory);
  }

  template <class To>
  void drain(size_t slot, const To& to, Memory& memory) const {
    memory.store(labels, to, memory.load(label_buffers, slot));
    memory.store(values, to, memory.load(value_buffers, slot));
  }
};

// Write buffers for inputs that are labels without values.
template <class Memory, class Label, Flush kFlush>
struct LabelBuffers {
  static constexpr Flush kFlushes = kFlush;
  typename Memory::template Array<Label> buffers;
  typename Memory::template Array<Label> output;
  size_t capacity;  // number of labels that each write buffer holds

  using Staged = typename Memory::template Loaded<Label>;

  static Staged stage(const auto& label, const auto&, Memory&) { return label; }

  void put(const auto& slot, const Staged& staged, Memory& memory) const {
    memory.store(buffers, slot, staged);
  }

  void flush(const auto& slot, const auto& to, auto count, Memory& memory) const {
    flush_array<kFlush>(output, to, buffers, slot, count, memory);
  }

  void drain(size_t slot, const auto& to, Memory& memory) const {
    memory.store(output, to, memory.load(buffers, slot));
  }
};

}  // namespace presort::cpu
