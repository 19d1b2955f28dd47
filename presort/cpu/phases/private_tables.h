// Tables of all buckets, one for each thread: filled, updated by the direct phase, and merged.
#pragma once

#include <cstddef>
#include <cstdint>

namespace presort::inline v0::cpu {

// Sets elements [first, last) of a table to one value.
template <class Memory, class T>
struct FillTable {
  typename Memory::template Array<T> table;
  T value;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t k = first; k < last; ++k) {
      memory.store(table, k, value);
    }
  }
};

// An update (phases/update.h): buckets[k] = v, and written[k] notes it.
template <class Memory>
struct MarkedAssign {
  typename Memory::template Array<uint8_t> written;

  template <class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto& v,
                  const auto&) const {
    memory.store(buckets, k, v);
    memory.store(written, k, uint8_t{1});
  }
};

// buckets[k] = buckets[k] ⊙ table 0 [k] ⊙ table 1 [k] ⊙ …, for k in [first, last).
// Shapes: tables[count · stride], table by table
template <class Memory, class Value, class Monoid, class Element = Value>
struct MergeReduced {
  typename Memory::template Array<Value> buckets;
  typename Memory::template Array<const Element> tables;
  size_t stride;
  size_t count;
  Monoid monoid;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t k = first; k < last; ++k) {
      auto bucket = memory.load(buckets, k);
      for (size_t t = 0; t < count; ++t) {
        bucket = memory.apply(monoid, bucket, memory.load(tables, t * stride + k));
        memory.ops(3);  // micro-operations a step, memory aside: ⊙, index, compare and jump
      }
      memory.store(buckets, k, bucket);
      memory.ops(2);
    }
  }
};

// table t [k] = buckets[k] ⊙ table 0 [k] ⊙ … ⊙ table t - 1 [k], and buckets[k] = buckets[k] ⊙ all tables
// [k], for k in [first, last).
// Shapes: tables[count · stride], table by table
template <class Memory, class Value, class Monoid>
struct PrefixTables {
  typename Memory::template Array<Value> buckets;
  typename Memory::template Array<Value> tables;
  size_t stride;
  size_t count;
  Monoid monoid;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t k = first; k < last; ++k) {
      auto before = memory.load(buckets, k);
      for (size_t t = 0; t < count; ++t) {
        const auto own = memory.load(tables, t * stride + k);
        memory.store(tables, t * stride + k, before);
        before = memory.apply(monoid, before, own);
        memory.ops(3);  // micro-operations a step, memory aside: ⊙, index, compare and jump
      }
      memory.store(buckets, k, before);
      memory.ops(2);
    }
  }
};

// buckets[k] = element k of the last table in which it was written, for k in [first, last).
// Shapes: tables[count · stride], written[count · stride], table by table
template <class Memory, class Value>
struct MergeAssigned {
  typename Memory::template Array<Value> buckets;
  typename Memory::template Array<const Value> tables;
  typename Memory::template Array<const uint8_t> written;
  size_t stride;
  size_t count;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t k = first; k < last; ++k) {
      for (size_t t = count; t-- > 0;) {
        const auto mark = memory.load(written, t * stride + k);
        if (memory.branch(memory.apply([](uint8_t w) { return w != 0; }, mark))) {
          memory.store(buckets, k, memory.load(tables, t * stride + k));
          break;
        }
        memory.ops(2);
      }
      memory.ops(2);
    }
  }
};

}  // namespace presort::cpu
