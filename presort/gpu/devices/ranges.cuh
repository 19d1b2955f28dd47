// Which device owns which buckets: device d has as many as its share holds, behind those of the
// devices before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "presort/gpu/devices/devices.cuh"

namespace presort::inline v0::gpu {

// Ranges of buckets, as kernels take them: device d owns buckets [begins[d], begins[d + 1]).
struct BucketRanges {
  uint64_t begins[kMostDevices + 1] = {};
  int devices = 0;

  uint64_t all() const { return begins[devices]; }
  uint64_t size(size_t d) const { return begins[d + 1] - begins[d]; }
  // The first bucket of device d.
  __device__ uint64_t first(int d) const { return begins[d]; }
  // The device that owns bucket k. Requires: k < all()
  __device__ int owner(uint64_t k) const {
    int d = 0;
    while (d + 1 < devices && k >= begins[d + 1]) {
      ++d;
    }
    return d;
  }
};

template <class T>
BucketRanges ranges_of_shares(const Shares<T>& buckets) {
  BucketRanges ranges;
  ranges.devices = static_cast<int>(buckets.size());
  for (size_t d = 0; d < buckets.size(); ++d) {
    ranges.begins[d + 1] = ranges.begins[d] + buckets[d].size();
  }
  return ranges;
}

// Buckets of each device when m buckets are shared evenly: all have as many but the last ones. A
// range is a whole number of parts of a pre-sort where m is 2^b times the number of devices.
inline std::vector<uint64_t> even_ranges(uint64_t m, size_t devices) {
  const uint64_t most = (m + devices - 1) / devices;
  std::vector<uint64_t> sizes(devices);
  for (size_t d = 0; d < devices; ++d) {
    const uint64_t begin = std::min(m, d * most);
    sizes[d] = std::min(m, begin + most) - begin;
  }
  return sizes;
}

// The addresses of one array of each device, as kernels take them.
template <class T>
struct Addresses {
  T* of[kMostDevices] = {};
};

template <class T>
Addresses<T> addresses_of(const Shares<T>& shares) {
  Addresses<T> addresses;
  for (size_t d = 0; d < shares.size(); ++d) {
    addresses.of[d] = shares[d].data();
  }
  return addresses;
}

}  // namespace presort::gpu
