// What the blocks of one launch tell each other: a descriptor for each tile, or whatever else has a
// number, written once by one thread and read by any, while the kernel runs.
//   empty       nothing is known yet
//   aggregate   the value is ⊙ of the tile's own inputs
//   prefix      nothing before the tile matters to those after it: the value is all they need
// Values of up to 8 bytes share a word with their state, which a device reads and writes as one.
// Longer ones stand beside the states: the writer fences the value, then the state.
// Requires: the states are cleared before the launch (cleared_bytes()); compute capability 7.0
// Source:   Merrill and Garland 2016, §4.1
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/core/base/carver.h"

namespace presort::inline v0::gpu {

enum class TileState : uint32_t { empty, aggregate, prefix };

template <class Value>
struct Descriptor {
  TileState state;
  Value value;  // the value is arbitrary if the state is empty
};

// A value and its state, which a device reads and writes as one word.
struct alignas(16) WordPair {
  uint64_t low;
  uint64_t high;
};

__device__ inline void store_relaxed(uint64_t* at, uint64_t word) {
  asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
}
__device__ inline uint64_t load_relaxed(const uint64_t* at) {
  uint64_t word;
  asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
  return word;
}
__device__ inline void store_relaxed(WordPair* at, WordPair pair) {
  asm volatile(
      "{ .reg .b128 pair;\n"
      "  mov.b128 pair, {%1, %2};\n"
      "  st.relaxed.gpu.global.b128 [%0], pair; }" ::"l"(at),
      "l"(pair.low), "l"(pair.high)
      : "memory");
}
__device__ inline WordPair load_relaxed(const WordPair* at) {
  WordPair pair;
  asm volatile(
      "{ .reg .b128 pair;\n"
      "  ld.relaxed.gpu.global.b128 pair, [%2];\n"
      "  mov.b128 {%0, %1}, pair; }"
      : "=l"(pair.low), "=l"(pair.high)
      : "l"(at)
      : "memory");
  return pair;
}
__device__ inline void store_release(uint32_t* at, uint32_t word) {
  asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(at), "r"(word) : "memory");
}
__device__ inline uint32_t load_acquire(const uint32_t* at) {
  uint32_t word;
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
  return word;
}

// Descriptors of values that share a word with their state.
template <class Value>
class WordDescriptors {
 public:
  static WordDescriptors take(Carver& carver, uint64_t count) {
    WordDescriptors descriptors;
    descriptors.words_ = carver.take<Word>(count);
    return descriptors;
  }
  // Bytes at the begin of the descriptors' memory that must be cleared before a launch.
  static size_t cleared_bytes(uint64_t count) { return count * sizeof(Word); }

  __device__ void write(uint64_t i, const Descriptor<Value>& descriptor) const {
    uint64_t value = 0;
    memcpy(&value, &descriptor.value, sizeof(Value));
    const auto state = static_cast<uint64_t>(descriptor.state);
    if constexpr (kIsPair) {
      store_relaxed(words_ + i, {state, value});
    } else {
      store_relaxed(words_ + i, state << 32 | value);
    }
  }
  __device__ Descriptor<Value> read(uint64_t i) const {
    const Word word = load_relaxed(words_ + i);
    Descriptor<Value> descriptor;
    if constexpr (kIsPair) {
      descriptor.state = static_cast<TileState>(word.low);
      memcpy(&descriptor.value, &word.high, sizeof(Value));
    } else {
      descriptor.state = static_cast<TileState>(word >> 32);
      memcpy(&descriptor.value, &word, sizeof(Value));
    }
    return descriptor;
  }

 private:
  static constexpr bool kIsPair = sizeof(Value) > sizeof(uint32_t);
  using Word = std::conditional_t<kIsPair, WordPair, uint64_t>;
  Word* words_ = nullptr;
};

// Descriptors of values longer than 8 bytes, which stand beside their states.
template <class Value>
class FencedDescriptors {
 public:
  static FencedDescriptors take(Carver& carver, uint64_t count) {
    FencedDescriptors descriptors;
    descriptors.states_ = carver.take<uint32_t>(count);
    descriptors.values_ = carver.take<Value>(count);
    return descriptors;
  }
  static size_t cleared_bytes(uint64_t count) { return count * sizeof(uint32_t); }

  __device__ void write(uint64_t i, const Descriptor<Value>& descriptor) const {
    values_[i] = descriptor.value;
    store_release(states_ + i, static_cast<uint32_t>(descriptor.state));
  }
  __device__ Descriptor<Value> read(uint64_t i) const {
    Descriptor<Value> descriptor;
    descriptor.state = static_cast<TileState>(load_acquire(states_ + i));
    if (descriptor.state != TileState::empty) {
      descriptor.value = values_[i];
    }
    return descriptor;
  }

 private:
  uint32_t* states_ = nullptr;
  Value* values_ = nullptr;
};

template <class Value>
using Descriptors = std::conditional_t<sizeof(Value) <= sizeof(uint64_t), WordDescriptors<Value>,
                                       FencedDescriptors<Value>>;

}  // namespace presort::gpu
