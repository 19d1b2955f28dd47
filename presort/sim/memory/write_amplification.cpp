#include "presort/sim/memory/write_amplification.h"

#include <algorithm>

namespace presort::inline v0::sim {

// Let a block hold N units, and u be the live ones per place, 1 / (1 + over_provisioning). A write
// kills a unit that is equally likely to be any live one, so blocks fall from j to j - 1 live units
// at a rate proportional to j times their number x_j. In the balance every block passes each of the
// levels N ... k + 2 at the same rate f: x_j = f / j. It is collected when it has k or k + 1 live
// units; those at k are collected at once (x_k = 0), and x = x_{k+1} lies between 0 (all are
// collected there) and f / (k + 1) (all pass on to k). Blocks and live units are conserved:
//   x + f (H_N - H_{k+1}) = 1,   (k + 1) x + f (N - k - 1) = N u,   H: the harmonic numbers.
// The part (k + 1) x / f of the blocks collected has k live units to copy, the rest k + 1.
double write_amplification(double over_provisioning, uint64_t units_per_block) {
  const auto n = static_cast<double>(units_per_block);
  const double live = n / (1 + over_provisioning);
  double harmonic = 0;  // sum of 1/j over the levels passed: H_N - H_{level}
  double part = 0;
  double level = n;  // k + 1, a number of live units in a block
  // Goes down from full blocks to the first level of live units where x >= 0 balances.
  for (; level >= 1; --level) {
    const double f = (live - level) / ((n - level) - level * harmonic);
    const double x = 1 - f * harmonic;
    part = level * x / f;
    if (level < n && f > 0 && part >= 0 && part <= 1 + 1e-9) {
      return n / (n - level + std::min(part, 1.0));
    }
    harmonic += 1 / level;
  }
  return 1;  // no level balances: every block is empty before it is collected
}

}  // namespace presort::sim
