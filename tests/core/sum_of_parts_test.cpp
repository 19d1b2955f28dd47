// Tests sums of values in parts: each part by itself, on the host.
#include "presort/core/sum_of_parts.h"

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>

#include "presort/core/monoid.h"

namespace presort::inline v0::sum_of_parts_test {
namespace {

struct Two {
  uint64_t a;
  uint64_t b;
  bool operator==(const Two&) const = default;
};

using Sums = SumOfParts<Two, uint64_t>;
static_assert(Monoid<Sums, Two>);
static_assert(Sums::kParts == 2 && Sums::is_associative && Sums::is_commutative);
static_assert(!SumOfParts<std::complex<float>, float>::is_associative);
static_assert(Sums{}({1, 2}, {3, 4}) == Two{4, 6});

}  // namespace

TEST_CASE("parts are summed by themselves, and wrap by themselves") {
  std::mt19937_64 random(20261126);
  const Sums sums;
  for (int round = 0; round < 1000; ++round) {
    const Two x{random(), random()};
    const Two y{random(), random()};
    CHECK((sums(x, y) == Two{x.a + y.a, x.b + y.b}));
    CHECK((sums(x, sums.identity()) == x));
    CHECK((sums(sums.identity(), x) == x));
  }
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  CHECK((sums({most, 0}, {1, 0}) == Two{0, 0}));
}

TEST_CASE("small parts and floats are parts too") {
  const SumOfParts<std::array<uint8_t, 3>, uint8_t> bytes;
  CHECK((bytes({250, 1, 2}, {10, 1, 1}) == std::array<uint8_t, 3>{4, 2, 3}));
  const SumOfParts<std::complex<double>, double> complex_sums;
  CHECK((complex_sums({1, 2}, {0.5, -2}) == std::complex<double>(1.5, 0)));
  CHECK((complex_sums.identity() == std::complex<double>(0, 0)));
}

}  // namespace presort::sum_of_parts_test
