// Scatter of few inputs in one launch: buckets[k] = values[j] for the last j with labels[j] == k.
// One block finds the last input of each label in a hash table in shared memory; nothing is done
// for buckets without a label.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "presort/gpu/host/allow_shared_bytes.h"

namespace presort::inline v0::gpu {

inline constexpr int kScatterBlockThreads = 1024;
inline constexpr int kScatterBlockItems = 2;  // most inputs of a thread
inline constexpr uint64_t kMostInputsOfScatterBlock =
    uint64_t{kScatterBlockThreads} * kScatterBlockItems;

// Shape of the hash table: at least half of its places stay free.
template <class Label>
struct ScatterBlockTable {
  uint32_t places;
  explicit ScatterBlockTable(uint64_t n) : places(2 * std::bit_ceil(static_cast<uint32_t>(n))) {}
  size_t bytes() const { return places * (sizeof(Label) + sizeof(uint32_t)); }
};

// True if one block of the device scatters n inputs into m buckets. No label may be the number that
// marks a free place.
template <class Label>
bool scatters_in_block(const DeviceLimits& device, uint64_t n, uint64_t m) {
  return n > 0 && n <= kMostInputsOfScatterBlock && m <= std::numeric_limits<Label>::max() &&
         ScatterBlockTable<Label>(n).bytes() <= device.shared_bytes_of_block;
}

template <class Label, class Value>
__global__ void __launch_bounds__(kScatterBlockThreads)
    scatter_block_kernel(const Label* labels, const Value* values, uint32_t n, Value* buckets,
                         uint32_t places) {
  using Word = std::conditional_t<sizeof(Label) == 8, unsigned long long, unsigned>;
  constexpr Word kFree = ~Word{0};
  extern __shared__ __align__(16) unsigned char shared[];
  auto* keys = reinterpret_cast<Word*>(shared);
  auto* last = reinterpret_cast<uint32_t*>(keys + places);  // index of a label's last input + 1
  for (uint32_t i = threadIdx.x; i < places; i += kScatterBlockThreads) {
    keys[i] = kFree;
    last[i] = 0;
  }
  Word key[kScatterBlockItems];
  uint32_t place[kScatterBlockItems] = {};
#pragma unroll
  for (int item = 0; item < kScatterBlockItems; ++item) {
    const uint32_t i = item * kScatterBlockThreads + threadIdx.x;
    key[item] = i < n ? static_cast<Word>(labels[i]) : kFree;
  }
  __syncthreads();
#pragma unroll
  for (int item = 0; item < kScatterBlockItems; ++item) {
    const uint32_t i = item * kScatterBlockThreads + threadIdx.x;
    if (i < n) {
      uint32_t at = (static_cast<uint32_t>(key[item]) * 0x9e3779b1u >> 15) & (places - 1);
      for (;;) {
        const Word before = atomicCAS(keys + at, kFree, key[item]);
        if (before == kFree || before == key[item]) {
          break;
        }
        at = (at + 1) & (places - 1);
      }
      atomicMax(last + at, i + 1);
      place[item] = at;
    }
  }
  __syncthreads();
#pragma unroll
  for (int item = 0; item < kScatterBlockItems; ++item) {
    const uint32_t i = item * kScatterBlockThreads + threadIdx.x;
    if (i < n && last[place[item]] == i + 1) {
      buckets[key[item]] = values[i];
    }
  }
}

// Launches the scatter of few inputs. Requires: scatters_in_block; labels below the number of
// buckets
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Label, class Value>
void scatter_block(cudaStream_t stream, const Label* labels, const Value* values, uint64_t n,
                   Value* buckets) {
  const ScatterBlockTable<Label> table(n);
  const auto kernel = scatter_block_kernel<Label, Value>;
  allow_shared_bytes(kernel, table.bytes());
  kernel<<<1, kScatterBlockThreads, table.bytes(), stream>>>(
      labels, values, static_cast<uint32_t>(n), buckets, table.places);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
