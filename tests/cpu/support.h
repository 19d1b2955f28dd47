// Shared by the tests of the kernels: monoids that notice a wrong order, random plans, scratch
// between guards, the plain loops.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/problem.h"
#include "presort/cpu/memory/isa.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/scatter.h"

namespace presort::inline v0::test {

// Monoid of affine maps x -> a·x + b under composition: associative, not commutative.
template <class Word>
struct Affine {
  Word a = 1;
  Word b = 0;
  bool operator==(const Affine&) const = default;
};

template <class Word>
struct Compose {
  static constexpr bool is_commutative = false;
  Affine<Word> identity() const { return {}; }
  Affine<Word> operator()(Affine<Word> f, Affine<Word> g) const {
    return {static_cast<Word>(g.a * f.a), static_cast<Word>(g.a * f.b + g.b)};
  }
};

// Monoid of strings, by their polynomial hash: 12 bytes, no power of two; not commutative.
struct Text {
  uint32_t hash = 0;
  uint32_t power = 1;
  uint32_t length = 0;
  bool operator==(const Text&) const = default;
};

struct Concatenate {
  static constexpr bool is_commutative = false;
  Text identity() const { return {}; }
  Text operator()(Text a, Text b) const {
    return {a.hash * b.power + b.hash, a.power * b.power, a.length + b.length};
  }
};

template <class Value>
Value make_value(uint64_t random) {
  if constexpr (std::is_same_v<Value, Text>) {
    return {static_cast<uint32_t>(random >> 32), 1000003, 1};
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return static_cast<Value>(random >> 44);
  } else {
    return {static_cast<decltype(Value::a)>(random), static_cast<decltype(Value::b)>(random >> 32)};
  }
}

template <class Value>
std::vector<Value> make_values(uint64_t seed, size_t n) {
  std::vector<Value> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = make_value<Value>(random_u64(seed, i));
  }
  return values;
}

template <class Label>
std::vector<Label> make_uniform_labels(uint64_t seed, size_t n, size_t m) {
  std::vector<Label> labels(n);
  for (size_t i = 0; i < n; ++i) {
    labels[i] = static_cast<Label>(bounded(random_u64(seed, i), m));
  }
  return labels;
}

// Scratch of `size` bytes, aligned to a cache line, with guard bytes before and behind.
class GuardedScratch {
 public:
  explicit GuardedScratch(size_t size) : size_(size), memory_(size + 3 * kGuard, kFill) {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    first_ = (address + kGuard + 63) / 64 * 64 - address;
  }

  std::span<std::byte> bytes() { return {memory_.data() + first_, size_}; }

  bool guards_intact() const {
    const auto filled = [](std::byte byte) { return byte == kFill; };
    return std::all_of(memory_.begin(), memory_.begin() + static_cast<long>(first_), filled) &&
           std::all_of(memory_.begin() + static_cast<long>(first_ + size_), memory_.end(), filled);
  }

 private:
  static constexpr size_t kGuard = 256;
  static constexpr std::byte kFill{0xa5};
  size_t size_;
  size_t first_;
  std::vector<std::byte> memory_;
};

// Draws a legal plan for m buckets; private tables only for few buckets and an ⊙ that associates.
template <class M = Sum<uint32_t>>
CpuPlan random_plan(uint64_t seed, size_t m) {
  uint64_t counter = 0;
  const auto pick = [&](uint64_t low, uint64_t high) {
    return static_cast<int>(low + bounded(random_u64(seed, counter++), high - low + 1));
  };
  CpuPlan plan;
  constexpr int kDistances[] = {0, 0, 1, 3, 16, 4096};
  plan.base.prefetch_distance = kDistances[pick(0, 5)];
  constexpr int kThreads[] = {1, 1, 2, 3, 8};
  plan.resources.threads = kThreads[pick(0, 4)];
  const int sort_bits = pick(0, static_cast<uint64_t>(label_bits(m)));
  if (sort_bits == 0) {
    const bool tables = associates<M>() && m <= kMaxPrivateBuckets && pick(0, 1) == 0;
    plan.base.strategy = tables ? CpuStrategy::privateTables : CpuStrategy::direct;
    constexpr int kRanges[] = {1, 1, 2, 3, 7, 64};
    plan.base.range_passes = tables ? 1 : kRanges[pick(0, 5)];
    return plan;
  }
  Presort presort;
  presort.sort_bits = sort_bits;
  const int least = (sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
  const int most = pick(0, 3) == 0 ? sort_bits : std::min(sort_bits, least + 2);
  presort.passes = pick(static_cast<uint64_t>(least), static_cast<uint64_t>(most));
  presort.buffer_bytes = uint64_t{64} << pick(0, 4);
  presort.layout = pick(0, 1) == 0 ? Layout::pairs : Layout::separate;
  presort.streaming = pick(0, 1) == 0;
  constexpr Isa kSets[] = {Isa::generic, Isa::avx2, Isa::avx512};
  const Isa isa = kSets[pick(0, 2)];
  plan.resources.isa = cpu::has_isa(isa) ? isa : Isa::generic;
  const bool one_streamed = presort.passes == 1 && presort.streaming;
  if (one_streamed && presort.layout == Layout::pairs && pick(0, 1) == 0) {
    presort.chunk_bytes = uint64_t{16384} << pick(0, 2);
    plan.resources.isa = Isa::generic;
  }
  plan.presort = presort;
  if (pick(0, 3) == 0) {
    plan.base.strategy = CpuStrategy::plainRadix;
    plan.resources.threads = 1;
  }
  return plan;
}

// Plain loops of three lines, which kernels are compared with.
template <class Label, class Value, class M>
void plain_multireduce(const std::vector<Label>& labels, const std::vector<Value>& values,
                       std::vector<Value>& buckets, const M& monoid) {
  for (size_t i = 0; i < labels.size(); ++i) {
    buckets[labels[i]] = monoid(buckets[labels[i]], values[i]);
  }
}

template <class Label, class Value>
void plain_scatter(const std::vector<Label>& labels, const std::vector<Value>& values,
                   std::vector<Value>& buckets) {
  for (size_t i = 0; i < labels.size(); ++i) {
    buckets[labels[i]] = values[i];
  }
}

// True if a kernel gives the plain loop's buckets and writes nothing outside its scratch.
template <class Label, class Value, class M>
bool multireduce_is_right(const CpuPlan& plan, const std::vector<Label>& labels, size_t m,
                          M monoid) {
  const std::vector<Value> values = make_values<Value>(17, labels.size());
  std::vector<Value> found = make_values<Value>(18, m);
  std::vector<Value> expected = found;
  plain_multireduce(labels, values, expected, monoid);
  GuardedScratch scratch(cpu::multireduce_scratch_bytes<Label, Value>(plan, labels.size(), m));
  cpu::multireduce(std::span<const Label>(labels), std::span<const Value>(values),
                   std::span<Value>(found), monoid, plan, scratch.bytes());
  return found == expected && scratch.guards_intact();
}

template <class Label, class Value>
bool scatter_is_right(const CpuPlan& plan, const std::vector<Label>& labels, size_t m) {
  const std::vector<Value> values = make_values<Value>(19, labels.size());
  std::vector<Value> found = make_values<Value>(20, m);
  std::vector<Value> expected = found;
  plain_scatter(labels, values, expected);
  GuardedScratch scratch(cpu::scatter_scratch_bytes<Label, Value>(plan, labels.size(), m));
  cpu::scatter(std::span<const Label>(labels), std::span<const Value>(values),
               std::span<Value>(found), plan, scratch.bytes());
  return found == expected && scratch.guards_intact();
}

}  // namespace presort::test
