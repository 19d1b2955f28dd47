// Checks that offsets are those of consecutive segments of n values, 0 <= offsets[0] <= offsets[1]
// <= … <= n, and waits for the stream. The operations do not check offsets.
//   gpu::check_offsets(stream, offsets, n, scratch);
// Shapes:   offsets[s + 1]; scratch[kCheckOffsetsBytes]; in device memory
// Units:    n, s in elements; the scratch in bytes, aligned to 64
// Errors:   OffsetError with the first offset that is below the one before it or above n; PlanError
//           when there are no offsets, or for a scratch that is too small or misaligned;
//           EnvironmentError with CUDA's own words
#pragma once

#include <algorithm>
#include <span>

#include "presort/core/offset_error.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

inline constexpr size_t kCheckOffsetsBytes = 64;

// Checks the number of offsets. Errors: PlanError when there are no offsets
inline void check_offset_count(size_t offsets) {
  if (offsets == 0) {
    throw PlanError("offsets: found none, accepted: one more than there are segments");
  }
}

// Lowers *first to the least k with offsets[k] < offsets[k - 1] or offsets[k] > n.
template <class Offset>
__global__ void __launch_bounds__(256) find_wrong_offset(const Offset* offsets, uint64_t count,
                                                         uint64_t n, unsigned long long* first) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t k = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count;
       k += threads) {
    const Offset least = k == 0 ? Offset{0} : offsets[k - 1];
    if (offsets[k] < least || static_cast<uint64_t>(offsets[k]) > n) {
      atomicMin(first, static_cast<unsigned long long>(k));
      return;  // returns at the first wrong offset: this thread's later offsets have larger indices
    }
  }
}

template <class Offset>
void check_offsets(cudaStream_t stream, std::span<const Offset> offsets, uint64_t n,
                   std::span<std::byte> scratch) {
  check_offset_count(offsets.size());
  check_scratch(scratch, kCheckOffsetsBytes);
  constexpr unsigned long long kNone = ~0ull;
  auto* first = reinterpret_cast<unsigned long long*>(scratch.data());
  PRESORT_CUDA(cudaMemsetAsync(first, 0xff, sizeof *first, stream));
  constexpr int kThreads = 256;
  const auto blocks = std::min<uint64_t>(resident_blocks(current_device_limits(), kThreads, 0),
                                         offsets.size() / kThreads + 1);
  find_wrong_offset<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(
      offsets.data(), offsets.size(), n, first);
  PRESORT_CUDA(cudaGetLastError());
  unsigned long long found = kNone;
  PRESORT_CUDA(cudaMemcpyAsync(&found, first, sizeof found, cudaMemcpyDeviceToHost, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  if (found != kNone) {
    Offset pair[2] = {};  // two values: the wrong offset, and the offset before it
    const uint64_t from = found == 0 ? 0 : found - 1;
    PRESORT_CUDA(cudaMemcpyAsync(pair + (found == 0 ? 1 : 0), offsets.data() + from,
                                 (found - from + 1) * sizeof(Offset), cudaMemcpyDeviceToHost,
                                 stream));
    PRESORT_CUDA(cudaStreamSynchronize(stream));
    throw OffsetError(found, static_cast<uint64_t>(pair[1]), static_cast<uint64_t>(pair[0]), n);
  }
}

}  // namespace presort::gpu
