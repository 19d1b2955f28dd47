// Properties of a problem's labels that plan_time.h needs, computed once for all plans of the
// problem, because some are sums over all ranks of a distribution. No CUDA types.
#pragma once

#include <optional>

#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

class LabelFacts {
 public:
  // Facts about the labels of a problem. Requires: the problem outlives this object
  explicit LabelFacts(const Problem& problem);

  // The share of the inputs that have the most frequent label: at least 1/m.
  double hottest_share() const { return hottest_share_; }

  // Sectors that a warp's lanes touch in buckets of `bucket_bytes` bytes, as a share of 32: 1 for
  // labels without order.
  double sectors_share(double bucket_bytes) const;

  // Turns that a warp's atomics take at the sectors that they touch, as a share of 32: lanes at
  // different words of a sector take one together (turns_of_lanes), those at one word follow each
  // other. 1 for labels without order; as sectors_share for labels in order, whose lanes are joined.
  double turns_share(double bucket_bytes) const;

  // Number of buckets among which the labels of `inputs` inputs side by side lie: all m for labels
  // that can be anything at any time.
  double front_buckets(double inputs) const;

  // Share of the inputs whose label blocks find hot, with values of `entry_bytes` bytes (hot_share.h). Computed
  // by its first call: up to 5 µs for zipf labels.
  double hot_share(double entry_bytes) const;

  // Expected number of buckets that have a label, and of sectors that hold those buckets' last
  // values (written_buckets.h). Each is computed by its first call: up to 100 µs for zipf labels.
  double written_buckets() const;
  double sectors_of_last_values() const;

 private:
  const Problem& problem_;
  double hottest_share_;
  mutable std::optional<double> hot_of_words_;  // values of up to 4 bytes
  mutable std::optional<double> hot_of_pairs_;  // larger values
  mutable std::optional<double> written_;
  mutable std::optional<double> sectors_;
};

}  // namespace presort::gpu
