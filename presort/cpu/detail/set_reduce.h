// A multireduce in several sets of buckets (nSets): see phases/direct_sets.h. multireduce.h is its
// caller; use that.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "presort/core/base/carver.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/direct_sets.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/phase_listener.h"

namespace presort::inline v0::cpu {

// Number of elements from a set of buckets to the next: whole lines, and one more, so that equal buckets of
// two sets are not at the same offset in their pages.
constexpr size_t set_stride(size_t m) {
  return saturating_add(saturating_round_up(m, kLineBytes), kLineBytes);
}

template <class Value>
Value* take_sets(Carver& carver, size_t m) {
  return carver.take<Value>(saturating_multiply(kReduceSets, set_stride(m)));
}

// Updates the buckets with all inputs through several sets of buckets. Requires: ⊙ associates; sets come from
// take_sets
template <class Input, class Value, class Monoid>
void reduce_in_sets(const Input& input, size_t n, std::span<Value> buckets, const Monoid& monoid,
                    Value* sets) {
  using Update = ReduceUpdate<Monoid>;
  const size_t stride = set_stride(buckets.size());
  const size_t part = n / kReduceSets;
  const Update update{monoid};
  RawMemory memory;
  carries_out<phase::ClearSets, LabelOf<Input>>();
  FillTable<RawMemory, Value>{sets, monoid.identity()}.step(0, kReduceSets * stride, memory);
  DirectSets<RawMemory, Input, Value, Update> side_by_side{{}, update};
  for (size_t s = 0; s < kReduceSets; ++s) {
    side_by_side.parts[s] = {input, s * part, sets + s * stride};
  }
  carries_out<phase::ReduceInSets, LabelOf<Input>>();
  side_by_side.step(0, part, memory);
  Direct<RawMemory, Input, Value, Update>{input, side_by_side.parts.back().buckets, update}.step(
      kReduceSets * part, n, memory);
  carries_out<phase::AddSets, LabelOf<Input>>();
  MergeReduced<RawMemory, Value, Monoid>{buckets.data(), sets, stride, kReduceSets, monoid}.step(
      0, buckets.size(), memory);
}

}  // namespace presort::cpu
