// Stratified sampling on simulated cores that work at the same time: times slices of their items,
// and says how certain the estimated time is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "presort/predict/predictor.h"
#include "presort/predict/sampling/cores.h"
#include "presort/predict/sampling/estimator.h"
#include "presort/predict/trace/phase_trace.h"

namespace presort::inline v0::predict {

// Times slices on several cores together, after other items have warmed the caches.
// Errors of members that warm or time: Stopped once the options' token asks for it
class Sampler {
 public:
  using Sources = Cores::Sources;

  // Errors: InputError when the machine has fewer than `cores` cores, or a block device while cores
  //         > 1
  Sampler(const Machine& machine, const SimulationOptions& options, const sim::AddressSpace& space,
          size_t cores = 1);

  size_t cores() const { return estimators_.size(); }
  TracingMemory& memory(size_t core) { return memories_[core]; }

  // Begins a cluster or a stratum (estimator.h) of one core, or of all cores if none is named.
  void begin_cluster(size_t core) { estimators_[core].begin_cluster(); }
  void begin_stratum(size_t core, double weight) { estimators_[core].begin_stratum(weight); }
  void begin_stratum(double weight);
  size_t clusters() const;  // largest number of clusters begun on any core

  // Simulates the effects of the sources' accesses on caches and TLBs, untimed.
  void warm(Sources sources);

  // Warms one core with accesses that belong to no kernel, untimed: addresses that the core has
  // touched before. warm_last_level() takes accesses so far back that only the last cache level
  // remembers them, and is quicker.
  class OneCore {
   public:
    OneCore(Sampler& sampler, size_t core) : sampler_(sampler), core_(core) {}
    void warm(std::span<const sim::Access> accesses) {
      sampler_.warm_one(core_, accesses, &Cores::warm);
    }
    void warm_last_level(std::span<const sim::Access> accesses) {
      sampler_.warm_one(core_, accesses, &Cores::warm_last_level);
    }

   private:
    Sampler& sampler_;
    size_t core_;
  };
  OneCore core(size_t core) { return {*this, core}; }

  // Runs the cores' sources of accesses to their ends, timed but not counted, so that the cores'
  // pipelines are full when a slice begins.
  void lead_in(Sources sources);

  // Times a slice of items[core] items on each core that has a source. A slice consists of batches,
  // whose spread gives the error.
  // Requires: sources give kTraceBatch items at a time
  void time(Sources sources, std::span<const uint64_t> items);

  // Times a slice in pieces: open_slice, then time_piece for each piece, then close_slice (without
  // effect if none is open).
  void open_slice();
  void time_piece(Sources sources, std::span<const uint64_t> items);
  void close_slice();

  // Ends the phase: writes data that memory could not keep to the block device, and adds the time
  // to the last slice.
  void finish();

  void set_complete();

  // Warms the caches with items [first, last) of a phase that a single core runs.
  // Requires: cores() == 1
  template <class Phase>
  void warm(const Phase& phase, uint64_t first, uint64_t last) {
    with_trace(phase, first, last, [&](Sources sources) { warm(sources); });
  }
  template <class Phase>
  void lead_in(const Phase& phase, uint64_t first, uint64_t last) {
    with_trace(phase, first, last, [&](Sources sources) { lead_in(sources); });
  }
  template <class Phase>
  void time(const Phase& phase, uint64_t first, uint64_t last) {
    const uint64_t items = last - first;
    with_trace(phase, first, last, [&](Sources sources) { time(sources, {&items, 1}); });
  }
  template <class Phase>
  void time_piece(const Phase& phase, uint64_t first, uint64_t last) {
    const uint64_t items = last - first;
    with_trace(phase, first, last, [&](Sources sources) { time_piece(sources, {&items, 1}); });
  }

  // Number of accesses simulated so far, timed or only warming the caches.
  uint64_t accesses() const;

  // The estimate of a phase that ends when the slowest core does, where a core has items[core]
  // items: ns per item of `total`. Counts are the sums over the cores, the time stack that of the
  // slowest one.
  PhaseEstimate estimate(std::span<const uint64_t> items, uint64_t total) const;

  // Half-width of the 95 % interval of the estimated time of a phase, relative to the time;
  // infinite while a core with items has too few slices.
  double ci95_relative(std::span<const uint64_t> items, uint64_t total) const;

  // Estimate and relative 95 % half-width for a single core, per item that the core ran.
  PhaseEstimate estimate() const { return estimate(kOneItem, 1); }
  double ci95_relative() const { return ci95_relative(kOneItem, 1); }

 private:
  static constexpr uint64_t kOneItem[] = {1};

  template <class Phase, class F>
  void with_trace(const Phase& phase, uint64_t first, uint64_t last, const F& f) {
    PhaseTrace<Phase> trace(phase, first, last, memories_[0]);
    sim::AccessSource* const source = &trace;
    f(Sources(&source, 1));
  }

  using Warm = void (Cores::*)(size_t core, std::span<const sim::Access> accesses);
  void warm_one(size_t core, std::span<const sim::Access> accesses, Warm how);
  Estimator& started(size_t core);
  void add_batches(size_t core, const std::vector<double>& times_ns, uint64_t items);

  StopToken stop_;
  Cores cores_;
  std::vector<TracingMemory> memories_;
  std::vector<Estimator> estimators_;
  std::vector<uint64_t> slice_items_;
  uint64_t warmed_ = 0;  // number of accesses that only warmed the caches, untimed
};

}  // namespace presort::predict
