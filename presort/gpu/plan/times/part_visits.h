// How long blocks that go from part to part of a pre-sort wait (gpu/device/update_parts.cuh), in closed form.
// No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// Accesses of a visit of a part that wait for the one before: the part's borders; its pairs, those behind the
// last whole pack, and those before the first; the buckets; the borders of the parts behind it.
inline constexpr int kAccessesOfVisit = 6;

// Visits of parts by blocks of an update with tables. A block has a slice of the pairs and visits each part in
// it; four slices for each block that is resident.
//   parts: parts that have pairs; table_bytes: bytes of a block's table
// Requires: n >= 1, parts >= 1, ranges >= 1
class PartVisits {
 public:
  PartVisits(const DeviceLimits& device, uint64_t n, double parts, double table_bytes, int ranges) {
    constexpr double kSlicesOfBlock = 4;
    constexpr double kSystemBytes = 1024;  // shared memory of each block that the system takes
    const auto shared = static_cast<double>(device.shared_bytes_of_multiprocessor);
    const double bytes = table_bytes + kSpareBytes + kSystemBytes;
    const double threads = bytes > shared / 2 ? 1024 : 512;
    const double fit = std::max(1.0, std::floor(shared / bytes));
    const double resident =
        device.multiprocessors * std::min(fit, device.threads_of_multiprocessor / threads);
    const double most = std::max(1.0, std::floor(resident * kSlicesOfBlock / ranges));
    const double slices = std::min(most, std::floor(static_cast<double>(n) / threads) + 1);
    const double turns = std::max(1.0, slices * ranges / resident);
    in_turn_ = turns * (1 + (parts - 1) / slices);
  }

  // Visits that follow each other at one place of a multiprocessor.
  double in_turn() const { return in_turn_; }

 private:
  double in_turn_;
};

}  // namespace presort::gpu
