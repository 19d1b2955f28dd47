// The random draws behind the label sources: distributions, binomials, zipf ranks.
#include <doctest/doctest.h>

#include <cmath>

#include "presort/core/base/random.h"
#include "presort/core/labels/alias_table.h"
#include "presort/core/labels/binomial.h"
#include "presort/core/labels/zipf.h"
#include "tests/core/labels/labels_support.h"

namespace random_draws_test {

using namespace presort;
using namespace presort::test;

namespace {

std::vector<double> binomial_expectation(uint64_t trials, double p, double draws) {
  std::vector<double> expected;
  const double n = static_cast<double>(trials);
  for (double k = 0; k <= n; ++k) {
    const double log_p = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                         k * std::log(p) + (n - k) * std::log1p(-p);
    expected.push_back(draws * std::exp(log_p));
  }
  return expected;
}

}  // namespace

TEST_CASE("binomial draws follow the binomial distribution") {
  for (const double p : {1.0 / 3, 0.4, 0.5}) {
    for (const uint64_t trials : {65, 100, 1000}) {
      CAPTURE(p);
      CAPTURE(trials);
      std::vector<double> found(trials + 1, 0);
      for (uint64_t seed = 0; seed < 200000; ++seed) {
        found.at(draw_binomial(seed, trials, p)) += 1;
      }
      CHECK(chi_square(found, binomial_expectation(trials, p, 200000)).fits());
    }
  }
}

TEST_CASE("binomial draws of very many trials keep mean and deviation") {
  for (const int power : {30, 40, 50}) {
    CAPTURE(power);
    const double n = std::ldexp(1.0, power);
    double sum = 0;
    double squares = 0;
    for (uint64_t seed = 0; seed < 4000; ++seed) {
      const double k = static_cast<double>(draw_binomial(seed, uint64_t{1} << power, 0.5));
      const double deviations = (k - n / 2) / std::sqrt(n / 4);
      sum += deviations;
      squares += deviations * deviations;
    }
    CHECK(std::abs(sum / 4000) < 4 / std::sqrt(4000.0));
    CHECK(std::abs(squares / 4000 - 1) < 4 * std::sqrt(2.0 / 4000));
  }
}

TEST_CASE("an alias table draws each index in proportion to its weight") {
  const std::vector<double> weights = {1, 0, 5, 0.25, 3, 3, 100, 1e-12};
  const AliasTable table(weights);
  std::vector<double> found(weights.size(), 0);
  for (uint64_t i = 0; i < 500000; ++i) {
    found.at(table(random_u64(1, i))) += 1;
  }
  CHECK(found[1] == 0);
  double sum = 0;
  for (const double weight : weights) {
    sum += weight;
  }
  for (size_t i = 0; i < weights.size(); ++i) {
    const double expected = 500000 * weights[i] / sum;
    CHECK(std::abs(found[i] - expected) <= 4 * std::sqrt(expected) + 0.01);
  }
}

TEST_CASE("an alias table of one index always draws it") {
  const AliasTable table({0.5});
  CHECK(table(0) == 0);
  CHECK(table(~uint64_t{0}) == 0);
}

TEST_CASE("Zipf ranks far down the tail keep their distribution") {
  // Zipf ranks drawn among 64 neighbours: from rank 2^40 on, where weights hardly differ, and from
  // rank 1000 on.
  for (const double exponent : {0.5, 1.0, 3.0, 8.0}) {
    for (const uint64_t low : {uint64_t{1000}, uint64_t{1} << 40}) {
      CAPTURE(exponent);
      CAPTURE(low);
      const ZipfRanks ranks(exponent, low, low + 64);
      std::vector<double> found(64, 0);
      std::vector<double> expected(64, 0);
      double sum = 0;
      for (size_t i = 0; i < 64; ++i) {
        expected[i] =
            std::pow(static_cast<double>(low + i + 1) / static_cast<double>(low + 1), -exponent);
        sum += expected[i];
      }
      for (double& value : expected) {
        value *= 200000 / sum;
      }
      for (uint64_t i = 0; i < 200000; ++i) {
        found.at(ranks(7, i) - low) += 1;
      }
      CHECK(chi_square(found, expected).fits());
    }
  }
}

TEST_CASE("Zipf ranks stay in the largest range") {
  const ZipfRanks ranks(0.001, 0, ~uint64_t{0});
  for (uint64_t i = 0; i < 10000; ++i) {
    CHECK(ranks(1, i) < ~uint64_t{0});
  }
}

}  // namespace random_draws_test
