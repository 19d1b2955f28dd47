// Arrays that are cut into shares, one on each device, for tests of several devices.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "presort/gpu/devices/ranges.cuh"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::test {

// Arrays of one operand, one on each device.
template <class T>
class SharedArrays {
 public:
  SharedArrays(const Devices& devices, const std::vector<std::vector<T>>& host) {
    for (size_t d = 0; d < devices.size(); ++d) {
      devices.on(d, [&] { arrays_.push_back(std::make_unique<DeviceArray<T>>(host[d])); });
    }
  }
  Shares<T> shares() const {
    Shares<T> shares;
    for (const auto& array : arrays_) {
      shares.push_back(array->span());
    }
    return shares;
  }
  // All elements, those of device 0 first.
  std::vector<T> host() const {
    std::vector<T> all;
    for (const auto& array : arrays_) {
      const auto own = array->host();
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

 private:
  std::vector<std::unique_ptr<DeviceArray<T>>> arrays_;
};

// Groups of devices that the tests use: the first device once, twice and three times, all devices,
// and all in reverse order.
inline std::vector<std::vector<int>> groups() {
  int found = 0;
  PRESORT_CUDA(cudaGetDeviceCount(&found));
  std::vector<std::vector<int>> groups = {{0}, {0, 0, 0}, {0, 0}};
  if (found > 1) {
    groups.push_back(Devices::first(found));
    groups.push_back({groups.back().rbegin(), groups.back().rend()});
  }
  return groups;
}

// Cuts an array into shares of these sizes.
template <class T>
std::vector<std::vector<T>> cut(const std::vector<T>& all, size_t devices,
                                const std::vector<uint64_t>& sizes) {
  std::vector<std::vector<T>> shares;
  size_t at = 0;
  for (size_t d = 0; d < devices; ++d) {
    shares.emplace_back(all.begin() + at, all.begin() + at + sizes[d]);
    at += sizes[d];
  }
  return shares;
}

inline std::vector<uint64_t> random_sizes(uint64_t all, size_t devices, std::mt19937_64& random) {
  std::vector<uint64_t> sizes;
  for (size_t d = 0; d + 1 < devices; ++d) {
    const uint64_t one = random() % 4 == 0 ? 0 : random() % (all + 1);
    sizes.push_back(one);
    all -= one;
  }
  sizes.push_back(all);
  return sizes;
}

// Where two arrays differ first, and how often; empty for equal ones.
template <class T>
std::string difference(const std::vector<T>& found, const std::vector<T>& expected) {
  size_t first = expected.size();
  size_t count = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!(found.at(i) == expected[i])) {
      first = std::min(first, i);
      ++count;
    }
  }
  return count == 0 ? ""
                    : "[" + std::to_string(first) + "]: found " + std::to_string(found[first]) +
                          ", expected " + std::to_string(expected[first]) + "; " +
                          std::to_string(count) + " differ";
}

}  // namespace presort::gpu::test
