// What a direct phase does to the bucket k of input i, whose value is v.
#pragma once

#include <cstddef>

namespace presort::cpu {

// buckets[k] = buckets[k] ⊙ v
template <class Monoid>
struct ReduceUpdate {
  Monoid monoid;

  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto& v,
                  const auto&) const {
    memory.modify(buckets, k, monoid, v);
    memory.ops(2);  // the bucket's address, ⊙
  }
};

// buckets[k] = v
struct AssignUpdate {
  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto& v,
                  const auto&) const {
    memory.store(buckets, k, v);
  }
};

enum class Scan { exclusive, inclusive };  // without the input's own value, or with it

// buckets[k] = buckets[k] ⊙ v; results[i] = buckets[k] as it was before, or is after that
template <Scan kScan, class Monoid, class Results>
struct ScanUpdate {
  Monoid monoid;
  Results results;  // cpu/results.h

  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto& v,
                  const auto& i) const {
    const auto before = memory.load(buckets, k);
    const auto after = memory.apply(monoid, before, v);
    memory.store(buckets, k, after);
    if constexpr (kScan == Scan::exclusive) {
      results.store(i, before, memory);
    } else {
      results.store(i, after, memory);
    }
    memory.ops(2);  // the bucket's address, ⊙
  }
};

// results[i] = buckets[k]
template <class Results>
struct GatherUpdate {
  Results results;  // cpu/results.h

  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto&,
                  const auto& i) const {
    results.store(i, memory.load(buckets, k), memory);
  }
};

}  // namespace presort::cpu
