#include "tuner/buffer_effects.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace presort::tuner {

namespace {

// Buffers of a size make a sort by some bits take so much of what they made of one by others, or
// more.
constexpr double kLikeBuffers = 0.95;

}  // namespace

double BufferEffects::likely_ratio(uint64_t buffer_bytes, int bits) const {
  const auto far = [&](const Effect& effect) {
    const double sizes =
        static_cast<double>(effect.buffer_bytes) / static_cast<double>(buffer_bytes);
    return std::pair(std::abs(std::log2(sizes)), std::abs(effect.bits - bits));
  };
  const auto nearest =
      std::ranges::min_element(effects_, {}, [&](const Effect& effect) { return far(effect); });
  return nearest == effects_.end() ? 0 : kLikeBuffers * nearest->ratio;
}

}  // namespace presort::tuner
