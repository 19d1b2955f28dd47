// An array in device memory that the host program owns. It is freed with the object.
//   const gpu::DeviceArray<uint32_t> labels(n);   // n elements, not initialised
//   labels.copy_from(host_labels);                // waits until it is done
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "presort/core/text/units.h"
#include "presort/gpu/host/copy_to_device.h"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  // Allocates the array. Errors: EnvironmentError with the sizes when there is not enough device
  // memory
  explicit DeviceArray(size_t size) : size_(size) {
    if (size > 0 && cudaMalloc(&data_, size * sizeof(T)) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      size_t free_bytes = 0;
      size_t all_bytes = 0;
      PRESORT_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
      throw EnvironmentError("not enough memory on the device: " + format_bytes(size * sizeof(T)) +
                             " needed, " + format_bytes(free_bytes) + " free");
    }
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept
      : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }

  std::span<T> span() const { return {data_, size_}; }
  std::span<const T> read_only() const { return span(); }

  // Copies all elements of a device array from the host, or to the host. Requires: host.size() is
  // the array's size
  void copy_from(std::span<const T> host) const { copy_to_device(data_, host); }
  void copy_to(std::span<T> host) const {
    PRESORT_CUDA(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace presort::gpu
