// Scans without a pre-sort in which threads divide the inputs, into one share more than there are
// threads: while the first thread scans share 0, the others reduce shares 1, 2, … to tables of
// their own; from these tables follows what precedes each share; then shares 1, 2, … are scanned. The
// last share needs no table: where it ends, its buckets are the result.
#pragma once

#include <cstddef>
#include <span>

#include "presort/core/base/carver.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

template <class Value>
struct ScanTables {
  size_t stride = 0;
  Value* tables = nullptr;  // private tables of shares 1 to threads - 1 of the inputs

  static ScanTables take(Carver& carver, size_t threads, size_t m) {
    ScanTables taken;
    taken.stride =
        saturating_round_up(m, kLineBytes);  // rounded up, so that two tables share no cache line
    taken.tables = carver.take<Value>(saturating_multiply(threads - 1, taken.stride));
    return taken;
  }

  Value* of(size_t share) const { return tables + (share - 1) * stride; }
};

// Sets results [0, count) of a scan, in the array update.results, and updates the buckets.
// Requires: tables for threads.size() threads and buckets.size() buckets; ⊙ associates
template <class Input, class Value, Scan kScan, class M, class Results>
void run_scan_tables(const ScanTables<Value>& tables, const Input& input, size_t count,
                     std::span<Value> buckets, const ScanUpdate<kScan, M, Results>& update,
                     Distances distances, ThreadTeam& threads) {
  const size_t last = threads.size();
  const auto run = [&](size_t share, Value* table, const auto& share_update) {
    const Share own = share_of(count, share, last + 1);
    run_direct(input.from(own.first), own.count(), table, share_update, distances);
  };
  const auto scan = [&](size_t share, Value* table) {
    const size_t first = share_of(count, share, last + 1).first;
    run(share, table, ScanUpdate<kScan, M, Results>{update.monoid, update.results.from(first)});
  };
  threads.run([&](size_t t) {
    if (t == 0) {
      carries_out<phase::ScanFirstShare, LabelOf<Input>>();
      return scan(0, buckets.data());
    }
    RawMemory memory;
    const Value neutral = update.monoid.identity();
    carries_out<phase::FillTables, LabelOf<Input>>();
    FillTable<RawMemory, Value>{tables.of(t), neutral}.step(0, buckets.size(), memory);
    run(t, tables.of(t), ReduceUpdate<M>{update.monoid});
  });
  threads.run([&](size_t t) {
    RawMemory memory;
    const Share own = share_of(buckets.size(), t, threads.size());
    carries_out<phase::PrefixTables, LabelOf<Input>>();
    PrefixTables<RawMemory, Value, M>{buckets.data(), tables.tables, tables.stride, last - 1,
                                      update.monoid}
        .step(own.first, own.last, memory);
  });
  threads.run([&](size_t t) {
    carries_out<phase::ScanOtherShares, LabelOf<Input>>();
    scan(t + 1, t + 1 == last ? buckets.data() : tables.of(t + 1));
  });
}

}  // namespace presort::cpu
