// Fills large arrays of the host by all its cores, slice by slice. No CUDA types.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace presort::inline v0::gpu {

// Calls fill(first, count) for slices that cover [0, n), each by a thread of its own; a small n is
// one slice. Requires: fill may be called by several threads at once and throws nothing
template <class Fill>
void in_slices(uint64_t n, const Fill& fill) {
  constexpr uint64_t kLeast = uint64_t{1} << 16;  // elements that a thread is worth
  const uint64_t threads =
      std::clamp<uint64_t>(n / kLeast, 1, std::max(1U, std::thread::hardware_concurrency()));
  const uint64_t slice = (n + threads - 1) / threads;
  std::vector<std::jthread> others;
  for (uint64_t first = slice; first < n; first += slice) {
    others.emplace_back([&fill, first, count = std::min(slice, n - first)] { fill(first, count); });
  }
  fill(0, std::min(slice, n));
}

}  // namespace presort::gpu
