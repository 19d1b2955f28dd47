// Stratified sampling of a phase's inputs: which slices were timed, what they took, how sure we
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/prediction.h"
#include "predict/phase_trace.h"
#include "predict/predictor.h"
#include "sim/hierarchy.h"

namespace presort::predict {

// What a phase takes per item (an input, or a digit of a drain), estimated from a sample.
struct PhaseEstimate {
  double ns_per_item = 0;
  double variance = 0;              // of ns_per_item
  TimeStack stack_ns;               // per item
  std::vector<LevelCounts> levels;  // of the sample
  std::vector<TlbCounts> tlb;
  uint64_t walks = 0;
  std::optional<StorageCounts> storage;
  uint64_t items = 0;     // timed
  uint64_t accesses = 0;  // timed or warming
};

void add_counts(std::vector<LevelCounts>& sum, const std::vector<LevelCounts>& more);
void add_counts(std::vector<TlbCounts>& sum, const std::vector<TlbCounts>& more);
void add_counts(std::optional<StorageCounts>& sum, const std::optional<StorageCounts>& more);

// One hierarchy, on which slices of a phase are timed after others have warmed it.
class Sampler {
 public:
  Sampler(const Machine& machine, const SimulationOptions& options, uint64_t page_bytes);

  sim::Hierarchy& hierarchy() { return hierarchy_; }
  TracingMemory& memory() { return memory_; }

  // A new cluster: slices that were chosen together (those of one partition). Clusters count alike;
  // their spread is part of the error. Without a call there is one.
  void begin_cluster();

  // The slices timed from now on stand for `weight` of the cluster's items.
  void begin_stratum(double weight);

  // Inputs [first, last) of the phase change caches and TLBs, untimed; time() forgets the counts.
  template <class Phase>
  void warm(const Phase& phase, uint64_t first, uint64_t last) {
    PhaseTrace<Phase> trace(phase, first, last, memory_);
    for (auto records = trace.next(); !records.empty(); records = trace.next()) {
      count(records);
      warmed_ += trace.accesses();
    }
  }

  // Inputs [first, last) are timed but not counted, so that the pipeline is in its stride.
  template <class Phase>
  void lead_in(const Phase& phase, uint64_t first, uint64_t last) {
    PhaseTrace<Phase> trace(phase, first, last, memory_);
    for (auto records = trace.next(); !records.empty(); records = trace.next()) {
      run(records);
      warmed_ += trace.accesses();
    }
  }

  // Inputs [first, last) are timed, in batches whose spread tells the error.
  template <class Phase>
  void time(const Phase& phase, uint64_t first, uint64_t last) {
    open_slice();
    for (uint64_t at = first; at < last;) {
      const uint64_t end = last - at < 2 * kBatchItems ? last : at + kBatchItems;
      time_piece(phase, at, end);
      end_batch(end - at);
      at = end;
    }
    close_slice();
  }

  // A slice in pieces: open_slice, time_piece of what belongs to it, close_slice (without effect if
  // none is open).
  void open_slice();
  template <class Phase>
  void time_piece(const Phase& phase, uint64_t first, uint64_t last) {
    PhaseTrace<Phase> trace(phase, first, last, memory_);
    for (auto records = trace.next(); !records.empty(); records = trace.next()) {
      run(records);
    }
    slice_items_ += last - first;
  }
  void close_slice();

  // The phase has ended: a block device is given what memory could not keep, and the slice timed
  // last takes that time too. Requires: a slice was timed
  void finish();

  // All items have been timed: the estimate is exact.
  void set_complete() { complete_ = true; }

  // Accesses without a kernel: addresses that earlier inputs have touched.
  void warm(std::span<const sim::Access> accesses) {
    if (record_only_ == nullptr) {
      warmed_ += accesses.size();
      hierarchy_.count(accesses);
    }
  }

  // Relative half-width of the 95 % interval of what was timed so far; infinite before two
  // batches or slices, 0 when complete.
  double ci95_relative() const;
  size_t clusters() const { return clusters_; }

  // Accesses simulated so far, timed or warming.
  uint64_t accesses() const { return warmed_ + counts_.accesses; }
  PhaseEstimate estimate() const;

 private:
  static constexpr uint64_t kBatchItems = 1024;

  // Means of equally large observations: how many, their sum and that of their squares.
  struct Spread {
    double count = 0;
    double sum = 0;
    double sum_squares = 0;

    void add(double mean) {
      count += 1;
      sum += mean;
      sum_squares += mean * mean;
    }
    double variance_of_mean() const;  // 0 of fewer than two
  };

  struct Stratum {
    size_t cluster = 0;
    double weight = 1;
    double items = 0;
    double ns = 0;
    Spread batches;
    Spread slices;
    std::vector<double> stack_ns;
  };

  // What the kernel does, counted or timed unless it is only recorded.
  void count(std::span<const sim::Access> records) {
    record_only_ != nullptr ? record_only_->write(records) : hierarchy_.count(records);
  }
  void run(std::span<const sim::Access> records) {
    record_only_ != nullptr ? record_only_->write(records) : hierarchy_.run(records);
  }

  void end_batch(uint64_t items);
  void add_statistics(const sim::Statistics& statistics);
  static double variance_of_mean(const Stratum& stratum);
  void add_cluster(size_t cluster, PhaseEstimate& sum) const;

  sim::Hierarchy hierarchy_;
  sim::AccessSink* record_only_;  // null: all is simulated
  TracingMemory memory_;
  std::vector<Stratum> strata_;
  size_t clusters_ = 0;
  bool complete_ = false;
  uint64_t slice_items_ = 0;
  double batch_start_ns_ = 0;
  uint64_t warmed_ = 0;   // accesses that changed the state and were not counted
  PhaseEstimate counts_;  // names and counts; times are filled in by estimate()
};

}  // namespace presort::predict
