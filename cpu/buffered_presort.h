// The buffered pre-sort, most significant digit first: pass 1 partitions the whole input; each of
// its parts is partitioned by pass 2, …; the direct kernel runs on each part of the last pass as
// soon as it is there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/plan.h"
#include "cpu/buffer_capacity.h"
#include "cpu/count_digits.h"
#include "cpu/direct_run.h"
#include "cpu/phases/buffered_partition.h"
#include "cpu/store.h"

namespace presort::cpu {

inline constexpr size_t kMaxPasses = 64;

// The arrays of all passes. Pass k writes to outputs[k % 2], from bases[k] on: what pass k + 2
// writes before that, and over the part of pass k that is being worked on, never reaches the parts
// of pass k that are still to come.
template <class Store>
struct PresortArrays {
  size_t passes = 0;
  size_t capacity = 0;  // of a buffer, elements
  std::array<Digit, kMaxPasses> digits{};
  std::array<size_t, kMaxPasses> bases{};  // elements
  std::array<size_t*, kMaxPasses> positions{};
  std::array<Store, 2> outputs{};
  Store buffers{};
  uint32_t* tables = nullptr;

  // Cuts them for n inputs with labels of `label_bits` bits.
  // Requires: plan.presort
  template <class Label, class Value>
  static PresortArrays take(Carver& carver, const Plan& plan, size_t n, int label_bits);
};

template <class Store>
template <class Label, class Value>
PresortArrays<Store> PresortArrays<Store>::take(Carver& carver, const Plan& plan, size_t n,
                                                int label_bits) {
  PresortArrays a;
  a.capacity =
      buffer_capacity(*plan.presort, sizeof(Label), sizeof(Value), sizeof(Pair<Label, Value>));
  size_t most_digits = 0;
  int shift = label_bits;
  for (const int bits : bits_per_pass(plan)) {
    shift -= bits;
    a.digits[a.passes] = make_digit(shift, bits);
    most_digits = std::max(most_digits, a.digits[a.passes].count());
    a.positions[a.passes] = carver.take<size_t>(a.digits[a.passes].count());
    ++a.passes;
  }
  std::array<size_t, 2> ends{};  // of the padding below the parts, in elements
  for (size_t pass = a.passes; pass-- > 0;) {
    a.bases[pass] = ends[pass % 2];
    ends[pass % 2] += a.digits[pass].count() * a.capacity;
  }
  a.tables = carver.take<uint32_t>(kCountTables * most_digits);
  a.buffers = Store::take(carver, most_digits * a.capacity);
  for (size_t output = 0; output < std::min<size_t>(2, a.passes); ++output) {
    a.outputs[output] = Store::take(carver, ends[output] + n);
  }
  return a;
}

// Partitions inputs [0, count) by the digit of `pass`; afterwards positions[pass][d] is the end of
// part d, which starts at the first multiple of the capacity at or after the end of part d - 1.
template <Flush kFlush, class Input, class Store>
void partition_pass(const PresortArrays<Store>& arrays, size_t pass, const Input& input,
                    size_t count) {
  const Digit& digit = arrays.digits[pass];
  size_t* positions = arrays.positions[pass];
  count_digits(input, count, digit, arrays.tables, positions);
  counts_to_starts(positions, digit.count(), arrays.bases[pass], arrays.capacity);
  const auto buffers =
      arrays.buffers.template buffers<kFlush>(arrays.outputs[pass % 2], arrays.capacity);
  using Buffers = std::remove_const_t<decltype(buffers)>;
  RawMemory memory;
  BufferedPartition<RawMemory, Input, Buffers>{input, positions, buffers, digit}.step(0, count,
                                                                                      memory);
  DrainBuffers<RawMemory, Buffers>{positions, buffers}.step(0, digit.count(), memory);
  if constexpr (kFlush == Flush::streaming) {
    stream_fence();
  }
}

template <Flush kFlush, class Store, class Value, class Update>
struct BufferedPresort {
  const PresortArrays<Store>& arrays;
  Value* buckets;
  const Update& update;
  int prefetch_distance;

  // Runs the passes from `pass` on, and the direct kernel, on inputs [0, count).
  template <class Input>
  void run(size_t pass, const Input& input, size_t count) const {
    partition_pass<kFlush>(arrays, pass, input, count);
    const size_t capacity = arrays.capacity;
    size_t start = arrays.bases[pass];
    for (size_t d = 0; d < arrays.digits[pass].count(); ++d) {
      const size_t end = arrays.positions[pass][d];
      if (end > start) {
        run_part(pass, arrays.outputs[pass % 2].input(start), end - start);
      }
      start = (end + capacity - 1) & ~(capacity - 1);
    }
  }

 private:
  template <class Input>
  void run_part(size_t pass, const Input& part, size_t count) const {
    if (pass + 1 < arrays.passes) {
      run(pass + 1, part, count);
    } else {
      run_direct(part, count, buckets, update, prefetch_distance);
    }
  }
};

}  // namespace presort::cpu
