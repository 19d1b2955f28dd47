// Labels of the kinds that users bring, each by a formula from a random number of its index: the
// same seed gives the same labels, on the host and on the device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/gpu/mix.h"

namespace presort::inline v0::gpu::bench {

enum class RealLabels {
  uniform,
  zipf75,   // zipf labels: rank k has a probability as k^-0.75; ranks are scattered over labels
  zipf125,  // zipf labels: rank k has a probability as k^-1.25
  equal,
  sorted,
  rmat,   // edge destinations of an R-MAT graph, quadrants 0.57, 0.19, 0.19, 0.05
  words,  // words of a text: Zipf and Mandelbrot, (k + 2.7)^-1.1
  cells,  // particles that were sorted by cell, and have moved by up to three cells since
};
inline constexpr const char* kRealLabels[] = {"uniform", "zipf:0.75", "zipf:1.25", "equal",
                                              "sorted",  "rmat",      "words",     "cells"};

// The upper 64 bits of a product.
PRESORT_HOST_DEVICE inline uint64_t high_product(uint64_t a, uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Wide>(a) * b >> 64);
#endif
}

// Draws a rank below m with a probability as (rank + 1 + shift)^-exponent, from a random number in
// [0, 1).
PRESORT_HOST_DEVICE inline uint64_t rank_by_power(double part, uint64_t m, double exponent,
                                                  double shift) {
  const double first = std::pow(1 + shift, 1 - exponent);
  const double last = std::pow(static_cast<double>(m) + 1 + shift, 1 - exponent);
  const double rank = std::pow(first + part * (last - first), 1 / (1 - exponent)) - 1 - shift;
  return std::min(static_cast<uint64_t>(std::max(rank, 0.0)), m - 1);
}

// Label i of n labels below m. Requires: i < n, m >= 1
PRESORT_HOST_DEVICE inline uint32_t real_label(uint64_t i, uint64_t n, uint64_t m, RealLabels kind,
                                               uint64_t seed) {
  const uint64_t any = mix(i ^ seed << 40);
  const double part = static_cast<double>(any >> 11) * 0x1p-53;
  const auto scattered = [&](uint64_t rank) { return mix(rank ^ seed << 20) % m; };
  const uint64_t in_order = static_cast<uint64_t>(static_cast<double>(i) / static_cast<double>(n) *
                                                  static_cast<double>(m));
  uint64_t label = 0;
  switch (kind) {
    case RealLabels::uniform:
      label = high_product(any, m);
      break;
    case RealLabels::zipf75:
      label = scattered(rank_by_power(part, m, 0.75, 0));
      break;
    case RealLabels::zipf125:
      label = scattered(rank_by_power(part, m, 1.25, 0));
      break;
    case RealLabels::equal:
      label = m / 2;
      break;
    case RealLabels::sorted:
      label = in_order;
      break;
    case RealLabels::rmat:
      for (int bit = 0; 1ull << bit < m; ++bit) {
        // R-MAT label: each bit chooses a quadrant, whose column is 1 with probability 0.19 +
        // 0.05.
        label |= static_cast<uint64_t>(mix(any + bit) % 100 < 24) << bit;
      }
      label %= m;
      break;
    case RealLabels::words:
      label = scattered(rank_by_power(part, m, 1.1, 2.7));
      break;
    case RealLabels::cells: {
      const uint64_t row = static_cast<uint64_t>(std::sqrt(static_cast<double>(m)));
      const auto moved = static_cast<int64_t>(any % 7) - 3 +
                         (static_cast<int64_t>(any / 7 % 7) - 3) * static_cast<int64_t>(row);
      label = (in_order + static_cast<uint64_t>(moved + static_cast<int64_t>(m))) % m;
      break;
    }
  }
  return static_cast<uint32_t>(std::min(label, m - 1));
}

}  // namespace presort::gpu::bench
