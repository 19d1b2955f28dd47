#include "presort/core/labels/permutation.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <vector>

namespace permutation_test {

using namespace presort;

TEST_CASE("a permutation sends every element to another place, once") {
  for (const uint64_t size : {1, 2, 3, 4, 5, 63, 64, 65, 1000, 4095, 4096, 4097, 1048577}) {
    CAPTURE(size);
    const Permutation permutation(size, 7);
    std::vector<bool> hit(size, false);
    bool is_bijection = true;
    for (uint64_t x = 0; x < size; ++x) {
      const uint64_t y = permutation(x);
      is_bijection = is_bijection && y < size && !hit[y] && permutation.inverse(y) == x;
      if (y < size) {
        hit[y] = true;
      }
    }
    CHECK(is_bijection);
  }
}

TEST_CASE("the inverse takes back any permutation of any size") {
  CHECK(rc::check("round trip", [](uint64_t key) {
    const uint64_t size = *rc::gen::suchThat<uint64_t>([](uint64_t s) { return s > 0; })
                          << *rc::gen::inRange(0, 50);
    RC_PRE(size > 0);
    const uint64_t x = *rc::gen::arbitrary<uint64_t>() % size;
    const Permutation permutation(size, key);
    const uint64_t y = permutation(x);
    RC_ASSERT(y < size);
    RC_ASSERT(permutation.inverse(y) == x);
    RC_ASSERT(permutation.inverse(x) < size);
    RC_ASSERT(permutation(permutation.inverse(x)) == x);
  }));
}

TEST_CASE("the largest sizes work") {
  for (const uint64_t size : {~uint64_t{0}, uint64_t{1} << 63, (uint64_t{1} << 62) + 1}) {
    const Permutation permutation(size, 3);
    for (const uint64_t x : {uint64_t{0}, uint64_t{1}, size / 2, size - 2, size - 1}) {
      CHECK(permutation(x) < size);
      CHECK(permutation.inverse(permutation(x)) == x);
    }
  }
}

TEST_CASE("keys give different permutations") {
  const Permutation a(1000, 1);
  const Permutation b(1000, 2);
  int same = 0;
  for (uint64_t x = 0; x < 1000; ++x) {
    same += a(x) == b(x) ? 1 : 0;
  }
  CHECK(same < 10);  // fixed points; by chance one is expected
}

TEST_CASE("neighbours are scattered evenly") {
  // Evenness test: 4096 consecutive elements of 2^20 in 64 bins, chi-square with 63 degrees of freedom.
  const Permutation permutation(1 << 20, 11);
  std::vector<double> bins(64, 0);
  for (uint64_t x = 0; x < 4096; ++x) {
    bins[permutation(x) >> 14] += 1;
  }
  double chi_square = 0;
  for (const double count : bins) {
    chi_square += (count - 64) * (count - 64) / 64;
  }
  CHECK(chi_square > 30);   // a sum below 30 would be suspiciously even
  CHECK(chi_square < 108);  // by chance, one sum in 3000 exceeds 108
}

}  // namespace permutation_test
