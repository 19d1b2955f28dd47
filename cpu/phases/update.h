// What a direct phase does to the bucket of an input.
#pragma once

#include <cstddef>

namespace presort::cpu {

// buckets[k] = buckets[k] ⊙ v
template <class Monoid>
struct ReduceUpdate {
  Monoid monoid;

  template <class Memory, class Buckets, class Index, class Loaded>
  void operator()(Memory& memory, const Buckets& buckets, const Index& k, const Loaded& v) const {
    memory.store(buckets, k, memory.apply(monoid, memory.load(buckets, k), v));
    memory.ops(1);
  }
};

// buckets[k] = v
struct AssignUpdate {
  template <class Memory, class Buckets, class Index, class Loaded>
  void operator()(Memory& memory, const Buckets& buckets, const Index& k, const Loaded& v) const {
    memory.store(buckets, k, v);
  }
};

}  // namespace presort::cpu
