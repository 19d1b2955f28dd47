#include "presort/predict/sampling/slices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "presort/predict/sampling/jittered_slice.h"
#include "tests/sim/property.h"

namespace presort::inline v0::predict::slices_test {
namespace {

using test::between;
using test::holds;

TEST_CASE("every slice lies within the sequence") {
  holds("start + length <= n", [] {
    const auto length = between<uint64_t>(1, 10000);
    const uint64_t n = length + between<uint64_t>(0, uint64_t{1} << 40);
    RC_ASSERT(slice_start(between<uint64_t>(0, 1000), n, length) + length <= n);
  });
}

TEST_CASE("slices at random places lie within the sequence and apart") {
  holds("slices in order of their places do not overlap, and differ between seeds", [] {
    const auto length = between<uint64_t>(1, 10000);
    const uint64_t n = 65 * length + between<uint64_t>(64, uint64_t{1} << 40);
    const auto seed = between<uint64_t>(0, 1000);
    std::set<uint64_t> starts;
    bool moved = false;
    for (uint64_t k = 0; k < 63; ++k) {
      starts.insert(jittered_slice_start(k, n, length, seed));
      moved |=
          jittered_slice_start(k, n, length, seed) != jittered_slice_start(k, n, length, seed + 1);
    }
    RC_ASSERT(starts.size() == 63U);
    RC_ASSERT(*starts.rbegin() + length <= n);
    for (auto at = starts.begin(); std::next(at) != starts.end(); ++at) {
      RC_ASSERT(*at + length <= *std::next(at));
    }
    RC_ASSERT(moved || (n - length) / 64 <= length);
  });
}

TEST_CASE("slices at random places, of a sequence that is hardly longer than one") {
  for (const uint64_t n : {uint64_t{8192}, uint64_t{8193}, uint64_t{8192 + 63}}) {
    for (uint64_t k = 0; k < 63; ++k) {
      CHECK(jittered_slice_start(k, n, 8192, 1) + 8192 <= n);
    }
  }
}

TEST_CASE("slices at random places are anywhere in their cell") {
  constexpr uint64_t kN = (1 << 20) + 1024;
  constexpr uint64_t kCell = (1 << 20) / 64;
  uint64_t least = kN;
  uint64_t most = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const uint64_t shift = jittered_slice_start(0, kN, 1024, seed) - slice_start(0, kN, 1024);
    least = std::min(least, shift);
    most = std::max(most, shift);
  }
  CHECK(least < kCell / 50);
  CHECK(most > kCell - 1024 - kCell / 50);
  CHECK(most <= kCell - 1024);
}

TEST_CASE("slices halve the widest gap in turn") {
  constexpr uint64_t kN = 1 << 20;
  CHECK(slice_start(0, kN, 0) == kN / 2);
  CHECK(slice_start(1, kN, 0) == kN / 4);
  CHECK(slice_start(2, kN, 0) == 3 * kN / 4);
  CHECK(slice_start(3, kN, 0) == kN / 8);
}

TEST_CASE("any number of slices covers the whole evenly") {
  constexpr uint64_t kN = 1 << 20;
  std::set<uint64_t> starts = {0, kN};
  for (uint64_t k = 0; k < 64; ++k) {
    starts.insert(slice_start(k, kN, 0));
    CHECK(starts.size() == k + 3);  // all slices have different starts
    uint64_t widest = 0;
    for (auto at = starts.begin(); std::next(at) != starts.end(); ++at) {
      widest = std::max(widest, *std::next(at) - *at);
    }
    CHECK(widest <= 2 * kN / (k + 2));
  }
}

TEST_CASE("geometric strata cover every input once, each at most twice what precedes it") {
  for (const uint64_t n :
       {uint64_t{1}, kSliceItems / 2, kSliceItems / 2 + 1, kSliceItems * 100, uint64_t{1} << 36}) {
    const auto strata = geometric_strata(n);
    uint64_t at = 0;
    for (const Interval& stratum : strata) {
      CHECK(stratum.first == at);
      CHECK(stratum.last > stratum.first);
      CHECK(stratum.last <= std::max(2 * at, kSliceItems / 2));
      at = stratum.last;
    }
    CHECK(at == n);
  }
  CHECK(geometric_strata(0).empty());
  CHECK(geometric_strata(uint64_t{1} << 36).size() == 25);  // 25 strata: 2^12 · 2^24 = 2^36
}

}  // namespace
}  // namespace presort::predict::slices_test
