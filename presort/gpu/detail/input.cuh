// Where a kernel takes its inputs from: labels beside values, labels alone whose values are ones,
// pairs, or digits of any of these. All give a label and a value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/gpu/detail/digit.h"

namespace presort::inline v0::gpu {

// Rounds `bytes` up to the next multiple of 16.
constexpr uint32_t whole_packs(uint32_t bytes) {
  return (bytes + 15) / 16 * 16;
}

// The alignment that one instruction of up to 16 bytes asks for.
constexpr size_t pack_alignment(size_t bytes, size_t element_alignment) {
  return bytes % 16 == 0 ? 16 : (bytes & (bytes - 1)) == 0 ? bytes : element_alignment;
}

template <class T, int kCount,
          size_t kAlignment = kCount == 1 ? alignof(T)
                                          : pack_alignment(sizeof(T) * kCount, alignof(T))>
struct alignas(kAlignment) Pack {
  T items[kCount];
};

template <class T, int kCount>
__device__ void load_pack(const T* from, T (&items)[kCount]) {
  const auto pack = *reinterpret_cast<const Pack<T, kCount>*>(from);
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    items[i] = pack.items[i];
  }
}

template <class T, int kCount>
bool is_aligned_for_packs(const T* address) {
  return reinterpret_cast<uintptr_t>(address) % alignof(Pack<T, kCount>) == 0;
}

// An input whose element i is labels[i], values[i].
template <class LabelType, class ValueType>
struct SeparateInput {
  using Label = LabelType;
  using Value = ValueType;
  const Label* labels;
  const Value* values;

  __device__ Label label(uint64_t i) const { return labels[i]; }
  __device__ Value value(uint64_t i) const { return values[i]; }
  // Value i by as few loads as its size allows. Requires: is_aligned<2>
  __device__ Value value_of_aligned(uint64_t i) const {
    struct alignas(pack_alignment(sizeof(Value), alignof(Value))) Whole {
      Value value;
    };
    return reinterpret_cast<const Whole*>(values)[i].value;
  }
  template <int kCount>
  bool is_aligned() const {
    return is_aligned_for_packs<Label, kCount>(labels) &&
           is_aligned_for_packs<Value, kCount>(values);
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    load_pack(labels + first, label);
    load_pack(values + first, value);
  }
};

// An input whose element i is labels[i], 1.
template <class LabelType, class CountType>
struct CountedInput {
  using Label = LabelType;
  using Value = CountType;
  const Label* labels;

  __device__ Label label(uint64_t i) const { return labels[i]; }
  __device__ Value value(uint64_t) const { return 1; }
  template <int kCount>
  bool is_aligned() const {
    return is_aligned_for_packs<Label, kCount>(labels);
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    load_pack(labels + first, label);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      value[i] = 1;
    }
  }
};

// True if all values of an input are ones: a whole warp then adds them to one address by one
// instruction.
template <class Input>
inline constexpr bool kHasOnes = false;
template <class Label, class Count>
inline constexpr bool kHasOnes<CountedInput<Label, Count>> = true;
template <class Input>
struct DigitInput;
template <class Input>
inline constexpr bool kHasOnes<DigitInput<Input>> = true;

// The unsigned word with a value's size, or the value's own type where there is no such word.
template <class Value>
using WordOf = std::conditional_t<sizeof(Value) == 4, uint32_t,
                                  std::conditional_t<sizeof(Value) == 8, uint64_t, Value>>;

// An input whose values are passed on as unsigned words of their size. Ones that no array holds are
// words already.
template <class Label, class Value>
SeparateInput<Label, WordOf<Value>> as_words(const SeparateInput<Label, Value>& input) {
  return {input.labels, reinterpret_cast<const WordOf<Value>*>(input.values)};
}
template <class Input>
const Input& as_words(const Input& input) {
  return input;
}

// Alignment of a pair: its size if that is a power of two up to 16 bytes, so that one instruction
// reads or writes it; otherwise that of its members.
template <class LabelType, class ValueType>
constexpr size_t pair_alignment() {
  constexpr size_t kLarger = std::max(sizeof(LabelType), sizeof(ValueType));
  constexpr size_t kOfMembers = std::max(alignof(LabelType), alignof(ValueType));
  return kLarger == kOfMembers && kLarger <= 8 ? 2 * kLarger : kOfMembers;
}

// A label and a value. If these have different sizes, a pair has a gap.
template <class LabelType, class ValueType>
struct alignas(pair_alignment<LabelType, ValueType>()) Pair {
  LabelType label;
  ValueType value;
};

// A pair as it stands in memory, with its gap.
template <class PairType>
struct WholePair {
  static constexpr size_t kAlignment = alignof(PairType);
  using Word = std::conditional_t<
      kAlignment % 16 == 0, uint4,
      std::conditional_t<kAlignment % 8 == 0, uint2,
                         std::conditional_t<kAlignment % 4 == 0, unsigned int, unsigned short>>>;
  static constexpr int kWords = sizeof(PairType) / sizeof(Word);
  Word words[kWords];

  __device__ explicit WholePair(const PairType* from) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      words[i] = reinterpret_cast<const Word*>(from)[i];
    }
  }
  __device__ PairType pair() const {
    PairType pair;
    memcpy(&pair, words, sizeof pair);
    return pair;
  }
  // Writes the pair, its gap too: where bytes of a sector are not written, the L2 reads the sector
  // from memory first. 2^26 pairs of u32 and u64, by 9 bits: written by their members 1.87 GB read
  // where 0.81 are due, and 0.0345 ns an input of a multireduce; whole, 0.0209 (one H100,
  // 2026-11-26).
  __device__ void write(PairType* to) const {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      reinterpret_cast<Word*>(to)[i] = words[i];
    }
  }
};

// An input whose element i is pairs[i], a label and a value as a word.
template <class LabelType, class ValueType>
struct PairedInput {
  using Label = LabelType;
  using Value = ValueType;
  using Stored = Pair<Label, WordOf<Value>>;
  const Stored* pairs;

  __device__ Label label(uint64_t i) const { return pairs[i].label; }
  __device__ Value value(uint64_t i) const { return value_of(pairs[i]); }
  template <int kCount>
  bool is_aligned() const {
    return is_aligned_for_packs<Stored, kCount>(pairs);
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    Stored items[kCount];
    load_pack(pairs + first, items);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      label[i] = items[i].label;
      value[i] = value_of(items[i]);
    }
  }

 private:
  __device__ static Value value_of(const Stored& pair) {
    Value value;
    memcpy(&value, &pair.value, sizeof value);
    return value;
  }
};

// An input whose element i is the digit of label i of another input, 1.
template <class Input>
struct DigitInput {
  using Label = uint32_t;
  using Value = uint32_t;
  Input input;
  Digit digit;

  __device__ Label label(uint64_t i) const { return digit.of(input.label(i)); }
  template <int kCount>
  bool is_aligned() const {
    return input.template is_aligned<kCount>();
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    typename Input::Label whole[kCount];
    typename Input::Value unused[kCount];
    // The compiler drops loads of members that are not used
    input.template load<kCount>(first, whole, unused);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      label[i] = digit.of(whole[i]);
      value[i] = 1;
    }
  }
};

}  // namespace presort::gpu
