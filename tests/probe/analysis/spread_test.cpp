#include "presort/probe/analysis/spread.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace spread_test {

using namespace presort::probe;

TEST_CASE("two passes are told apart by Student's t with one degree of freedom") {
  // By hand, medians of two passes 10 and 12: s = sqrt(2), t(1) = 12.706, divided by sqrt(2) and by
  // the median, 11.
  CHECK(spread_of_passes({10, 12}, 11) == doctest::Approx(12.706 / 11));
  CHECK(relative_uncertainty({{0, {10}}, {1, {12}}}) == doctest::Approx(12.706 / 11));
}

TEST_CASE("ten equal slices of a pass are not ten observations") {
  const std::vector<double> low(10, 10.0);
  const std::vector<double> high(10, 12.0);
  CHECK(relative_uncertainty({{0, low}, {1, high}}) == doctest::Approx(12.706 / 11));
}

TEST_CASE("one pass is as uncertain as its slices spread") {
  CHECK(relative_uncertainty({{0, {10, 10, 10}}}) == 0);
  // By hand: the residuals' quartiles are 2 apart; one of five degrees of freedom is taken by the
  // median.
  const double deviation = 2 / 1.349 * std::sqrt(5.0 / 4);
  CHECK(relative_uncertainty({{3, {8, 9, 10, 11, 12}}}) == doctest::Approx(1.96 * deviation / 10));
}

TEST_CASE("nothing measured has no uncertainty") {
  CHECK(relative_uncertainty({}) == 0);
  CHECK(relative_uncertainty({{0, {}}}) == 0);
  CHECK(relative_uncertainty({{0, {0, 0}}, {1, {0}}}) == 0);
  CHECK(spread_of_passes({}, 1) == 0);
  CHECK(spread_of_passes({7}, 7) == 0);
  CHECK(spread_of_passes({0, 1}, 0) == 0);
}

TEST_CASE("one disturbed pass of five does not count, of four it does") {
  CHECK(spread_of_passes({10, 10, 10, 10, 90}, 10) == 0);
  CHECK(spread_of_passes({10, 10, 10, 90}, 10) > 1);
  // By hand: 9 and 11 count as 9.5 and 10.5; standard deviation s = sqrt(1 / 4), times 5 / 3;
  // Student's t(2) = 4.303.
  CHECK(spread_of_passes({9, 9.5, 10, 10.5, 11}, 10) ==
        doctest::Approx(4.303 * 0.5 * 5 / 3 / std::sqrt(5.0) / 10));
}

TEST_CASE("intervals of 95 % hold the truth in nearly all of many campaigns") {
  // Samples with two kinds of noise: 5 % between passes, shared by the slices of a pass, and 2 %
  // within a pass.
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  for (const int passes : {2, 3, 5, 9}) {
    int inside = 0;
    constexpr int kCampaigns = 2000;
    for (int campaign = 0; campaign < kCampaigns; ++campaign) {
      ValuesByPass values;
      std::vector<double> all;
      for (int pass = 0; pass < passes; ++pass) {
        const double offset = 100 + 5 * normal(generator);
        for (int slice = 0; slice < 4; ++slice) {
          values[pass].push_back(offset + 2 * normal(generator));
          all.push_back(values[pass].back());
        }
      }
      std::sort(all.begin(), all.end());
      const double median = (all[all.size() / 2] + all[all.size() / 2 - 1]) / 2;
      inside += std::abs(median - 100) <= relative_uncertainty(values) * median ? 1 : 0;
    }
    CAPTURE(passes);
    CHECK(inside > 0.93 * kCampaigns);
  }
}

}  // namespace spread_test
