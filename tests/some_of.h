// Some of the cases of a test that would take long with all of them; other ones in each run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>
#include <vector>

#include "tests/property_seed.h"

namespace presort::inline v0::test {

// Returns `count` of the elements of `all`, drawn by property_seed(), in their order; all of them if
// there are no more than `count`.
template <class Case>
std::vector<Case> some_of(const std::vector<Case>& all, size_t count) {
  std::vector<Case> drawn;
  std::mt19937_64 random(property_seed());
  std::sample(all.begin(), all.end(), std::back_inserter(drawn), static_cast<std::ptrdiff_t>(count),
              random);
  return drawn;
}

}  // namespace presort::test
