// Shared by the tests of the GPU kernels: arrays in device memory, random labels, and plain loops.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "presort/core/monoid.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/gpu/host/copy_to_device.h"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu::test {

// An array in device memory, `skip` elements behind an aligned address.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& host, size_t skip = 0)
      : size_(host.size()), skip_(skip) {
    PRESORT_CUDA(cudaMalloc(&memory_, (size_ + skip_) * sizeof(T) + 64));
    copy_to_device(memory_ + skip_, std::span<const T>(host));
  }
  ~DeviceArray() { cudaFree(memory_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  std::span<T> span() const { return {memory_ + skip_, size_}; }
  std::span<const T> read_only() const { return span(); }
  std::vector<T> host() const {
    std::vector<T> copy(size_);
    PRESORT_CUDA(
        cudaMemcpy(copy.data(), memory_ + skip_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  size_t size_;
  size_t skip_;
  T* memory_ = nullptr;
};

// Kinds of labels; `skewed` has a third of the inputs in one bucket.
enum class Kind { uniform, degenerate, sorted, few, skewed };
inline constexpr Kind kKinds[] = {Kind::uniform, Kind::degenerate, Kind::sorted, Kind::few,
                                  Kind::skewed};

template <class Label>
std::vector<Label> make_labels(Kind kind, size_t n, uint64_t m, std::mt19937_64& random) {
  std::vector<Label> labels(n);
  for (size_t i = 0; i < n; ++i) {
    const uint64_t any = random() % m;
    const uint64_t label = kind == Kind::uniform      ? any
                           : kind == Kind::degenerate ? m / 2
                           : kind == Kind::sorted     ? i * m / n
                           : kind == Kind::skewed     ? (any % 3 == 0 ? m / 3 : random() % m)
                                                      : any % 3 % m;
    labels[i] = static_cast<Label>(label);
  }
  return labels;
}

// Small whole numbers: sums of them are exact in every type and order.
template <class Value>
std::vector<Value> make_values(size_t n, std::mt19937_64& random) {
  std::vector<Value> values(n);
  for (Value& value : values) {
    value = static_cast<Value>(random() % 16);
  }
  return values;
}

// Scratch memory filled with a pattern, so that kernels which rely on zeros fail.
inline std::vector<std::byte> poison(size_t bytes) {
  return std::vector<std::byte>(bytes, std::byte{0xa5});
}

}  // namespace presort::gpu::test
