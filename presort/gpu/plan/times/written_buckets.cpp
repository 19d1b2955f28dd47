#include "presort/gpu/plan/times/written_buckets.h"

#include <algorithm>
#include <cmath>

#include "presort/core/problem.h"

namespace presort::inline v0::gpu {
namespace {

// Probability that at least one of n draws meets a bucket with the given share of all draws.
double met(double n, double share) {
  return -std::expm1(-n * share);
}

// Sum over ranks 1 to m of f(rank): the first ranks one by one, the others as an integral over the
// logarithm of the rank.
template <class F>
double sum_of_ranks(double m, const F& f) {
  constexpr double kAlone = 64;
  constexpr double kStep = 0.1;  // step of the integral, in the logarithm of the rank
  double sum = 0;
  for (double rank = 1; rank <= std::min(kAlone, m); ++rank) {
    sum += f(rank);
  }
  const double first = std::log(kAlone + 0.5);
  const double last = std::log(m + 0.5);
  const double steps = std::ceil((last - first) / kStep);
  for (double i = 0; i < steps; ++i) {
    const double width = (last - first) / steps;
    const double rank = std::exp(first + (i + 0.5) * width);
    sum += f(rank) * rank * width;
  }
  return sum;
}

}  // namespace

double written_buckets(const Distribution& distribution, uint64_t n, uint64_t m) {
  const auto inputs = static_cast<double>(n);
  const auto buckets = static_cast<double>(m);
  switch (distribution.kind) {
    case DistributionKind::degenerate:
      return std::min(inputs, 1.0);
    case DistributionKind::permutation:
    case DistributionKind::sequential:
      return std::min(inputs, buckets);
    case DistributionKind::zipf:
    case DistributionKind::zipfContiguous: {
      const auto weight = [&](double rank) { return std::pow(rank, -distribution.parameter); };
      const double all = sum_of_ranks(buckets, weight);
      return sum_of_ranks(buckets, [&](double rank) { return met(inputs, weight(rank) / all); });
    }
    case DistributionKind::words: {
      const auto weight = [&](double rank) {
        return std::pow(rank + distribution.more[0], -distribution.parameter);
      };
      const double all = sum_of_ranks(buckets, weight);
      return sum_of_ranks(buckets, [&](double rank) { return met(inputs, weight(rank) / all); });
    }
    case DistributionKind::rmat: {
      // Sums over labels by how many of their bits are 1, as if m were rounded up to a power of two.
      const double zero = distribution.parameter + distribution.more[1];
      const int bits = label_bits(m);
      double written = 0;
      double labels = 1;  // number of labels with `ones` bits that are 1
      for (int ones = 0; ones <= bits; ++ones) {
        written += labels * met(inputs, std::pow(1 - zero, ones) * std::pow(zero, bits - ones));
        labels *= static_cast<double>(bits - ones) / (ones + 1);
      }
      return std::min(buckets, written);
    }
    default:
      return buckets * met(inputs, 1 / buckets);
  }
}

double sectors_of_last_values(const Distribution& distribution, uint64_t n, uint64_t m) {
  constexpr double kValuesOfSector = 8;
  const double written = written_buckets(distribution, n, m);
  switch (distribution.kind) {
    case DistributionKind::sequential:
    case DistributionKind::sorted:
      return written / kValuesOfSector;
    case DistributionKind::strays:
      return written * (distribution.parameter + (1 - distribution.parameter) / kValuesOfSector);
    case DistributionKind::clustered:
      return written / std::clamp(distribution.parameter, 1.0, kValuesOfSector);
    default:
      return written;
  }
}

}  // namespace presort::gpu
