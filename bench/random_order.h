// Numbers from 0 in random order, each once; the same in every run.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::bench {

// The numbers 0 to count - 1 in random order. Requires: count >= 1
inline std::vector<uint32_t> random_order(uint64_t count) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (uint64_t i = count - 1; i > 0; --i) {
    std::swap(order[i], order[bounded(random_u64(1, i), i + 1)]);
  }
  return order;
}

}  // namespace presort::bench
