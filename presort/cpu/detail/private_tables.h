// Each thread updates a table of its own with a share of the inputs; then the tables are merged, in
// the order of the shares, each thread those of a range of buckets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/base/carver.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// The private tables of all threads. Table t of m buckets is elements [t · stride, t · stride + m) of
// both arrays.
template <class Value>
struct TableArrays {
  size_t stride = 0;
  Value* tables = nullptr;
  uint8_t* written = nullptr;  // for a scatter: 1 if the table's element was written

  static TableArrays take(Carver& carver, size_t threads, size_t m) {
    TableArrays arrays;
    arrays.stride =
        saturating_round_up(m, kLineBytes);  // rounded up, so that two tables share no cache line
    arrays.tables = carver.take<Value>(saturating_multiply(threads, arrays.stride));
    arrays.written = carver.take<uint8_t>(saturating_multiply(threads, arrays.stride));
    return arrays;
  }
};

// The three phases of private tables (fill, update, merge) for one kind of update.
template <class Value, class Update>
struct TablePhases;

template <class Value, class Monoid>
struct TablePhases<Value, ReduceUpdate<Monoid>> {
  const TableArrays<Value>& arrays;
  const ReduceUpdate<Monoid>& update;

  void fill(size_t t, size_t m) const {
    RawMemory memory;
    const Value neutral = update.monoid.identity();
    FillTable<RawMemory, Value>{arrays.tables + t * arrays.stride, neutral}.step(0, m, memory);
  }
  const ReduceUpdate<Monoid>& update_of(size_t) const { return update; }
  void merge(Value* buckets, Share share, size_t tables) const {
    RawMemory memory;
    MergeReduced<RawMemory, Value, Monoid>{buckets, arrays.tables, arrays.stride, tables,
                                           update.monoid}
        .step(share.first, share.last, memory);
  }
};

template <class Value>
struct TablePhases<Value, AssignUpdate> {
  const TableArrays<Value>& arrays;
  const AssignUpdate& update;

  void fill(size_t t, size_t m) const {
    RawMemory memory;
    FillTable<RawMemory, uint8_t>{arrays.written + t * arrays.stride, 0}.step(0, m, memory);
  }
  MarkedAssign<RawMemory> update_of(size_t t) const { return {arrays.written + t * arrays.stride}; }
  void merge(Value* buckets, Share share, size_t tables) const {
    RawMemory memory;
    MergeAssigned<RawMemory, Value>{buckets, arrays.tables, arrays.written, arrays.stride, tables}
        .step(share.first, share.last, memory);
  }
};

// Updates the buckets with inputs [0, count) through private tables.
// Requires: arrays are of threads.size() tables and buckets.size() buckets; ⊙ associates
template <class Input, class Value, class Update>
void run_private_tables(const TableArrays<Value>& arrays, const Input& input, size_t count,
                        std::span<Value> buckets, const Update& update, Distances distances,
                        ThreadTeam& threads) {
  const TablePhases<Value, Update> phases{arrays, update};
  threads.run([&](size_t t) {
    carries_out<phase::FillTables, LabelOf<Input>>();
    phases.fill(t, buckets.size());
    carries_out<phase::UpdateTables, LabelOf<Input>>();
    const Share inputs = share_of(count, t, threads.size());
    run_direct(input.from(inputs.first), inputs.count(), arrays.tables + t * arrays.stride,
               phases.update_of(t), distances);
  });
  threads.run([&](size_t t) {
    carries_out<phase::MergeTables, LabelOf<Input>>();
    phases.merge(buckets.data(), share_of(buckets.size(), t, threads.size()), threads.size());
  });
}

}  // namespace presort::cpu
