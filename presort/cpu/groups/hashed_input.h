// The inputs of a group-by as a partition reads them: the label of an input is its key's hash.
#pragma once

#include <cstddef>

#include "presort/core/base/key_hash.h"
#include "presort/cpu/detail/input.h"
#include "presort/cpu/memory/memory.h"

namespace presort::inline v0::cpu {

template <class Key, class Value>
struct HashedInput {
  const Key* keys;
  const Value* values;

  Key label(size_t i, RawMemory&) const { return hash_of(keys[i]); }
  Value value(size_t i, RawMemory&) const { return values[i]; }

  // Hints that inputs [first, first + count) will be read; these inputs may be past the end.
  void fetch(size_t first, size_t count, RawMemory& memory) const {
    fetch_elements<Key>(keys, first, count, memory);
    fetch_elements<Value>(values, first, count, memory);
  }

  HashedInput from(size_t first) const { return {keys + first, values + first}; }
};

}  // namespace presort::cpu
