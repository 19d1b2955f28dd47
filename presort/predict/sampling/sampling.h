// Stratified sampling of a phase's inputs: which slices were timed, what they took, how sure we
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/predict/predictor.h"
#include "presort/predict/sampling/estimator.h"
#include "presort/predict/trace/phase_trace.h"
#include "presort/sim/hierarchy.h"

namespace presort::inline v0::predict {

// One hierarchy, on which slices of a phase are timed after others have warmed it.
// Errors, of what warms or times: Stopped once the options' token asks for it
class Sampler {
 public:
  Sampler(const Machine& machine, const SimulationOptions& options, uint64_t page_bytes);

  TracingMemory& memory() { return memory_; }

  // See Estimator.
  void begin_cluster() { estimator_.begin_cluster(); }
  void begin_stratum(double weight) { estimator_.begin_stratum(weight); }

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
  // last takes that time too.
  // Requires: a slice was timed
  void finish();

  void set_complete() { estimator_.set_complete(); }

  // Accesses without a kernel: addresses that earlier inputs have touched.
  void warm(std::span<const sim::Access> accesses) {
    stop_.check();
    if (record_only_ == nullptr) {
      warmed_ += accesses.size();
      hierarchy_->count(accesses);
    }
  }

  double ci95_relative() const { return estimator_.ci95_relative(); }
  size_t clusters() const { return estimator_.clusters(); }

  // Accesses simulated so far, timed or warming.
  uint64_t accesses() const { return warmed_ + estimator_.accesses(); }
  PhaseEstimate estimate() const;

 private:
  static constexpr uint64_t kBatchItems = 1024;

  // What the kernel does, counted or timed unless it is only recorded.
  void count(std::span<const sim::Access> records) {
    stop_.check();
    record_only_ != nullptr ? record_only_->write(records) : hierarchy_->count(records);
  }
  void run(std::span<const sim::Access> records) {
    stop_.check();
    record_only_ != nullptr ? record_only_->write(records) : hierarchy_->run(records);
  }

  void end_batch(uint64_t items);

  std::optional<sim::Hierarchy> hierarchy_;  // nothing if all is only recorded
  sim::AccessSink* record_only_;             // null: all is simulated
  StopToken stop_;
  TracingMemory memory_;
  Estimator estimator_;
  uint64_t slice_items_ = 0;
  double batch_start_ns_ = 0;
  uint64_t warmed_ = 0;  // accesses that changed the state and were not counted
};

}  // namespace presort::predict
