// Stratified sampling of a phase that several threads run at the same time, each on a core.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "presort/predict/predictor.h"
#include "presort/predict/sampling/estimator.h"
#include "presort/predict/trace/tracing_memory.h"
#include "presort/sim/multi_core.h"

namespace presort::inline v0::predict {

// Cores on which slices of all threads are timed together after others have warmed their caches.
// A source is what one thread does next, null for a thread that does nothing; they are given by
// thread.
// Errors, of what warms or times: Stopped once the options' token asks for it
class TeamSampler {
 public:
  using Sources = std::vector<std::unique_ptr<sim::AccessSource>>;

  // Errors: InputError when the machine has fewer cores than threads, or a block device
  TeamSampler(const Machine& machine, const SimulationOptions& options, uint64_t page_bytes,
              size_t threads);

  size_t threads() const { return estimators_.size(); }
  TracingMemory& memory(size_t thread) { return memories_[thread]; }

  // Begin a cluster or a stratum (Estimator) of one thread, or a stratum of all threads.
  void begin_cluster(size_t thread) { estimators_[thread].begin_cluster(); }
  void begin_stratum(size_t thread, double weight) { estimators_[thread].begin_stratum(weight); }
  void begin_stratum(double weight);

  // What sources do changes caches and TLBs, untimed.
  void warm(const Sources& sources);

  // The core of one thread, with what is needed to warm it alone.
  class OneCore {
   public:
    OneCore(TeamSampler& team, size_t thread) : team_(team), thread_(thread) {}
    void warm(std::span<const sim::Access> accesses);

   private:
    TeamSampler& team_;
    size_t thread_;
  };
  OneCore core(size_t thread) { return {*this, thread}; }

  // Timed but not counted, so that the pipelines are in their stride.
  void lead_in(const Sources& sources);

  // A slice of each thread that has a source, of items[thread] items, in batches whose spread tells
  // the error.
  // Requires: sources give kTraceBatch items at a time
  void time(const Sources& sources, const std::vector<uint64_t>& items);

  // A slice in pieces: open_slice, time_piece of what belongs to it, close_slice (without effect if
  // none is open).
  void open_slice();
  void time_piece(const Sources& sources, const std::vector<uint64_t>& items);
  void close_slice();

  void set_complete();

  // For a phase that ends when the slowest thread does, of items[thread] items each: per item of
  // `total`. Counts are the sums over the threads, the time stack that of the slowest one.
  PhaseEstimate estimate(const std::vector<uint64_t>& items, uint64_t total) const;

  // Relative half-width of the 95 % interval of that; infinite while a thread with items has too
  // few slices.
  double ci95_relative(const std::vector<uint64_t>& items, uint64_t total) const;

 private:
  void run(const Sources& sources);

  StopToken stop_;
  sim::MultiCore cores_;
  std::vector<TracingMemory> memories_;
  std::vector<Estimator> estimators_;
  std::vector<uint64_t> slice_items_;
  uint64_t warmed_ = 0;  // accesses that were not counted
};

}  // namespace presort::predict
