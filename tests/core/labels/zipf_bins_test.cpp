// Zipf ranks drawn by bins (core/labels/zipf_bins.h), beside the frequencies of their law.
#include "presort/core/labels/zipf_bins.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::zipf_bins_test {
namespace {

// Oracle: the law itself, rank by rank.
std::vector<double> frequencies(double exponent, uint64_t m, double shift) {
  std::vector<double> each(m);
  double all = 0;
  for (uint64_t rank = 0; rank < m; ++rank) {
    each[rank] = std::pow(static_cast<double>(rank + 1) + shift, -exponent);
    all += each[rank];
  }
  for (double& one : each) {
    one /= all;
  }
  return each;
}

}  // namespace

TEST_CASE("ranks are as frequent as their law says, one by one and by bins") {
  constexpr uint64_t kDraws = 1 << 20;
  for (const double exponent : {0.5, 1.0, 1.25, 2.0}) {
    for (const double shift : {0.0, 2.7}) {
      for (const uint64_t m : {1, 2, 3, 1023, 1024, 1025, 1034, 1035, 100000}) {
        CAPTURE(exponent);
        CAPTURE(shift);
        CAPTURE(m);
        const ZipfBins draw(exponent, m, shift);
        std::vector<uint64_t> count(m);
        for (uint64_t i = 0; i < kDraws; ++i) {
          const uint64_t rank = draw(random_u64(m, i));
          REQUIRE(rank < m);
          ++count[rank];
        }
        // Groups of ranks that a power of two begins: within five standard deviations, and what
        // bins of equal frequency are off
        const std::vector<double> expected = frequencies(exponent, m, shift);
        for (uint64_t first = 0; first < m; first = 2 * first + 1) {
          double share = 0;
          double found = 0;
          for (uint64_t rank = first; rank < std::min(m, 2 * first + 1); ++rank) {
            share += expected[rank];
            found += static_cast<double>(count[rank]);
          }
          const double mean = share * kDraws;
          CHECK(std::abs(found - mean) <= 5 * std::sqrt(mean + 1) + 0.002 * mean);
        }
      }
    }
  }
}

TEST_CASE("bins of many ranks are narrow, and end at the last rank") {
  for (const uint64_t m : {uint64_t{1024}, uint64_t{1025}, uint64_t{1} << 28, ~uint64_t{0}}) {
    const ZipfBins draw(1, m);
    CHECK(draw.begins().front() == 0);
    CHECK(draw.begins().back() == m);
    for (size_t i = 0; i + 1 < draw.begins().size(); ++i) {
      const uint64_t first = draw.begins()[i];
      const uint64_t width = draw.begins()[i + 1] - first;
      CHECK(width >= 1);
      CHECK(static_cast<double>(width) <= std::max(1.0, 0.0105 * static_cast<double>(first)));
    }
  }
}

}  // namespace presort::zipf_bins_test
