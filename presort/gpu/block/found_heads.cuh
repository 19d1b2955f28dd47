// Heads (begins of segments) that each warp finds itself, among the offsets of segments, while its
// values are on their way: no launch before has to make a bit for each value.
// A warp searches for the first offset in its share of a tile, 32 offsets at a time, then reads the
// offsets from there on, and marks a byte of shared memory for each head. Runs of equal offsets, of
// empty segments, are skipped by a search.
#pragma once

#include <cstdint>

#include "presort/gpu/block/packs.cuh"
#include "presort/gpu/block/tile_heads.cuh"

namespace presort::inline v0::gpu {

// Number of offsets at the begin of [first, last) that are below `at`, plus `first`; a lower bound
// that is at most `kMost` short of it. The warp compares 32 offsets by one instruction.
// Requires: offsets ascend; all lanes of the warp call it, with the same arguments
template <uint64_t kMost, class Offset>
__device__ uint64_t skip_offsets_below(const Offset* offsets, uint64_t first, uint64_t last,
                                       uint64_t at) {
  while (last - first > kMost) {
    const uint64_t step = (last - first + kWarpLanes - 1) / kWarpLanes;
    const uint64_t own = first + (threadIdx.x % kWarpLanes + 1) * step - 1;
    const bool is_below = own < last && static_cast<uint64_t>(offsets[own]) < at;
    first += __popc(__ballot_sync(kAllLanes, is_below)) * step;
    last = min(last, first + step - 1);
  }
  return first;
}

// Heads found among the offsets of segments, which ascend: values before the first segment and
// behind the last have no results.
template <class Offset>
struct FoundHeads {
  static constexpr bool kHasHeads = true;
  static constexpr bool kAreMade = false;
  static constexpr bool kCopiesFirst = true;
  static constexpr int kRows = 4;  // rows of 32 offsets that a warp reads at a time
  template <int kOfLane, int kStageCount>
  struct Shared {
    // One byte for each of the warp's values: 1 where a segment begins, or the last one ends
    alignas(16) uint8_t marks[kStageCount][kOfLane * kWarpLanes];
  };

  const Offset* offsets;
  uint64_t count;

  // Marks the heads of values [at, at + 32 · kOfLane), which belong to the calling warp.
  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                       uint64_t n) const {
    constexpr uint64_t kRow = kWarpLanes;
    const unsigned lane = threadIdx.x % kWarpLanes;
    uint8_t* const marks = shared.marks[stage];
    const uint32_t none[kOfLane / 4] = {};
    write_words(marks + lane * kOfLane, none);
    __syncwarp();
    const uint64_t end = min(at + kOfLane * kRow, n);
    uint64_t next = skip_offsets_below<kRows * kRow>(offsets, 0, count, at);
    while (next < count) {
      uint64_t offset[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const uint64_t own = next + r * kRow + lane;
        offset[r] = own < count ? static_cast<uint64_t>(offsets[own]) : end;
      }
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (offset[r] >= at && offset[r] < end) {
          marks[offset[r] - at] = 1;
        }
      }
      const uint64_t first = __shfl_sync(kAllLanes, offset[0], 0);
      const uint64_t last = __shfl_sync(kAllLanes, offset[kRows - 1], kWarpLanes - 1);
      if (last >= end) {
        break;
      }
      next += kRows * kRow;
      if (first == last) {
        next = skip_offsets_below<kRows * kRow>(offsets, next, count, last + 1);
      }
    }
    __syncwarp();
  }

  template <int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t,
                           uint64_t) const {
    uint32_t words[kOfLane / 4];
    read_words(shared.marks[stage] + threadIdx.x % kWarpLanes * kOfLane, words);
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < kOfLane / 4; ++i) {
      // The product has byte k of the word, 0 or 1, in bit 24 + k.
      bits |= (words[i] * 0x01020408u >> 24 & 15u) << (4 * i);
    }
    return bits;
  }
  __device__ ResultRange results(uint64_t) const {
    return {static_cast<uint64_t>(offsets[0]), static_cast<uint64_t>(offsets[count - 1])};
  }

 private:
  // Reads or writes a lane's marks, as words.
  template <int kWords>
  static __device__ void write_words(uint8_t* to, const uint32_t (&words)[kWords]) {
    constexpr int kPack = kWords < 4 ? kWords : 4;
#pragma unroll
    for (int i = 0; i < kWords; i += kPack) {
      uint32_t pack[kPack];
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        pack[k] = words[i + k];
      }
      write_pack(reinterpret_cast<uint32_t*>(to) + i, pack);
    }
  }
  template <int kWords>
  static __device__ void read_words(const uint8_t* from, uint32_t (&words)[kWords]) {
    constexpr int kPack = kWords < 4 ? kWords : 4;
#pragma unroll
    for (int i = 0; i < kWords; i += kPack) {
      uint32_t pack[kPack];
      read_pack(reinterpret_cast<const uint32_t*>(from) + i, pack);
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        words[i + k] = pack[k];
      }
    }
  }
};

}  // namespace presort::gpu
