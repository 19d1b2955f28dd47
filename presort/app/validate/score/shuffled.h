// The random order in which a round of runs times its points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::app {

// A random permutation of [0, count), a new one for each value of `counter`.
inline std::vector<size_t> shuffled(size_t count, uint64_t seed, uint64_t& counter) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[bounded(random_u64(seed, counter++), i)]);
  }
  return order;
}

}  // namespace presort::app
