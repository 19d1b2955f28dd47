// How many atomics an update of buckets in global memory makes, as its kernels join lanes
// (gpu/device/update_global.cuh), in closed form. No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/core/problem.h"
#include "presort/gpu/plan/ceilings.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/lane_joins.h"
#include "presort/gpu/plan/times/hot_share.h"
#include "presort/gpu/plan/times/largest_load.h"
#include "presort/gpu/plan/times/place_loads.h"
#include "presort/gpu/plan/times/rmat_loads.h"

namespace presort::inline v0::gpu {

// Updates for each input of a label that has a share of the inputs, without a pre-sort.
class UpdatesOfLabel {
 public:
  // Requires: is_skewed(problem) or is_rmat(problem)
  UpdatesOfLabel(const Problem& problem, const LabelFacts& labels)
      : joined_(joined_rows(problem, labels)), looks_(problem.n >= kFewestInputsOfLook) {}

  double operator()(double share) const {
    constexpr double kSeldom = 1e-3;  // share of labels that no block finds hot
    if (looks_) {
      return share < kSeldom ? share : share * (1 - hot_probability(share));
    }
    const double once = -std::expm1(kLanes * std::log1p(-share)) / kLanes;
    return joined_ > 0 ? joined_ * once + (1 - joined_) * share : share;
  }

 private:
  // Share of the rows of 32 inputs that have kFewestAlike lanes of one label, so that all lanes
  // alike are joined; 0 where a kernel does not ask for it.
  static double joined_rows(const Problem& problem, const LabelFacts& labels) {
    constexpr uint64_t kRanks = 8;  // of labels of higher ranks a row hardly ever has as many
    if (problem.n < kFewestInputsOfHot || problem.n >= kFewestInputsOfLook) {
      return 0;
    }
    const double exponent = is_skewed(problem) ? problem.distribution.parameter : 0;
    double apart = 1;
    for (uint64_t rank = 0; rank < std::min(problem.m, kRanks); ++rank) {
      const double lanes =
          kLanes * labels.hottest_share() * std::pow(static_cast<double>(rank + 1), -exponent);
      double of_count = std::exp(-lanes);  // probability of `count` lanes, Poisson
      double fewer = 0;
      for (int count = 0; count < kFewestAlike; ++count) {
        fewer += of_count;
        of_count *= lanes / (count + 1);
      }
      apart *= fewer;
    }
    if (exponent == 0 && problem.m > kRanks) {
      apart = std::pow(apart, static_cast<double>(problem.m) / kRanks);
    }
    return 1 - apart;
  }

  double joined_;
  bool looks_;
};

class JoinedUpdates {
 public:
  // entry_bytes: bytes of a bucket; sorted_bits: bits of the labels that a pre-sort has ordered, 0:
  // none
  JoinedUpdates(const Problem& problem, const LabelFacts& labels, const Ceilings& at,
                double entry_bytes, int sorted_bits) {
    const bool is_sorted = sorted_bits > 0;
    const double hottest = labels.hottest_share();
    buckets_ = std::max(1.0, static_cast<double>(problem.m) / std::exp2(sorted_bits));
    const DistributionKind kind = problem.distribution.kind;
    const double table_bytes = static_cast<double>(problem.m) * entry_bytes;
    const bool is_equal = kind == DistributionKind::degenerate;
    // Labels of a warp, where each label stands beside its like
    const double labels_of_warp =
        1 + (kLanesOfWarp - 1) * static_cast<double>(problem.m) / static_cast<double>(problem.n);
    const bool has_runs = is_in_order(kind) || (is_sorted && sorted_bits >= label_bits(problem.m));
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
        const double inputs_of_label =
            static_cast<double>(problem.n) / static_cast<double>(problem.m);
        joins_ =
            std::min(1.0, labels_of_warp - 1) * instructions_of_join(inputs_of_label, entry_bytes);
        of_input_ = labels_of_warp / kLanesOfWarp;
        of_hottest_ = hottest * of_input_;
      }
      of_crowded_ = std::min(of_crowded_, of_input_);
    }
    if (kind == DistributionKind::clustered) {
      // A window of a cluster is two lines or less, and a warp's first cluster has begun before.
      places_ = std::min(1.0, 1 / problem.distribution.parameter + 1 / kLanesOfWarp);
    }
    if (is_in_order(kind) || is_sorted) {
      // Each block goes through its inputs in order, and they do not wait for each other.
      const double window = std::min(1.0, kInputsOnTheirWay / static_cast<double>(problem.n));
      const double drift = problem.n < kFewestInputsOfLook ? 0 : kDrift;
      const double of_part = is_in_order(kind) ? 0 : std::exp2(-sorted_bits);
      spread_ = std::min(1.0, of_part + window + drift);
      alone_ = has_runs;
    } else if (is_skewed(problem) ||
               (kind == DistributionKind::uniform && table_bytes <= kFewBytes)) {
      const WordPlaces words{at.places(table_bytes), table_bytes / (kWordsOfSector * 4),
                             kWordsOfSector * 4 / entry_bytes};
      const UpdatesOfLabel updates(problem, labels);
      at_place_ = busiest_place(problem, words, updates);
      for (uint64_t rank = 0; is_skewed(problem) && rank < std::min(problem.m, kRanksApart);
           ++rank) {
        const double share =
            hottest * std::pow(static_cast<double>(rank + 1), -problem.distribution.parameter);
        if (share <= at_word_) {
          break;  // none of the others has as many updates
        }
        at_word_ = std::max(at_word_, updates(share));
      }
      of_crowded_ = of_hottest_ = 0;
      hits_ = is_skewed(problem) ? skewed_hits(problem, at.l2_lines()) : 0;
    } else if (is_rmat(problem)) {
      const UpdatesOfLabel updates(problem, labels);
      at_place_ = rmat_busiest_place(problem, at.places(kLargeTable),
                                     kWordsOfSector * 4 / entry_bytes, updates);
      RmatLevels(problem, label_bits(problem.m)).for_first(kRanksApart, [&](double share) {
        at_word_ = share > at_word_ ? std::max(at_word_, updates(share)) : at_word_;
      });
      of_crowded_ = of_hottest_ = 0;
      hits_ = rmat_hits(problem, entry_bytes, at.l2_lines());
    }
  }

  // Instructions of a warp for a row of 32 inputs by which it joins lanes, in the mean.
  double joins() const { return joins_; }

  // Words that a block has of its own for hot buckets meet at no line. They are taken to cost their
  // warps as much as an update of the L2, which is an upper bound.
  UpdatesOfInput updates() const {
    return {of_input_,   std::min(of_crowded_, of_input_),
            of_hottest_, buckets_,
            at_place_,   at_word_,
            spread_,     alone_,
            hits_,       places_};
  }

 private:
  static constexpr double kLanesOfWarp = 32;
  // Instructions of a warp that joins the lanes of several labels (gpu/warp/meet.cuh): ten to find
  // those alike, then as many rounds as the logarithm of the most lanes, of ten instructions each,
  // and two more for the second word of a value (SASS for sm_90, CUDA 13.0).
  static double instructions_of_join(double inputs_of_label, double entry_bytes) {
    const double rounds = std::ceil(std::log2(std::clamp(inputs_of_label, 2.0, kLanesOfWarp)));
    return 10 + rounds * (entry_bytes > 4 ? 12 : 10);
  }
  static constexpr double kWordsOfSector = 8;
  static constexpr double kFewBytes = 256;     // bytes of buckets that are told apart
  static constexpr double kLargeTable = 1e12;  // bytes of a table at all places
  // Inputs that a GPU's threads have at a time, four each.
  static constexpr double kInputsOnTheirWay = 4.0 * 132 * 2048;
  // Share of all inputs over which blocks that began side by side have drifted apart, in the mean
  // over their time: between their first and last end lies 0.52 to 0.61 of it (blockLead of
  // gpu_hardware_steps, three H200, 2026-11-26).
  static constexpr double kDrift = 0.27;

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
  double at_place_ = 0;
  double at_word_ = 0;
  double spread_ = 1;
  bool alone_ = false;
  double joins_ = 0;
  double hits_ = 0;
  double places_ = 1;
};

}  // namespace presort::gpu
