// Checks flags before an operation takes them, and waits for the stream. The operations themselves
// do not check: to them every byte that is not 0 is a flag, value 0 begins a segment whatever its
// flag says, and bits behind the last value do not count.
//   gpu::check_flags(stream, flags, scratch);               of compact and partition: each is 0 or 1
//   gpu::check_heads(stream, heads, scratch);               of flagged_scan: the first is 1 as well
//   gpu::check_packed_heads(stream, packed, n, scratch);    of packed_flagged_scan: bit 0 is 1, and
//                                                           bits behind value n - 1 are 0
// Shapes:   flags[n], heads[n], packed[(n + 31) / 32]; scratch[kCheckFlagsBytes]; in device memory
// Units:    n in elements; the scratch in bytes, aligned to 64
// Errors:   FlagError with the first flag that is not accepted; PlanError for packed heads of
//           another length, and for a scratch that is too small or misaligned; EnvironmentError
//           with CUDA's own words. No operation has been launched then, and no array but the
//           scratch is written
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "presort/core/flag_error.h"
#include "presort/gpu/host/check_arrays.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

inline constexpr size_t kCheckFlagsBytes = 64;

// Lowers *first to the least i with flags[i] > 1.
template <class Flag>
__global__ void __launch_bounds__(256)
    find_wrong_flag(const Flag* flags, uint64_t n, unsigned long long* first) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    if (flags[i] > 1) {
      atomicMin(first, static_cast<unsigned long long>(i));
      return;  // returns at the first wrong flag: this thread's later flags have larger indices
    }
  }
}

// Copies an element of a device array to the host, and waits.
template <class T>
T element_of(cudaStream_t stream, const T* element) {
  T found{};
  PRESORT_CUDA(cudaMemcpyAsync(&found, element, sizeof found, cudaMemcpyDeviceToHost, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  return found;
}

inline void check_flags(cudaStream_t stream, std::span<const uint8_t> flags,
                        std::span<std::byte> scratch) {
  check_scratch(scratch, kCheckFlagsBytes);
  if (flags.empty()) {
    return;
  }
  constexpr unsigned long long kNone = ~0ull;
  auto* first = reinterpret_cast<unsigned long long*>(scratch.data());
  PRESORT_CUDA(cudaMemsetAsync(first, 0xff, sizeof *first, stream));
  constexpr int kThreads = 256;
  const auto blocks = std::min<uint64_t>(resident_blocks(current_device_limits(), kThreads, 0),
                                         flags.size() / kThreads + 1);
  find_wrong_flag<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(flags.data(),
                                                                          flags.size(), first);
  PRESORT_CUDA(cudaGetLastError());
  const unsigned long long found = element_of(stream, first);
  if (found != kNone) {
    throw FlagError(found, element_of(stream, flags.data() + found), "0 or 1");
  }
}

inline void check_heads(cudaStream_t stream, std::span<const uint8_t> heads,
                        std::span<std::byte> scratch) {
  check_scratch(scratch, kCheckFlagsBytes);
  if (!heads.empty()) {
    const uint8_t at_0 = element_of(stream, heads.data());
    if (at_0 != 1) {
      throw FlagError(0, at_0, "1, as the first value begins a segment");
    }
  }
  check_flags(stream, heads, scratch);
}

inline void check_packed_heads(cudaStream_t stream, std::span<const uint32_t> packed, uint64_t n,
                               std::span<std::byte> scratch) {
  constexpr uint64_t kBits = 32;
  check_scratch(scratch, kCheckFlagsBytes);
  check_lengths("packed heads", packed.size(), "words of 32 values", (n + kBits - 1) / kBits);
  if (n == 0) {
    return;
  }
  if ((element_of(stream, packed.data()) & 1u) == 0) {
    throw FlagError(0, 0, "1, as the first value begins a segment");
  }
  const uint64_t used = n % kBits;
  const uint32_t behind =
      used == 0 ? 0 : element_of(stream, packed.data() + packed.size() - 1) >> used;
  if (behind != 0) {
    throw FlagError(n + static_cast<uint64_t>(std::countr_zero(behind)), 1,
                    "0 behind the last of " + std::to_string(n) + " values");
  }
}

}  // namespace presort::gpu
