#include "presort/gpu/plan/times/hot_share.h"

#include <algorithm>
#include <cmath>

#include "presort/core/labels/zipf.h"
#include "presort/gpu/plan/times/rmat_loads.h"

namespace presort::inline v0::gpu {
namespace {

constexpr double kLooked = 256;  // inputs that a block looks at
constexpr int kWarpsThatLook = 8;
constexpr int kLeastAlike = 4;

// Probability that `count` inputs of random warps are all of different ones.
double all_apart(int count) {
  double apart = 1;
  for (int i = 0; i < count; ++i) {
    apart *= std::max(0.0, static_cast<double>(kWarpsThatLook - i) / kWarpsThatLook);
  }
  return apart;
}

}  // namespace

double hot_probability(double share) {
  const double expected = kLooked * share;
  double of_count = std::exp(-expected);  // probability of `count` inputs, Poisson
  double cold = 0;
  for (int count = 0; count <= kWarpsThatLook; ++count) {
    cold += of_count * (count < kLeastAlike ? 1 : all_apart(count));
    of_count *= expected / (count + 1);
  }
  return std::clamp(1 - cold, 0.0, 1.0);
}

double hot_inputs_share(const Problem& problem, int slots) {
  const auto m = static_cast<double>(problem.m);
  DistributionKind kind = problem.distribution.kind;
  // Clusters choose among 64 labels: of so few buckets each block meets all.
  constexpr uint64_t kWindow = 64;
  if (kind == DistributionKind::clustered && problem.m <= kWindow) {
    kind = DistributionKind::uniform;
  }
  switch (kind) {
    case DistributionKind::uniform: {
      const double hot = hot_probability(1 / m);
      return hot * std::min(1.0, slots / (m * hot + 1e-9));
    }
    case DistributionKind::zipf:
    case DistributionKind::zipfContiguous: {
      constexpr uint64_t kRanks = 64;
      const double exponent = problem.distribution.parameter;
      const double all = zipf_mass(exponent, 0, problem.m, 16);
      double inputs = 0;
      double labels = 0;
      for (uint64_t rank = 0; rank < std::min(problem.m, kRanks) && labels < slots; ++rank) {
        const double share = std::pow(static_cast<double>(rank + 1), -exponent) / all;
        const double hot = hot_probability(share);
        if (hot < 1e-3) {
          break;  // nor are those of higher ranks
        }
        inputs += hot * share;
        labels += hot;
      }
      return inputs;
    }
    case DistributionKind::rmat: {
      constexpr uint64_t kRanks = 64;
      double inputs = 0;
      double labels = 0;
      RmatLevels(problem, label_bits(problem.m)).for_first(kRanks, [&](double share) {
        const double hot = labels < slots ? hot_probability(share) : 0;
        inputs += hot * share;
        labels += hot;
      });
      return inputs;
    }
    default:
      return 0;
  }
}

}  // namespace presort::gpu
