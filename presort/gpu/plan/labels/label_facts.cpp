#include "presort/gpu/plan/labels/label_facts.h"

#include <algorithm>
#include <cmath>

#include "presort/core/labels/zipf.h"
#include "presort/gpu/plan/times/hot_share.h"
#include "presort/gpu/plan/times/place_loads.h"
#include "presort/gpu/plan/times/written_buckets.h"

namespace presort::inline v0::gpu {
namespace {

// Probability that a bit of an R-MAT graph's destination is 0: the quadrant probabilities A + C.
double zero_share(const Distribution& distribution) {
  return distribution.parameter + distribution.more[1];
}

double hottest_share_of(const Problem& problem) {
  const auto m = static_cast<double>(problem.m);
  switch (problem.distribution.kind) {
    case DistributionKind::degenerate:
      return 1;
    case DistributionKind::zipf:
    case DistributionKind::zipfContiguous: {
      constexpr uint64_t kTerms = 16;  // summed one by one: six digits
      return 1 / zipf_mass(problem.distribution.parameter, 0, problem.m, kTerms);
    }
    case DistributionKind::words: {
      const auto& of = problem.distribution;
      return std::pow(1 + of.more[0], -of.parameter) /
             zipf_mass(of.parameter, 0, problem.m, 64, of.more[0]);
    }
    case DistributionKind::rmat:  // the label whose bits are all the more likely ones
      return std::pow(
          std::max(zero_share(problem.distribution), 1 - zero_share(problem.distribution)),
          label_bits(problem.m));
    default:
      return 1 / m;
  }
}

constexpr double kLanesOfRow = 32;

// Sectors of the L2 that so many buckets side by side lie in, in the mean.
double sectors_side_by_side(double buckets, double bucket_bytes) {
  constexpr double kSector = 32;  // bytes
  return 1 + buckets * bucket_bytes / kSector;
}

// Where 32 particles lie that were neighbours and have moved by up to K cells: in one of (2K + 1)^2
// rows of 2K + 1 cells and more.
struct CellRows {
  double sectors;          // sectors of all these rows
  double words_of_sector;  // buckets of a sector that they may be in
};
CellRows cell_rows(const Problem& problem, double bucket_bytes) {
  const double steps = 2 * problem.distribution.parameter + 1;
  const double span =
      steps + kLanesOfRow * static_cast<double>(problem.m) / static_cast<double>(problem.n);
  const double sectors = sectors_side_by_side(span, bucket_bytes);
  return {steps * steps * sectors, span / sectors};
}

}  // namespace

LabelFacts::LabelFacts(const Problem& problem)
    : problem_(problem), hottest_share_(hottest_share_of(problem)) {}

double LabelFacts::sectors_share(double bucket_bytes) const {
  const auto sectors_of = [&](double buckets) {
    return sectors_side_by_side(buckets, bucket_bytes);
  };
  switch (problem_.distribution.kind) {
    case DistributionKind::sorted:
    case DistributionKind::sequential: {
      const double span =
          kLanesOfRow * static_cast<double>(problem_.m) / static_cast<double>(problem_.n);
      return std::min(1.0, sectors_of(span) / kLanesOfRow);
    }
    case DistributionKind::clustered: {
      constexpr double kWindow = 64;  // number of buckets among which the labels of a cluster lie
      const double length = std::max(problem_.distribution.parameter, 1.0);
      return std::min(1.0, sectors_of(kWindow) / length);
    }
    case DistributionKind::sessions:  // bursts of one key, about the warp's lanes / L of them
      return std::min(1.0, (1 + (kLanesOfRow - 1) / problem_.distribution.parameter) / kLanesOfRow);
    case DistributionKind::strays: {
      const double span =
          kLanesOfRow * static_cast<double>(problem_.m) / static_cast<double>(problem_.n);
      const double stray = problem_.distribution.parameter;
      return std::min(1.0, stray + (1 - stray) * sectors_of(span) / kLanesOfRow);
    }
    case DistributionKind::cells: {
      const CellRows rows = cell_rows(problem_, bucket_bytes);
      return std::min(1.0, -std::expm1(kLanesOfRow * std::log1p(-1 / (rows.sectors + 1))) *
                               rows.sectors / kLanesOfRow);
    }
    default:
      return 1;
  }
}

double LabelFacts::turns_share(double bucket_bytes) const {
  if (problem_.distribution.kind != DistributionKind::cells) {
    return sectors_share(bucket_bytes);
  }
  const CellRows rows = cell_rows(problem_, bucket_bytes);
  const double lanes = kLanesOfRow / rows.sectors;  // of a sector
  const double met = -std::expm1(-lanes);           // share of the sectors that have a lane
  const double turns = met * turns_of_lanes(lanes / met, rows.words_of_sector);
  return std::min(1.0, rows.sectors * turns / kLanesOfRow);
}

double LabelFacts::front_buckets(double inputs) const {
  const auto m = static_cast<double>(problem_.m);
  const double side_by_side = 1 + inputs * m / static_cast<double>(problem_.n);
  switch (problem_.distribution.kind) {
    case DistributionKind::sorted:
    case DistributionKind::sequential:
      return std::min(m, side_by_side);
    case DistributionKind::cells: {  // 2K + 1 planes of a grid as wide as it is high
      const double planes = 2 * problem_.distribution.parameter + 1;
      return std::min(m, side_by_side + planes * std::cbrt(m * m));
    }
    default:
      return m;
  }
}

double LabelFacts::hot_share(double entry_bytes) const {
  constexpr int kSlotsOfWords = 64;  // as in gpu/block/hot_buckets.cuh
  constexpr int kSlotsOfPairs = 32;
  const bool is_word = entry_bytes <= 4;
  std::optional<double>& hot = is_word ? hot_of_words_ : hot_of_pairs_;
  if (!hot) {
    hot = hot_inputs_share(problem_, is_word ? kSlotsOfWords : kSlotsOfPairs);
  }
  return *hot;
}

double LabelFacts::written_buckets() const {
  if (!written_) {
    written_ = gpu::written_buckets(problem_.distribution, problem_.n, problem_.m);
  }
  return *written_;
}

double LabelFacts::sectors_of_last_values() const {
  if (!sectors_) {
    sectors_ = gpu::sectors_of_last_values(problem_.distribution, problem_.n, problem_.m);
  }
  return *sectors_;
}

}  // namespace presort::gpu
