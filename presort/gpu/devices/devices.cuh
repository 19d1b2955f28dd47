// GPUs of one host that work together: a stream on each, and memory that all of them reach.
//   const gpu::Devices devices({0, 1});
//   gpu::multireduce(devices, labels, values, buckets);   // gpu/devices/multireduce.cuh
//   devices.synchronize();
// Arrays:   the array of device d lies in memory of that device, which others reach if it comes
//           from cudaMalloc; that of a memory pool needs cudaMemPoolSetAccess
// Errors:   EnvironmentError as check_devices (gpu/plan/devices/peers.h), and of a call that fails
//           on a device, which begins with the device's number
// Thread:   one host thread at a time
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/current_device.h"
#include "presort/gpu/plan/devices/peers.h"
#include "presort/gpu/workspace.cuh"

namespace presort::inline v0::gpu {

class Devices {
 public:
  explicit Devices(std::vector<int> numbers, Repeats repeats = Repeats::refused)
      : numbers_(std::move(numbers)), first_(current()) {
    require_device();
    int found = 0;
    PRESORT_CUDA(cudaGetDeviceCount(&found));
    const auto reaches = [](int device, int peer) {
      int can = 0;
      PRESORT_CUDA(cudaDeviceCanAccessPeer(&can, device, peer));
      return can != 0;
    };
    check_devices(numbers_, found, reaches, repeats);
    streams_.resize(size());
    marks_.resize(size());
    for (size_t d = 0; d < size(); ++d) {
      on(d, [&] { open(d); });
    }
  }
  ~Devices() {
    for (size_t d = 0; d < size(); ++d) {
      cudaSetDevice(numbers_[d]);
      cudaStreamSynchronize(streams_[d]);
      cudaEventDestroy(marks_[d]);
      cudaStreamDestroy(streams_[d]);
    }
    cudaSetDevice(first_);
  }
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  // Devices 0 to count - 1 of this host.
  static std::vector<int> first(int count) {
    std::vector<int> numbers(static_cast<size_t>(count > 0 ? count : 0));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  size_t size() const { return numbers_.size(); }
  int number(size_t d) const { return numbers_[d]; }
  // Stream of device d, on which its part of every operation runs.
  cudaStream_t stream(size_t d) const { return streams_[d]; }

  // Runs host code with device d as the current one.
  template <class Work>
  void on(size_t d, const Work& work) const {
    const int before = current();
    try {
      PRESORT_CUDA(cudaSetDevice(numbers_[d]));
      work();
    } catch (const EnvironmentError& error) {
      cudaSetDevice(before);
      throw EnvironmentError("device " + std::to_string(numbers_[d]) + ": " + error.what());
    } catch (...) {
      cudaSetDevice(before);
      throw;
    }
    PRESORT_CUDA(cudaSetDevice(before));
  }

  // Marks what stream d has to do until now; wait_for(e, d) makes stream e wait for that.
  void mark(size_t d) const {
    on(d, [&] { PRESORT_CUDA(cudaEventRecord(marks_[d], streams_[d])); });
  }
  void wait_for(size_t d, size_t other) const {
    if (d != other) {
      on(d, [&] { PRESORT_CUDA(cudaStreamWaitEvent(streams_[d], marks_[other])); });
    }
  }

  // Makes what comes next on any stream wait for what all streams have to do until now.
  void meet() const {
    for (size_t d = 0; d < size(); ++d) {
      mark(d);
    }
    for (size_t d = 0; d < size(); ++d) {
      for (size_t other = 0; other < size(); ++other) {
        wait_for(d, other);
      }
    }
  }

  // Makes what comes next on any stream wait for what all streams of `before`, which has the same
  // devices, have to do until now.
  void follow(const Devices& before) const {
    for (size_t d = 0; d < size(); ++d) {
      before.mark(d);
    }
    for (size_t d = 0; d < size(); ++d) {
      on(d, [&] {
        for (size_t other = 0; other < size(); ++other) {
          PRESORT_CUDA(cudaStreamWaitEvent(streams_[d], before.marks_[other]));
        }
      });
    }
  }

  // A second stream of each device, made at the first call. They live as long as these devices.
  const Devices& sending() const {
    if (!sending_) {
      sending_ = std::make_unique<Devices>(numbers_, Repeats::allowed);
    }
    return *sending_;
  }

  // Waits until all devices have done what their streams have to do. Errors: EnvironmentError of
  // the first device on which something failed
  void synchronize() const {
    for (size_t d = 0; d < size(); ++d) {
      on(d, [&] { PRESORT_CUDA(cudaStreamSynchronize(streams_[d])); });
    }
  }

 private:
  static int current() {
    int device = 0;
    PRESORT_CUDA(cudaGetDevice(&device));
    return device;
  }

  // Makes the stream of device d, and lets it reach the memory of the others, scratch pools as
  // well.
  void open(size_t d) {
    PRESORT_CUDA(cudaStreamCreateWithFlags(&streams_[d], cudaStreamNonBlocking));
    PRESORT_CUDA(cudaEventCreateWithFlags(&marks_[d], cudaEventDisableTiming));
    for (const int peer : numbers_) {
      if (peer == numbers_[d]) {
        continue;
      }
      const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled) {
        static_cast<void>(cudaGetLastError());
      } else {
        PRESORT_CUDA(status);
      }
      cudaMemAccessDesc access{};
      access.location = {cudaMemLocationTypeDevice, peer};
      access.flags = cudaMemAccessFlagsProtReadWrite;
      PRESORT_CUDA(cudaMemPoolSetAccess(scratch_pool(), &access, 1));
    }
  }

  std::vector<int> numbers_;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> marks_;
  int first_;
  mutable std::unique_ptr<Devices> sending_;
};

// The arrays of one operand, one for each device, in the order of the devices.
template <class T>
using Shares = std::vector<std::span<T>>;

// Bytes from a device's scratch pool, in the order of its stream, until this object ends. The
// devices that use it must have been met by the owner's stream before that.
class DeviceScratch {
 public:
  DeviceScratch(const Devices& devices, size_t d, size_t bytes)
      : devices_(&devices), d_(d), bytes_(bytes) {
    if (bytes > 0) {
      devices.on(d, [&] {
        PRESORT_CUDA(cudaMallocFromPoolAsync(&data_, bytes, scratch_pool(), devices.stream(d)));
      });
    }
  }
  ~DeviceScratch() {
    if (data_ != nullptr) {
      static_cast<void>(cudaFreeAsync(data_, devices_->stream(d_)));
    }
  }
  DeviceScratch(DeviceScratch&& other) noexcept
      : devices_(other.devices_),
        d_(other.d_),
        bytes_(other.bytes_),
        data_(std::exchange(other.data_, nullptr)) {}
  DeviceScratch& operator=(DeviceScratch&&) = delete;

  std::span<std::byte> span() const {
    return {static_cast<std::byte*>(data_), data_ != nullptr ? bytes_ : 0};
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  const Devices* devices_;
  size_t d_;
  size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace presort::gpu
