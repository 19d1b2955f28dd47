// Ranks of a partition's tiles where many inputs have one digit (Ceilings::rank_and_sort).
#include <doctest/doctest.h>

#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/ceilings.h"
#include "presort/gpu/plan/times/largest_load.h"

namespace presort::inline v0::gpu::rank_turns_test {

TEST_CASE("lanes of the most frequent digit take turns, beyond those that meet in a bank anyway") {
  Problem problem;
  problem.n = 1 << 20;
  problem.m = 1000;
  const Ceilings at(bundled_gpus().front(), problem);
  const double usual = largest_load(32, 1);
  const double apart = at.rank_and_sort(1, 8, 0);
  CHECK(at.rank_and_sort(1, 8, 1.0 / 1024) == doctest::Approx(apart));
  CHECK(at.rank_and_sort(1, 8, usual / 32) == doctest::Approx(apart));
  for (const double share : {0.25, 0.5, 1.0}) {
    CHECK(at.rank_and_sort(1, 8, share) - apart ==
          doctest::Approx((32 * share / usual - 1) * at.shared_atomic()));
  }
}

}  // namespace presort::gpu::rank_turns_test
