// How many atomics an update of buckets in global memory makes, as its kernels join lanes
// (gpu/device/update_global.cuh), in closed form. No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/core/problem.h"
#include "presort/gpu/plan/ceilings.h"
#include "presort/gpu/plan/label_facts.h"
#include "presort/gpu/plan/lane_joins.h"
#include "presort/gpu/plan/times/largest_load.h"

namespace presort::inline v0::gpu {

class JoinedUpdates {
 public:
  // entry_bytes: bytes of a bucket; sorted_bits: bits of the labels that a pre-sort has ordered, 0:
  // none
  JoinedUpdates(const Problem& problem, const LabelFacts& labels, double entry_bytes,
                int sorted_bits) {
    const bool is_sorted = sorted_bits > 0;
    const double hottest = labels.hottest_share();
    buckets_ = std::max(1.0, static_cast<double>(problem.m) / std::exp2(sorted_bits));
    const DistributionKind kind = problem.distribution.kind;
    const bool is_equal = kind == DistributionKind::degenerate;
    // Labels of a warp, where each label stands beside its like
    const double labels_of_warp =
        1 + (kLanesOfWarp - 1) * static_cast<double>(problem.m) / static_cast<double>(problem.n);
    const bool has_runs =
        kind == DistributionKind::sorted || (is_sorted && sorted_bits >= label_bits(problem.m));
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
      // Where there are few buckets, one of them has at least kFewestAlike lanes in nearly every
      // row of 32 inputs, and these are joined.
      if (buckets_ <= kLanesOfWarp &&
          largest_load(static_cast<int>(std::ceil(buckets_)), 1) >= kFewestAlike) {
        const double met =
            buckets_ * -std::expm1(kLanesOfWarp * std::log1p(-1 / (buckets_ + 1e-9)));
        of_input_ = std::min(of_input_, met / kLanesOfWarp);
        of_hottest_ = std::min(of_hottest_, 1 / kLanesOfWarp);
      }
    } else if (is_equal) {
      of_input_ = of_hottest_ = 0;  // every block has words of its own for the only bucket
    } else {
      // A block has words of its own for buckets that it finds hot among its first inputs. After a
      // pre-sort those inputs have the first labels, and the most frequent one is seldom among
      // them.
      of_hottest_ =
          is_sorted ? hottest * of_part(hottest, sorted_bits) : std::min(hottest, kShareOfHot);
      of_crowded_ = is_sorted ? 1 : 1 - labels.hot_share(entry_bytes);
      of_hottest_ = std::min(of_hottest_, of_crowded_);
      // Lanes that follow their like are joined, where most of a warp do.
      if (has_runs && labels_of_warp <= kLanesOfWarp - kFewestInRuns) {
        of_input_ = labels_of_warp / kLanesOfWarp;
        of_hottest_ = hottest * of_input_;
      }
      of_crowded_ = std::min(of_crowded_, of_input_);
    }
  }

  // Words that a block has of its own for hot buckets meet at no line. They are taken to cost their
  // warps as much as an update of the L2, which is an upper bound.
  UpdatesOfInput updates() const {
    return {of_input_, std::min(of_crowded_, of_input_), of_hottest_, buckets_};
  }

 private:
  static constexpr double kLanesOfWarp = 32;
  // Updates for each input of the hottest label after a pre-sort: of its part it has a share p, and
  // lanes are joined where most of a warp follow their like, p * p of them.
  static double of_part(double hottest, int sorted_bits) {
    const double others = (1 - hottest) / std::exp2(sorted_bits);
    const double share = hottest / (hottest + others);
    return (kLanesOfWarp - 1) * share * share >= kFewestInRuns ? 1 / kLanesOfWarp : 1;
  }

  static constexpr double kShareOfHot = 1.0 / 128;  // as in gpu/block/hot_buckets.cuh

  double of_input_ = 1;
  double of_crowded_ = 1;
  double of_hottest_ = 0;
  double buckets_ = 1;  // buckets of a part; all without a pre-sort
};

}  // namespace presort::gpu
