// Packs: consecutive elements of an array that one instruction loads or stores.
#pragma once

#include <cstdint>
#include <cstring>

namespace presort::inline v0::gpu {

// Number of values in a pack of 16 bytes; 1 if 16 bytes are no multiple of a value's size.
template <class Value>
inline constexpr int kPackOf = sizeof(Value) <= 16 && 16 % sizeof(Value) == 0
                                   ? 16 / static_cast<int>(sizeof(Value))
                                   : 1;

// True if an array is aligned so that one instruction loads each of its packs.
template <int kPack, class T>
bool are_packs_aligned(const T* array) {
  constexpr size_t kBytes = sizeof(T) * kPack > 16 ? 16 : sizeof(T) * kPack;
  return reinterpret_cast<uintptr_t>(array) % kBytes == 0;
}

template <class T, int kPack>
inline constexpr size_t kPackAlignment = kPack == 1               ? alignof(T)
                                         : sizeof(T) * kPack > 16 ? 16
                                                                  : sizeof(T) * kPack;
template <class T, int kPack>
struct alignas(kPackAlignment<T, kPack>) PackOf {
  T element[kPack];
};

// Loads a pack of elements from index `from` on, where a pack is aligned.
template <class T, int kPack>
__device__ void read_pack(const T* from, T (&pack)[kPack]) {
  const auto whole = *reinterpret_cast<const PackOf<T, kPack>*>(from);
#pragma unroll
  for (int i = 0; i < kPack; ++i) {
    pack[i] = whole.element[i];
  }
}

template <class T, int kPack>
__device__ void write_pack(T* to, const T (&pack)[kPack]) {
  PackOf<T, kPack> whole;
#pragma unroll
  for (int i = 0; i < kPack; ++i) {
    whole.element[i] = pack[i];
  }
  *reinterpret_cast<PackOf<T, kPack>*>(to) = whole;
}

// Stores a pack that caches need not keep: results so large that nobody finds them there later.
template <class T, int kPack>
__device__ void stream_pack(T* to, const T (&pack)[kPack]) {
  if constexpr (sizeof(T) * kPack == sizeof(int4)) {
    int4 whole;
    memcpy(&whole, pack, sizeof whole);
    __stcs(reinterpret_cast<int4*>(to), whole);
  } else {
    write_pack(to, pack);
  }
}

}  // namespace presort::gpu
