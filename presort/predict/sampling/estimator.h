// Estimates the time of a phase from slices of it that were timed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/core/prediction.h"
#include "presort/sim/statistics.h"

namespace presort::inline v0::predict {

// The time of a phase per item (an input, or a digit of a drain), estimated from a sample.
struct PhaseEstimate {
  double ns_per_item = 0;
  double variance = 0;              // variance of the estimate ns_per_item, ns^2
  TimeStack stack_ns;               // time stack: ns per item by what the core waited for
  std::vector<LevelCounts> levels;  // event counts of each cache level in the sample
  std::vector<TlbCounts> tlb;
  uint64_t walks = 0;
  std::optional<StorageCounts> storage;
  uint64_t items = 0;     // number of items that were timed
  uint64_t accesses = 0;  // number of accesses simulated, timed or only warming the caches
};

void add_counts(std::vector<LevelCounts>& sum, const std::vector<LevelCounts>& more);
void add_counts(std::vector<TlbCounts>& sum, const std::vector<TlbCounts>& more);
void add_counts(std::optional<StorageCounts>& sum, const std::optional<StorageCounts>& more);

// Collects timed slices. Slices are grouped into clusters, chosen together, and within these into
// strata of known weight.
class Estimator {
 public:
  // Begins a new cluster: slices that were chosen together (those of one partition). All clusters
  // have equal weight; their spread is part of the error. Without a call there is one cluster.
  void begin_cluster() { ++clusters_; }

  // Begins a new stratum, which stands for the share `weight` of the cluster's items.
  void begin_stratum(double weight);
  bool has_stratum() const { return !strata_.empty(); }

  // Adds the time of a batch, a part of a slice, in ns per item. All batches have the same number
  // of items.
  // Requires: has_stratum()
  void add_batch(double ns_per_item) { strata_.back().batches.add(ns_per_item); }

  // Adds a slice of `items` items with the simulator's counts and time.
  // Requires: has_stratum()
  void add_slice(uint64_t items, const sim::Statistics& statistics);

  // Adds the counts and time of work that came after the last slice and belongs to it.
  // Requires: has_stratum()
  void add_to_slice(const sim::Statistics& statistics);

  // Notes that all items have been timed, so that the estimate is exact.
  void set_complete() { complete_ = true; }

  // Half-width of the 95 % interval of the phase's time so far, relative to the time; infinite
  // before two batches or slices, 0 when complete.
  double ci95_relative() const;
  size_t clusters() const { return clusters_; }
  uint64_t accesses() const { return counts_.accesses; }  // number of timed accesses
  PhaseEstimate estimate() const;

 private:
  // Number, sum, and sum of squares of observations of equal weight.
  struct Spread {
    double count = 0;
    double sum = 0;
    double sum_squares = 0;

    void add(double mean) {
      count += 1;
      sum += mean;
      sum_squares += mean * mean;
    }
    // Variance of the mean of the observations; 0 for fewer than two
    double variance_of_mean() const;
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

  static double variance_of_mean(const Stratum& stratum);
  void add_cluster(size_t cluster, PhaseEstimate& sum) const;

  std::vector<Stratum> strata_;
  size_t clusters_ = 0;
  bool complete_ = false;
  // counts, and names of the time stack's terms; estimate() fills in the times
  PhaseEstimate counts_;
};

}  // namespace presort::predict
