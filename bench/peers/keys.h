// Multireduce by a full sort, as users of a library that has only sorts write it: labels with their
// values as 64-bit keys are sorted, then every run of one label is summed and added to its bucket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/peers/contender.h"

namespace presort::inline v0::bench::peers {

using Key = uint64_t;  // label in the upper half, value in the lower

inline Label label_of(Key key) {
  return static_cast<Label>(key >> 32);
}

inline std::span<Key> keys_in(const Arrays& arrays) {
  return {reinterpret_cast<Key*>(arrays.scratch.data()), arrays.labels.size()};
}

// Packs labels and values of inputs [first, last) into keys.
inline void pack(const Arrays& arrays, std::span<Key> keys, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    keys[i] = Key{arrays.labels[i]} << 32 | arrays.values[i];
  }
}

// Adds up the runs of equal labels that begin in keys [first, last), each to its end, which may lie
// behind `last`. So threads can divide the keys, and no two write the same bucket.
inline void reduce_runs(std::span<const Key> keys, std::span<Value> buckets, size_t first,
                        size_t last) {
  size_t i = first;
  while (i > 0 && i < last && label_of(keys[i]) == label_of(keys[i - 1])) {
    ++i;
  }
  while (i < last) {
    const Label label = label_of(keys[i]);
    Value sum = 0;
    for (; i < keys.size() && label_of(keys[i]) == label; ++i) {
      sum += static_cast<Value>(keys[i]);
    }
    buckets[label] += sum;
  }
}

// Multireduce by packing, sort(span<Key>), which orders keys at least by their labels, and adding
// up.
template <class Sort>
void sort_and_reduce(const Arrays& arrays, const Sort& sort) {
  const std::span<Key> keys = keys_in(arrays);
  pack(arrays, keys, 0, keys.size());
  sort(keys);
  reduce_runs(keys, arrays.buckets, 0, keys.size());
}

}  // namespace presort::bench::peers
