// How many groups a group-by has, guessed from a sample of its keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace presort::inline v0 {

// The findings of a sample of the keys.
struct KeySample {
  uint64_t sampled = 0;    // keys drawn
  uint64_t different = 0;  // different keys among them
  uint64_t once = 0;       // keys that were drawn once
};

// The number of different keys of n inputs, from a sample: the larger of two guesses. One is right for
// keys that are all as frequent: `different` = g (1 − e^(−sampled / g)). The other one scales the
// keys that were drawn once by √(n / sampled) (Charikar et al. 2000, "Towards estimation error guarantees
// for distinct values"), and is within a factor of √(n / sampled) for any keys.
inline double estimated_groups(uint64_t n, const KeySample& sample) {
  const auto inputs = static_cast<double>(n);
  const auto sampled = static_cast<double>(sample.sampled);
  const auto different = static_cast<double>(sample.different);
  if (sample.sampled >= n || sample.sampled == 0) {
    return different;
  }
  double low = different;
  double high = inputs;
  constexpr int kSteps = 60;  // halvings of the range between `different` and n
  for (int i = 0; i < kSteps; ++i) {
    const double middle = std::sqrt(low * high);
    (-middle * std::expm1(-sampled / middle) < different ? low : high) = middle;
  }
  const auto once = static_cast<double>(sample.once);
  const double scaled = std::sqrt(inputs / sampled) * once + different - once;
  return std::min(inputs, std::max(low, scaled));
}

}  // namespace presort
