// Updates: how a direct phase changes bucket k, the label of input i, whose value is v. Updates
// with a result for each input also have fetch_to_write(first, count, memory): a hint that inputs
// [first, first + count), which may be past the end, come soon.
#pragma once

#include <cstddef>

namespace presort::inline v0::cpu {

// An update: buckets[k] = buckets[k] ⊙ v
template <class Monoid>
struct ReduceUpdate {
  Monoid monoid;

  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto& v,
                  const auto&) const {
    memory.modify(buckets, k, monoid, v);
    memory.ops(2);  // micro-operations a step, memory aside: the bucket's address, ⊙
  }
};

// An update: buckets[k] = v
struct AssignUpdate {
  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto& v,
                  const auto&) const {
    memory.store(buckets, k, v);
  }
};

// Kinds of scan: a result leaves out, or includes, the input's own value.
enum class Scan { exclusive, inclusive };

// An update: buckets[k] = buckets[k] ⊙ v; results[i] = buckets[k] before the update (exclusive) or after
// it (inclusive)
template <Scan kScan, class Monoid, class Results>
struct ScanUpdate {
  Monoid monoid;
  Results results;  // view of the array of results (cpu/detail/results.h)

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
    memory.ops(2);  // micro-operations a step, memory aside: the bucket's address, ⊙
  }

  template <class Memory>
  void fetch_to_write(size_t first, size_t count, Memory& memory) const {
    results.fetch_to_write(first, count, memory);
  }
};

// An update that only reads the bucket: results[i] = buckets[k]
template <class Results>
struct GatherUpdate {
  Results results;  // view of the array of results (cpu/detail/results.h)

  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto&,
                  const auto& i) const {
    results.store(i, memory.load(buckets, k), memory);
  }

  template <class Memory>
  void fetch_to_write(size_t first, size_t count, Memory& memory) const {
    results.fetch_to_write(first, count, memory);
  }
};

}  // namespace presort::cpu
