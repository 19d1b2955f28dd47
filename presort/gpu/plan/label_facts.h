// What the closed form of a plan's time (plan_time.h) asks of the labels: computed once for all
// plans of a problem, because some of it are sums over all ranks of a distribution. No CUDA types.
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

  // The share of 32 sectors that the lanes of a warp touch in buckets of `bucket_bytes`: 1 where labels
  // come in no order.
  double sectors_share(double bucket_bytes) const;

  // The expected number of buckets that have a label, and of sectors that hold those buckets' last
  // values (written_buckets.h). Computed by the first call: up to 100 µs for zipf labels.
  double written_buckets() const;
  double sectors_of_last_values() const;

 private:
  const Problem& problem_;
  double hottest_share_;
  mutable std::optional<double> written_;
  mutable std::optional<double> sectors_;
};

}  // namespace presort::gpu
