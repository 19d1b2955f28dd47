// How many atomics an update of buckets in global memory makes, as its kernels join lanes
// (gpu/device/update_global.cuh), in closed form. No CUDA types.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/problem.h"
#include "presort/gpu/plan/label_facts.h"
#include "presort/gpu/plan/lane_joins.h"

namespace presort::inline v0::gpu {

class JoinedUpdates {
 public:
  // is_sorted: true after a pre-sort
  JoinedUpdates(const Problem& problem, const LabelFacts& labels, bool is_sorted) {
    const double hottest = labels.hottest_share();
    const DistributionKind kind = problem.distribution.kind;
    const bool is_equal = kind == DistributionKind::degenerate;
    // Labels of a warp, where each label stands beside its like
    const double labels_of_warp =
        1 + (kLanesOfWarp - 1) * static_cast<double>(problem.m) / static_cast<double>(problem.n);
    const bool has_runs = kind == DistributionKind::sorted;
    if (problem.n < kFewestInputsOfHot) {
      // All lanes of a warp are joined, or none.
      const double whole = is_equal ? 1 : has_runs ? std::max(0.0, 2 - labels_of_warp) : 0;
      of_input_ = 1 - whole * (1 - 1 / kLanesOfWarp);
      of_hottest_ = hottest * of_input_;
    } else if (problem.n < kFewestInputsOfLook) {
      // Lanes of each label are joined, where one label has several of them.
      of_input_ = is_equal ? 1 / kLanesOfWarp
                  : has_runs && labels_of_warp <= kLanesOfWarp / kFewestAlike
                      ? labels_of_warp / kLanesOfWarp
                      : 1;
      of_hottest_ = hottest * kLanesOfWarp >= kFewestAlike ? 1 / kLanesOfWarp : hottest;
    } else if (is_equal) {
      of_input_ = of_hottest_ = 0;  // every block has words of its own for the only bucket
    } else {
      // A block has words of its own for buckets that it finds hot among its first inputs. After a pre-sort
      // those inputs have the first labels, and the most frequent one is seldom among them.
      of_hottest_ = is_sorted ? hottest : std::min(hottest, kShareOfHot);
      // Lanes that follow their like are joined, where most of a warp do.
      if (has_runs && labels_of_warp <= kLanesOfWarp - kFewestInRuns) {
        of_input_ = labels_of_warp / kLanesOfWarp;
        of_hottest_ = hottest * of_input_;
      }
    }
  }

  // Updates in global memory for each input.
  double of_input() const { return of_input_; }
  // Updates of the most frequent bucket for each input.
  double of_hottest() const { return of_hottest_; }

 private:
  static constexpr double kLanesOfWarp = 32;
  static constexpr double kShareOfHot = 1.0 / 128;  // as in gpu/block/hot_buckets.cuh

  double of_input_ = 1;
  double of_hottest_ = 0;
};

}  // namespace presort::gpu
