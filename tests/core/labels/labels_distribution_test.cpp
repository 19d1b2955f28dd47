// Each distribution of labels against its formula, at fixed seeds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "presort/core/labels/zipf.h"
#include "tests/core/labels/labels_support.h"

namespace labels_distribution_test {

using namespace presort;
using namespace presort::test;

namespace {

std::vector<double> zipf_expectation(double exponent, uint64_t m, double n) {
  std::vector<double> expected(m);
  for (uint64_t r = 0; r < m; ++r) {
    expected[r] = std::pow(static_cast<double>(r + 1), -exponent);
  }
  const double mass = std::accumulate(expected.begin(), expected.end(), 0.0);
  for (double& value : expected) {
    value *= n / mass;
  }
  return expected;
}

}  // namespace

TEST_CASE("uniform labels are equally likely") {
  for (const uint64_t m : {64, 1000, 4097}) {
    CAPTURE(m);
    const auto labels = all_of(*labels_of("uniform", 200000, m));
    const std::vector<double> expected(m, 200000.0 / static_cast<double>(m));
    CHECK(chi_square(frequencies(labels, m), expected).fits());
  }
}

TEST_CASE("contiguous Zipf labels follow (r + 1)^-S") {
  for (const char* exponent : {"0.25", "0.5", "0.995", "1", "1.005", "1.25", "2", "5", "8"}) {
    CAPTURE(exponent);
    const auto labels =
        all_of(*labels_of(std::string("zipf-contiguous:") + exponent, 300000, 5000));
    const auto expected = zipf_expectation(std::stod(exponent), 5000, 300000);
    const ChiSquare found = chi_square(frequencies(labels, 5000), expected);
    CAPTURE(found.per_degree);
    CHECK(found.fits());
  }
}

TEST_CASE("scattered Zipf labels have the same frequencies at other places") {
  const auto labels = all_of(*labels_of("zipf:1", 300000, 5000));
  auto counts = frequencies(labels, 5000);
  const auto by_place = counts;
  std::ranges::sort(counts, std::greater<>());
  const auto expected = zipf_expectation(1, 5000, 300000);
  for (size_t rank = 0; rank < 10; ++rank) {
    CHECK(std::abs(counts[rank] - expected[rank]) < 5 * std::sqrt(expected[rank]));
  }
  // Scattered zipf labels: the most popular half of the labels is not the lower half.
  const double lower = std::accumulate(by_place.begin(), by_place.begin() + 2500, 0.0);
  CHECK(lower < 0.85 * 300000);  // share of the lower half; without scattering 0.92
}

TEST_CASE("which label is popular does not depend on the seed") {
  const auto popular = [](uint64_t seed) {
    const auto counts = frequencies(all_of(*labels_of("zipf:1.25", 20000, 1000, seed)), 1000);
    return std::ranges::max_element(counts) - counts.begin();
  };
  CHECK(popular(1) == popular(2));
}

TEST_CASE("the mass of a range of ranks is the sum of its weights") {
  for (const double exponent : {0.3, 1.0, 1.5, 4.0}) {
    for (const auto& [low, high] : {std::pair{0, 10}, {0, 100000}, {63, 65}, {500, 20000}}) {
      double sum = 0;
      for (int r = low; r < high; ++r) {
        sum += std::pow(r + 1.0, -exponent);
      }
      CHECK(zipf_mass(exponent, static_cast<uint64_t>(low), static_cast<uint64_t>(high)) ==
            doctest::Approx(sum).epsilon(1e-11));
    }
  }
}

TEST_CASE("clusters: runs of mean length K in aligned windows of 64, every label equally likely") {
  const uint64_t m = 64 * 100 + 8;  // 101 windows, of which the last is short
  const uint64_t n = 400000;
  const auto labels = all_of(*labels_of("clustered:16", n, m));
  uint64_t windows = 1;
  for (size_t i = 1; i < labels.size(); ++i) {
    windows += labels[i] / 64 != labels[i - 1] / 64 ? 1 : 0;
  }
  // One time in about 100 the next run of labels has the same window as the one before.
  CHECK(static_cast<double>(n) / static_cast<double>(windows) ==
        doctest::Approx(16 / 0.99).epsilon(0.02));
  std::vector<double> by_window(101, 0);
  std::vector<double> by_offset(64, 0);
  for (const uint64_t label : labels) {
    by_window[label / 64] += 1;
    by_offset[label % 64] += label < 6400 ? 1 : 0;
  }
  CHECK(by_window[100] / by_window[0] == doctest::Approx(8.0 / 64).epsilon(0.4));
  CHECK(chi_square(
            by_offset,
            std::vector<double>(64, std::accumulate(by_offset.begin(), by_offset.end(), 0.0) / 64))
            .fits());
}

TEST_CASE("clusters of length 1 are uniform labels") {
  const auto labels = all_of(*labels_of("clustered:1", 200000, 1000));
  CHECK(chi_square(frequencies(labels, 1000), std::vector<double>(1000, 200)).fits());
}

TEST_CASE("sequential labels are i m / n") {
  for (const uint64_t m : {1, 7, 1000, 3001}) {
    for (const uint64_t n : {1, 6, 1000, 2999}) {
      const auto labels = all_of(*labels_of("sequential", n, m));
      bool all_equal = true;
      for (uint64_t i = 0; i < n; ++i) {
        all_equal = all_equal && labels[i] == i * m / n;
      }
      CHECK(all_equal);
    }
  }
  const uint64_t huge = uint64_t{1} << 62;
  CHECK(slice(*labels_of("sequential", huge, huge + huge / 2), huge - 2, 2) ==
        std::vector<uint64_t>{huge + huge / 2 - 3, huge + huge / 2 - 2});
}

TEST_CASE("sorted labels are sorted and uniform") {
  for (const uint64_t m : {2, 64, 1000, 1 << 20}) {
    CAPTURE(m);
    const uint64_t n = 200000;
    const auto labels = all_of(*labels_of("sorted", n, m));
    CHECK(std::ranges::is_sorted(labels));
    const uint64_t bins = std::min<uint64_t>(m, 1000);
    std::vector<double> counts(bins, 0);
    std::vector<double> expected(bins, 0);
    for (uint64_t label = 0; label < m; ++label) {
      expected[label * bins / m] += static_cast<double>(n) / static_cast<double>(m);
    }
    for (const uint64_t label : labels) {
      counts[label * bins / m] += 1;
    }
    if (m > 2) {
      CHECK(chi_square(counts, expected).fits());
    } else {
      CHECK(std::abs(counts[0] - 100000) < 4 * std::sqrt(n / 4.0));
    }
  }
}

TEST_CASE("the halves of sorted labels are binomial over seeds") {
  // Number of sorted labels of 10000 that lie below m/2: mean n/2 and variance n/4 over 2000 seeds.
  double sum = 0;
  double squares = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const auto lower = labels_of("sorted", 10000, 1 << 16, seed)->restricted(0, 1 << 15);
    const double deviation = static_cast<double>(lower->size()) - 5000;
    sum += deviation;
    squares += deviation * deviation;
  }
  CHECK(std::abs(sum / 2000) < 4 * std::sqrt(2500.0 / 2000));
  CHECK(squares / 2000 == doctest::Approx(2500).epsilon(4 * std::sqrt(2.0 / 2000)));
}

TEST_CASE("each epoch of a permutation holds every label once, and epochs differ") {
  for (const uint64_t m : {1, 2, 65, 1000}) {
    CAPTURE(m);
    const auto source = labels_of("permutation", 3 * m + m / 2, m);
    std::set<std::vector<uint64_t>> epochs;
    for (uint64_t epoch = 0; epoch < 3; ++epoch) {
      auto labels = slice(*source, epoch * m, m);
      epochs.insert(labels);
      std::ranges::sort(labels);
      std::vector<uint64_t> every(m);
      std::iota(every.begin(), every.end(), uint64_t{0});
      CHECK(labels == every);
    }
    CHECK((m <= 2 || epochs.size() == 3));
  }
}

TEST_CASE("degenerate labels are all m / 2") {
  for (const uint64_t m : {1, 2, 3, 1000}) {
    CHECK(all_of(*labels_of("degenerate", 10, m)) == std::vector<uint64_t>(10, m / 2));
  }
}

}  // namespace labels_distribution_test
