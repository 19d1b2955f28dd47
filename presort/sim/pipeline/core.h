// The timing of one out-of-order core: gives every record an issue and a completion time. Event
// driven, never ticked; one pass over the records in program order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/memory/paging.h"
#include "presort/sim/pipeline/blame.h"
#include "presort/sim/pipeline/branch_predictor.h"
#include "presort/sim/pipeline/in_order_buffer.h"
#include "presort/sim/pipeline/look_ahead.h"
#include "presort/sim/pipeline/memory_renaming.h"
#include "presort/sim/pipeline/micro_op.h"
#include "presort/sim/pipeline/store_buffer.h"
#include "presort/sim/pipeline/store_forwarding.h"
#include "presort/sim/pipeline/store_miss_runs.h"
#include "presort/sim/tlb/translation.h"
#include "presort/sim/trace/access.h"

// A step of BasicCore::run, compiled into it: calls and what they keep in memory would be half of an
// access that hits.
#define PRESORT_STEP [[gnu::always_inline]] inline

namespace presort::inline v0::sim {

enum class MemoryMode {
  pipelined,  // accesses overlap as far as window, buffers and dependences allow
  dependent,  // no access starts before the one before it has ended
};

// The limits that hold a record back, in this order:
//   dispatch    slots of the micro-operations (core/machine/core_costs.h) / width, in order; after
//               a mispredicted branch, its resolution + penalty
//   window      the record `entries` micro-operations back has retired; likewise the registers; a
//               store-buffer entry is free (stores drain in order, after retirement)
//   dependence  the records it names have completed
//   memory      a load port; translation, a page fault if memory lacks the page, then the caches; a
//               load takes data from a store still in the buffer that has them all, or waits until
//               the stores that have some of them have left; a store asks for its line once
//               translated, if at most window.storesAhead older stores are left by then; otherwise
//               after it has retired and four conditions hold: it is one of the storesAhead oldest,
//               few enough other stores wait for their lines, stores that hit allow it
//               (store_miss_runs.h), and younger records dispatched earlier have gone first
//               (store_buffer.h)
// Records retire in order; the time between two retirements is what the later one is blamed for.
//
// Address translation and caches are the simulated ones (Core, below), or stand-ins with the same
// interface (predict/closed_form/drawn_core.h).
template <class Addresses, class Lines>
class BasicCore {
 public:
  // `paging` is null where main memory holds all data.
  BasicCore(const Machine& machine, MemoryMode mode, Addresses& translation, Lines& caches,
            Paging* paging = nullptr);

  void run(std::span<const Access> records);

  // Serves retired stores that still wait for their turn now, without knowing later records that
  // would go before them.
  void settle();

  // Retirement time of the last record, cycles since construction. Never decreases.
  double now() const { return retired_; }

  // Lets nothing retire before `t`, cycles; the wait is charged to `term` of the time stack.
  void wait_until(double t, uint8_t term) {
    if (t > retired_) {
      blamed_[term] += t - retired_;
      retired_ = t;
    }
  }

  // Time charged to each term of the time stack, cycles.
  const std::vector<double>& blamed() const { return blamed_; }
  void reset_blame();

 private:
  static constexpr size_t kRing = 1024;  // how many records back a dependence of a record can reach

  // True if Lines are the simulated caches, whose tags may lie outside the host's near caches.
  static constexpr bool kLooksAhead = requires(Lines & lines) { lines.expect(uint64_t{}); };

  static constexpr size_t kAccessKinds = static_cast<size_t>(AccessKind::branch) + 1;

  // Index of a record's cost in costs_, by its kind and size.
  static size_t cost_index(AccessKind kind, uint8_t size) {
    return 2 * static_cast<size_t>(kind) + (size >= kLineMoveBytes ? 1 : 0);
  }
  // Cycles that dispatch is busy with a record and the micro-operations before it.
  double dispatch_work(const Access& record) const {
    const double slots = plain_cost_ * static_cast<double>(record.micro_ops) +
                         costs_[cost_index(record.kind, record.size)];
    return slots * cycles_per_slot_;
  }
  double completion(uint16_t distance) const {
    return distance == 0 ? 0 : completions_[(sequence_ - distance) % kRing];
  }
  PRESORT_STEP double dispatch(const Access& record);
  PRESORT_STEP void retire(double completion, uint8_t last_term);
  PRESORT_STEP typename Addresses::Reply locate(const Access& record, double start,
                                                Paging::Use use);
  PRESORT_STEP double load(const Access& record, double t);
  PRESORT_STEP double store(const Access& record, double t);
  PRESORT_STEP void settle_until(double t);
  double settle_through(uint64_t number);
  double drain(const RetiredStore& store);
  PRESORT_STEP double drain_time(const RetiredStore& store);
  PRESORT_STEP void put_aside(const Access& record, const typename Addresses::Reply& place,
                              bool streaming, double data, std::optional<double> line_ready);
  PRESORT_STEP std::optional<double> ask_ahead(const Access& record,
                                               const typename Addresses::Reply& place);
  PRESORT_STEP double streaming_store(const Access& record, double t);
  PRESORT_STEP void start_again();
  PRESORT_STEP double load_port(double t);
  PRESORT_STEP double prefetch(const Access& record, double t);
  PRESORT_STEP double branch(const Access& record, double t);
  PRESORT_STEP double begin(double t, double ready);

  MemoryMode mode_;
  Addresses& translation_;
  Lines& caches_;
  Paging* paging_;
  double cycles_per_slot_;
  double plain_cost_;  // dispatch slots that a plain micro-operation takes
  // Dispatch slots that a record takes, by cost_index()
  std::array<double, 2 * kAccessKinds> costs_;
  double branch_miss_;
  double forward_;
  double repeated_forward_;
  double float_add_;  // latency of an add of floats, cycles
  bool renames_memory_;
  double first_latency_;

  BranchPredictor predictor_;
  StoreForwarding forwarding_;
  MemoryRenaming renaming_;
  Course course_;
  std::vector<double> blamed_;

  InOrderBuffer window_;  // the reorder buffer
  uint64_t micro_ops_ = 0;
  InOrderBuffer registers_;
  uint64_t results_ = 0;  // number of micro-operations so far that write a register
  StoreBuffer stores_;
  // Fill buffers of the first cache level, held by stores that wait for their lines
  MissRegisters store_lines_;
  bool limits_store_lines_;
  // How many of the oldest stores may ask for lines; 0: a store asks when it has retired
  uint64_t stores_ahead_;
  StoreRuns runs_;
  // Completion time of the last records, by record number modulo kRing
  std::array<double, kRing> completions_{};
  uint64_t sequence_ = 0;
  double dispatched_ = 0;
  double started_ = 0;  // time when the current record was dispatched, or got its load port
  // Cycles that the current record took of dispatch, or of a load port, if nothing else delayed it;
  // otherwise 0
  double unhindered_work_ = 0;
  double redirect_ = 0;  // time when dispatch goes on after a mispredicted branch
  double retired_ = 0;
  double drained_ = 0;                   // time when the latest store left the store buffer, cycles
  uint64_t stored_line_ = ~uint64_t{0};  // line of the store that last left the store buffer
  double port_cycles_;      // cycles that a load keeps a load port; 0: no limit on loads
  double ports_taken_ = 0;  // time until which all load ports are busy, cycles
  double last_access_ = 0;  // time when the last access ended; for strictly sequential memory
};

#undef PRESORT_STEP

using Core = BasicCore<Translation, CacheStack>;
extern template class BasicCore<Translation, CacheStack>;

}  // namespace presort::sim
