// counts[k] = counts[k] + the number of labels k, for labels of two bytes. A block counts all 2^16
// of them in one table, with counters of 16 bits: label k in the low half of word k, label k + 2^15
// in the high half. Overflow is exact: an atomic returns what was there before, so exactly one
// thread sees that a half overflowed, and adds 2^16 to the count in device memory. A low half that
// overflows adds one to the high half of its word, which that thread takes off again. (Two tables
// of 32 bits, in two ranges, look at every label twice: 0.00099 ns a label.)
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/shared_table.cuh"
#include "presort/gpu/block/walk_packs.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/plan/labels/narrow_labels.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kCountShortsThreads = 1024;
inline constexpr int kCountShortsPacks = 4;  // packs of 8 labels, read before the first is used
inline constexpr int kShortsOfPack = kElementsOfPack<uint16_t>;
inline constexpr uint32_t kHalf = 1u << 16;

// The table of a block in shared memory, and the counts in device memory.
template <class Count>
struct ShortTable {
  uint32_t* words;  // words[kShortWords]: two counters in each
  Count* counts;    // counts[m] in device memory
  uint32_t m;       // number of buckets, at most 2^16, one for each label

  __device__ static uint32_t word_of(uint32_t label) { return label % kShortWords; }
  __device__ static uint32_t one_of(uint32_t label) { return label < kShortWords ? 1 : kHalf; }

  __device__ uint32_t add(uint32_t label) const {
    return atomicAdd(words + word_of(label), one_of(label));
  }

  // Handles overflow after 1 was added to a 16-bit counter. `before`: the counter's 32-bit word
  // before the addition.
  __device__ void carry(uint32_t label, uint32_t before) const {
    const uint32_t high = before / kHalf;
    if (label >= kShortWords) {
      if (high == kHalf - 1) {
        bring(label, kHalf);
      }
    } else if (before % kHalf == kHalf - 1) {
      bring(label, kHalf);
      bring(label + kShortWords, high == kHalf - 1 ? static_cast<Count>(kHalf - 1) : Count(-1));
    }
  }

  // Adds the 16-bit counter in one half of a word to the count of its label. If the half's label is
  // not below m, it holds only overflow from its neighbour and is dropped.
  __device__ void bring(uint32_t label, Count count) const {
    if (label < m) {
      combine_one<true>(counts + label, count, Sum<Count>{});
    }
  }

  // Counts the labels of a pack in the block's table. One test shows that no counter overflowed:
  // none did if all were less than half full.
  __device__ void count(const uint4& pack) const {
    const uint32_t pairs[] = {pack.x, pack.y, pack.z, pack.w};
    constexpr uint32_t kTops = 0x80008000u;
    uint32_t before[kShortsOfPack];
    uint32_t tops = 0;
#pragma unroll
    for (int i = 0; i < kShortsOfPack; ++i) {
      before[i] = add(label_of(pairs, i));
      tops |= before[i];
    }
    if ((tops & kTops) != 0) {
#pragma unroll
      for (int i = 0; i < kShortsOfPack; ++i) {
        carry(label_of(pairs, i), before[i]);
      }
    }
  }

  __device__ static uint32_t label_of(const uint32_t (&pairs)[4], int i) {
    return pairs[i / 2] >> (i % 2 * 16) & (kHalf - 1);
  }

  __device__ void count_alone(uint32_t label) const {
    carry(label, add(label));
  }

  __device__ void combine() const {
    for (uint32_t i = threadIdx.x; i < kShortWords; i += blockDim.x) {
      const uint32_t word = words[i];
      bring(i, word % kHalf);
      bring(i + kShortWords, word / kHalf);
    }
  }
};

// Counts how often one label came in a row, in packs of a warp that hold no other label, since
// lanes that add to one word wait for each other.
template <class Count>
struct ShortRun {
  uint32_t label = 0;
  Count count = 0;

  // Counts a pack if all labels of the warp's packs are equal; returns false if they are not. All
  // lanes call it.
  __device__ bool take(const uint4& pack, const ShortTable<Count>& table) {
    const uint32_t next = pack.x % kHalf;
    const uint32_t of_first_lane = __shfl_sync(kAllLanes, pack.x, 0);
    const bool is_same = pack.x == next * (kHalf + 1) && pack.y == pack.x && pack.z == pack.x &&
                         pack.w == pack.x && pack.x == of_first_lane;
    if (!__all_sync(kAllLanes, is_same)) {
      return false;
    }
    if (next != label) {
      leave(table);
      label = next;
    }
    count += kShortsOfPack * kWarpLanes;
    return true;
  }

  __device__ void leave(const ShortTable<Count>& table) {
    if (threadIdx.x % kWarpLanes == 0) {
      table.bring(label, count);
    }
    count = 0;
  }
};

template <class Count>
__global__ void __launch_bounds__(kCountShortsThreads)
    count_shorts_kernel(const uint16_t* labels, uint64_t n, Count* counts, uint32_t m) {
  extern __shared__ __align__(16) uint32_t words[];
  const ShortTable<Count> table{words, counts, m};
  for (uint32_t i = threadIdx.x; i < kShortWords; i += blockDim.x) {
    words[i] = 0;
  }
  __syncthreads();
  ShortRun<Count> run;
  const auto of_tile = [&](const uint4& pack) {
    if (!run.take(pack, table)) {
      table.count(pack);
    }
  };
  walk_packs<kCountShortsPacks>(
      labels, n, of_tile, [&](const uint4& pack) { table.count(pack); },
      [&](uint16_t label) { table.count_alone(label); });
  run.leave(table);
  __syncthreads();
  table.combine();
}

// Launches the kernel that counts labels of two bytes. Requires: n >= 1; labels below m, at most
// 2^16; kCountShortsShared fits a block
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Count>
void count_shorts(cudaStream_t stream, const uint16_t* labels, uint64_t n, Count* counts,
                  uint64_t m) {
  const unsigned blocks = walking_blocks<kCountShortsPacks, uint16_t>(n, kCountShortsThreads);
  const auto kernel = count_shorts_kernel<Count>;
  allow_shared_bytes(kernel, kCountShortsShared);
  kernel<<<blocks, kCountShortsThreads, kCountShortsShared, stream>>>(labels, n, counts,
                                                                      static_cast<uint32_t>(m));
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
