#include "presort/core/choice/label_class.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "presort/core/labels/zipf.h"

namespace presort::inline v0 {
namespace {

// A property of labels counts as seen when it exceeds by this many standard deviations what chance
// gives; that happens by chance in one of 700 samples.
constexpr double kSigmas = 3;

// Share of inputs with one and the same label from which on labels count as degenerate. At this
// share the plain loop is best: on random labels it was at most 2.8 times as slow as the best plan
// (docs/results/cpu-kernels.md); if only a quarter of the labels is random, it takes 2.8 / 4 = 0.7
// of the best plan's time for all random labels.
constexpr double kDegenerateShare = 0.75;

// Share of steps between labels in one direction from which on labels count as sorted: half way
// between random labels (half of the steps go up) and sorted ones (all do).
constexpr double kOrderedShare = 0.75;

// Mean run length from which on labels count as clustered: half of the neighbours then share a
// window of 64 labels.
constexpr double kLeastCluster = 2;

double pairs_of(size_t labels) {
  return static_cast<double>(labels) * (static_cast<double>(labels) - 1) / 2;
}

bool is_degenerate(const LabelTraits& traits) {
  return traits.count >= 2 && static_cast<double>(traits.most_frequent) >=
                                  kDegenerateShare * static_cast<double>(traits.count);
}

bool in_order(size_t forward, size_t unequal) {
  return static_cast<double>(forward) >= kOrderedShare * static_cast<double>(unequal);
}

// True if the labels are in order. Neighbours in order alone are not enough: sorted batches of few
// inputs, of many buckets, jump as far as random labels do. The number of upward steps of random
// labels has a standard deviation of √steps / 2.
bool is_ordered(const LabelTraits& traits) {
  const auto ordered = [&](size_t inside, size_t between) {
    const auto steps = static_cast<double>(traits.inside.unequal() + traits.between.unequal());
    const double above = static_cast<double>(inside + between) - steps / 2;
    return steps > 0 && above >= kSigmas * std::sqrt(steps) / 2 &&
           in_order(inside, traits.inside.unequal()) && in_order(between, traits.between.unequal());
  };
  return ordered(traits.inside.up, traits.between.up) ||
         ordered(traits.inside.down, traits.between.down);
}

// The mean length K of runs of labels within a window; 1 when neighbours share no more windows than
// labels far apart do. A run goes on with probability 1 - 1/K; when it ends, the next label shares
// its window by chance.
double cluster_length(const LabelTraits& traits) {
  const SameWindow& near = traits.neighbours;
  const SameWindow& far = traits.strangers;
  if (near.pairs == 0 || far.pairs == 0) {
    return 1;
  }
  const double all =
      static_cast<double>(near.same + far.same) / static_cast<double>(near.pairs + far.pairs);
  const double deviation = std::sqrt(
      all * (1 - all) * (1 / static_cast<double>(near.pairs) + 1 / static_cast<double>(far.pairs)));
  if (near.share() - far.share() <= kSigmas * deviation) {
    return 1;
  }
  const double ends = std::max(1 - near.share(), 1 / static_cast<double>(near.pairs));
  return std::clamp(std::round((1 - far.share()) / ends), 1.0, kMaxClusterLength);
}

// Mean distance of labels from those that are due, as a share of m, up to which labels count as
// cells. Labels that can be anything at any time are 1/4 off, with a standard deviation of 0.01.
constexpr double kNearDue = 1.0 / 16;

// How far the particles of cells have moved, K cells along each axis of a grid as wide as it is
// high; nothing for labels that are not near those that are due. Steps of -K to K planes are
// K (K + 1) / (2K + 1) planes long in the mean.
std::optional<double> cells_moved(const LabelTraits& traits) {
  if (traits.count < kSampledLabels || traits.off_due > kNearDue) {
    return std::nullopt;
  }
  const double planes = traits.off_due * std::cbrt(static_cast<double>(traits.m));
  const double half = planes - 0.5;
  return std::clamp(std::round(half + std::sqrt(half * half + planes)), 1.0, kMaxMove);
}

// Probability that two draws from zipf:S on m labels are equal, given that neither is the most
// frequent label: Σ k^-2S / (Σ k^-S)² for k from 2 to m, to three digits. The terms of the sum for
// 2S are squares of the terms of the sum for S, so both take four exponentials.
class ZipfEquals {
 public:
  explicit ZipfEquals(uint64_t m) : last_(static_cast<double>(m)), log_last_(std::log(last_)) {}

  double share(double exponent) const {
    Powers powers{std::exp(-exponent * kLog2), std::exp(-exponent * kLog3),
                  std::exp(-exponent * kLog5), std::exp(-exponent * log_last_)};
    const double mass = sum(exponent, powers);
    powers = {powers.of2 * powers.of2, powers.of3 * powers.of3, powers.of5 * powers.of5,
              powers.of_last * powers.of_last};
    return sum(2 * exponent, powers) / (mass * mass);
  }

 private:
  static constexpr double kLog2 = 0.6931471805599453;
  static constexpr double kLog3 = 1.0986122886681098;
  static constexpr double kLog5 = 1.6094379124341003;

  // The terms k^-S of zipf weights for k = 2, 3, 5 and m
  struct Powers {
    double of2;
    double of3;
    double of5;
    double of_last;
  };

  // Σ k^-S for k from 2 to m: the terms up to 4 one by one, the rest as in zipf_mass
  // (core/labels/zipf.h).
  double sum(double exponent, const Powers& powers) const {
    constexpr double kFirst = 5;
    if (last_ < kFirst) {
      return powers.of2 + (last_ > 2 ? powers.of3 : 0) + (last_ > 3 ? powers.of2 * powers.of2 : 0);
    }
    const double f = powers.of5;
    const double g = powers.of_last;
    const double third = exponent * (exponent + 1) * (exponent + 2) / 720;
    return powers.of2 + powers.of3 + powers.of2 * powers.of2 + integral(exponent, f, g) +
           (f + g) / 2 + exponent / 12 * (f / kFirst - g / last_) -
           third * (f / (kFirst * kFirst * kFirst) - g / (last_ * last_ * last_));
  }

  // Integral of x^-S from 5 to m; f and g are the integrand at 5 and at m. Near S = 1 the
  // difference of the two terms cancels; where |S - 1| is below this bound, the limit for S = 1 has
  // more exact digits.
  double integral(double exponent, double f, double g) const {
    constexpr double kNearOne = 1e-6;
    const double q = 1 - exponent;
    return std::abs(q) > kNearOne ? (g * last_ - f * 5) / q : log_last_ - kLog5;
  }

  double last_;
  double log_last_;
};

// S of the zipf labels for which the share of equal pairs is `share`, to hundredths. Found by
// halving, as the share grows with S.
double zipf_exponent(double share, uint64_t m) {
  constexpr double kMost = 4;  // bound of S: beyond it, three quarters of the labels are equal
  constexpr double kPrecision = 0.01;
  const ZipfEquals equals(m);
  double low = 0;
  double high = kMost;
  while (high - low > kPrecision) {
    const double middle = (low + high) / 2;
    (equals.share(middle) < share ? low : high) = middle;
  }
  return std::ceil((low + high) / 2 / kPrecision) * kPrecision;
}

// True if labels that are frequent have values close to each other. Labels far apart in the
// sequence share windows because they are equal, because of chance, or because frequent labels
// stand together.
bool stand_together(const LabelTraits& traits) {
  const auto pairs = static_cast<double>(traits.strangers.pairs);
  const double equal = static_cast<double>(traits.equal_pairs) / pairs_of(traits.count);
  const double chance = static_cast<double>(kNeighbourWindow) / static_cast<double>(traits.m);
  const double expected = pairs * std::min(1.0, equal + chance);
  return static_cast<double>(traits.strangers.same) >
         2 * expected + kSigmas * std::sqrt(2 * expected) + kSigmas;
}

// Tells labels of equal probability from others by the number of equal pairs, the method that needs
// the fewest labels (Paninski 2008, doi:10.1109/TIT.2008.928987). That number is nearly
// Poisson-distributed; what is added to three of its standard deviations is Bernstein's bound for
// few pairs.
Distribution independent_class(const LabelTraits& traits) {
  const double spread_of_few = kSigmas * kSigmas / 3;
  const auto m = static_cast<double>(traits.m);
  const double pairs = pairs_of(traits.count - traits.most_frequent);
  const auto equal = static_cast<double>(traits.rest_equal_pairs);
  const double by_chance = pairs / (m - 1);
  if (equal > by_chance + kSigmas * std::sqrt(by_chance) + spread_of_few) {
    const double exponent = zipf_exponent(equal / pairs, traits.m);
    return {stand_together(traits) ? DistributionKind::zipfContiguous : DistributionKind::zipf,
            exponent, ""};
  }
  // A permutation has fewer equal pairs than chance only if few labels repeat: the sequence must
  // not be many times as long as m.
  const double expected = pairs_of(traits.count) / m;
  const double fewest = expected - kSigmas * std::sqrt(expected);
  if (traits.n <= 2 * traits.m && static_cast<double>(traits.equal_pairs) < fewest) {
    return {DistributionKind::permutation, 0, ""};
  }
  return {};
}

}  // namespace

Distribution nearest_distribution(const LabelTraits& traits) {
  if (traits.count < 2) {
    return {};
  }
  if (is_degenerate(traits)) {
    return {DistributionKind::degenerate, 0, ""};
  }
  if (is_ordered(traits)) {
    return {traits.in_proportion ? DistributionKind::sequential : DistributionKind::sorted, 0, ""};
  }
  const double length = cluster_length(traits);
  if (length >= kLeastCluster) {
    return {DistributionKind::clustered, length, ""};
  }
  if (const std::optional<double> moved = cells_moved(traits)) {
    return {DistributionKind::cells, *moved, ""};
  }
  return independent_class(traits);
}

}  // namespace presort
