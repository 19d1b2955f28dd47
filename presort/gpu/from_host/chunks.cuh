// Inputs in host memory, of any number, that come to the device chunk by chunk: while one chunk is
// worked on, the next is copied. Two chunks are in device memory, two streams at work.
// Pinned memory (cudaHostAlloc, cudaHostRegister) is copied from where it lies; other memory
// through two pinned buffers, which the caller's thread fills.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// Inputs of a chunk that a caller does not choose. 2^24 of 8 bytes take 2.4 ms over a link of 55
// GB/s: long against launches, and little memory.
inline constexpr uint64_t kInputsOfChunk = uint64_t{1} << 24;

namespace detail {

// True if the device copies from this host memory by itself.
inline bool is_pinned(const void* data) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  return attributes.type != cudaMemoryTypeUnregistered;
}

// A stream and events for one of the two places of a chunk.
struct ChunkPlace {
  std::byte* device = nullptr;
  std::byte* pinned = nullptr;    // nullptr where inputs are pinned themselves
  cudaEvent_t copied = nullptr;   // the chunk is in device memory
  cudaEvent_t is_free = nullptr;  // the work on the chunk is done
};

}  // namespace detail

// Two places for chunks. Errors: EnvironmentError without memory, on the device or pinned
class ChunkPlaces {
 public:
  ChunkPlaces(size_t chunk_bytes, bool needs_pinned) {
    try {
      PRESORT_CUDA(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
      for (auto& place : places_) {
        PRESORT_CUDA(cudaMalloc(&place.device, chunk_bytes));
        if (needs_pinned) {
          PRESORT_CUDA(cudaMallocHost(&place.pinned, chunk_bytes));
        }
        PRESORT_CUDA(cudaEventCreateWithFlags(&place.copied, cudaEventDisableTiming));
        PRESORT_CUDA(cudaEventCreateWithFlags(&place.is_free, cudaEventDisableTiming));
      }
    } catch (...) {
      close();
      throw;
    }
  }
  ~ChunkPlaces() { close(); }
  ChunkPlaces(const ChunkPlaces&) = delete;
  ChunkPlaces& operator=(const ChunkPlaces&) = delete;

  // Copies `parts`, arrays of one chunk, behind each other, each at a multiple of 256 bytes, into a
  // place, and calls work(addresses of the parts in device memory), whose kernels run on `stream`.
  template <size_t kParts, class Work>
  void run(uint64_t chunk, const std::array<std::span<const std::byte>, kParts>& parts,
           cudaStream_t stream, const Work& work) {
    detail::ChunkPlace& place = places_[chunk % 2];
    if (chunk >= 2) {
      PRESORT_CUDA(cudaStreamWaitEvent(copies_, place.is_free));
      if (place.pinned != nullptr) {
        PRESORT_CUDA(cudaEventSynchronize(place.copied));
      }
    }
    std::array<std::byte*, kParts> addresses{};
    size_t at = 0;
    for (size_t part = 0; part < kParts; ++part) {
      const void* from = parts[part].data();
      if (place.pinned != nullptr) {
        std::memcpy(place.pinned + at, from, parts[part].size());
        from = place.pinned + at;
      }
      addresses[part] = place.device + at;
      PRESORT_CUDA(cudaMemcpyAsync(addresses[part], from, parts[part].size(),
                                   cudaMemcpyHostToDevice, copies_));
      at += padded(parts[part].size());
    }
    PRESORT_CUDA(cudaEventRecord(place.copied, copies_));
    PRESORT_CUDA(cudaStreamWaitEvent(stream, place.copied));
    work(addresses);
    PRESORT_CUDA(cudaEventRecord(place.is_free, stream));
  }

  static constexpr size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256; }

 private:
  void close() {
    if (copies_ != nullptr) {
      cudaStreamSynchronize(copies_);
      cudaStreamDestroy(copies_);
    }
    for (const auto& place : places_) {
      if (place.is_free != nullptr) {
        cudaEventSynchronize(place.is_free);
        cudaEventDestroy(place.is_free);
      }
      if (place.copied != nullptr) {
        cudaEventDestroy(place.copied);
      }
      cudaFree(place.device);
      cudaFreeHost(place.pinned);
    }
  }

  cudaStream_t copies_ = nullptr;
  std::array<detail::ChunkPlace, 2> places_{};
};

}  // namespace presort::gpu
