#include "presort/core/base/divisor.h"

#include <doctest/doctest.h>

#include <initializer_list>

#include "presort/core/base/random.h"

namespace presort::inline v0::divisor_test {
namespace {

void check(uint64_t value, uint64_t number) {
  const Divisor divisor(value);
  if (divisor.quotient(number) != number / value || divisor.remainder(number) != number % value) {
    FAIL_CHECK(number << " / " << value);
  }
}

// Checks division of the least and greatest numbers, those around multiples of the divisor, and
// random ones.
void check_around(uint64_t value, uint64_t seed) {
  const uint64_t multiple = value * (random_u64(seed, 0) % 1000);
  for (const uint64_t number :
       {uint64_t{0}, uint64_t{1}, value - 1, value, value + 1, multiple - 1, multiple, ~uint64_t{0},
        ~uint64_t{0} - value, random_u64(seed, 1), random_u64(seed, 2) >> (seed % 64)}) {
    check(value, number);
  }
}

TEST_CASE("quotients and remainders are those of the processor's division") {
  for (uint64_t value = 1; value < 3000; ++value) {
    check_around(value, value);
  }
  for (int bit = 1; bit < 64; ++bit) {
    for (const uint64_t more : {~uint64_t{0}, uint64_t{0}, uint64_t{1}}) {
      check_around((uint64_t{1} << bit) + more, static_cast<uint64_t>(bit));
    }
  }
  for (uint64_t seed = 0; seed < 100000; ++seed) {
    check_around((random_u64(9, seed) >> (seed % 64)) | 1, seed);
  }
  check_around(~uint64_t{0}, 1);
}

}  // namespace
}  // namespace presort::divisor_test
