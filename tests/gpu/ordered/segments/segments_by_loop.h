// Sums of segments by a plain loop.
#pragma once

#include <cstdint>
#include <vector>

namespace presort::inline v0::gpu::test {

// ⊙ of values[offsets[s] .. offsets[s + 1]) for each segment s, from left to right.
// Requires: offsets that do not decrease, the last of them at most the number of values
template <class Value, class M>
std::vector<Value> by_loop(const std::vector<Value>& values, const std::vector<uint32_t>& offsets,
                           const M& monoid) {
  std::vector<Value> results;
  for (size_t s = 0; s + 1 < offsets.size(); ++s) {
    Value sum = monoid.identity();
    for (uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      sum = monoid(sum, values[i]);
    }
    results.push_back(sum);
  }
  return results;
}

}  // namespace presort::gpu::test
