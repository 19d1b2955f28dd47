// Where segments begin among the values of a warp's share of a tile: bits of each lane's values.
//   copy(…)  begins to copy the flags or bits that tell it, along with the values
//   bits(…)  which of the lane's values are heads (begin a segment), once the copy is there
//   kHasHeads      false: all values are one segment
//   kAreMade       true: head bits are made by device/ordered/mark_heads.cuh, before or in the
//                  launch
//   kCopiesFirst   true: copy(…) takes so long that values should be on their way meanwhile
#pragma once

#include <cstdint>

#include "presort/gpu/block/warp_stages.cuh"

namespace presort::inline v0::gpu {

// The range [first, last) of values that belong to some segment and so have results.
struct ResultRange {
  uint64_t first;
  uint64_t last;
};

// Heads (begins of segments) where all values are one segment.
struct NoHeads {
  static constexpr bool kHasHeads = false;
  static constexpr bool kAreMade = false;
  static constexpr bool kCopiesFirst = false;
  template <int kOfLane, int kStageCount>
  struct Shared {};

  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>&, uint32_t, uint64_t, uint64_t) const {}
  template <int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Shared<kOfLane, kStageCount>&, uint32_t, uint64_t,
                           uint64_t) const {
    return 0;
  }
  __device__ ResultRange results(uint64_t n) const { return {0, n}; }
};

// Heads as one byte for each value: a segment begins at value 0 and at every value whose byte is
// not 0.
struct ByteHeads {
  static constexpr bool kHasHeads = true;
  static constexpr bool kAreMade = false;
  static constexpr bool kCopiesFirst = false;
  template <int kOfLane, int kStageCount>
  using Shared = WarpStages<uint8_t, kOfLane, kStageCount>;

  const uint8_t* bytes;
  bool is_aligned;  // true: the array of head bytes is aligned to 16 bytes

  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                       uint64_t n) const {
    shared.copy(stage, bytes, at, n, is_aligned);
  }
  // Begins to copy the heads of values [at, at + 32 · kOfLane), which belong to the calling warp.
  template <int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                           uint64_t n) const {
    uint8_t byte[kOfLane];
    shared.read(stage, byte);
    const uint64_t first = at + threadIdx.x % kWarpLanes * kOfLane;
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      bits |= (byte[i] != 0 && first + i < n ? 1u : 0u) << i;
    }
    return bits;
  }
  __device__ ResultRange results(uint64_t n) const {
    return {0, n};
  }
};

// Heads as one bit for each value: a segment begins at value 0 and at every value i for which bit i
// % 32 of word i / 32 is set.
struct BitHeads {
  static constexpr bool kHasHeads = true;
  static constexpr bool kAreMade = false;
  static constexpr bool kCopiesFirst = false;
  template <int kOfLane, int kStageCount>
  struct Shared {
    uint32_t words[kStageCount]
                  [kOfLane];  // words of head bits, for 32 lanes of kOfLane values each
  };

  const uint32_t* words;

  template <int kOfLane, int kStageCount>
  __device__ void copy(Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                       uint64_t n) const {
    const unsigned lane = threadIdx.x % kWarpLanes;
    if (lane < kOfLane && at + lane * 32 < n) {
      __pipeline_memcpy_async(shared.words[stage] + lane, words + at / 32 + lane, 4);
    }
  }
  template <int kOfLane, int kStageCount>
  __device__ uint32_t bits(const Shared<kOfLane, kStageCount>& shared, uint32_t stage, uint64_t at,
                           uint64_t n) const {
    const unsigned place = threadIdx.x % kWarpLanes * kOfLane;
    const uint64_t first = at + place;
    if (first >= n) {
      return 0;
    }
    const auto count = static_cast<int>(min(uint64_t{kOfLane}, n - first));
    return shared.words[stage][place / 32] >> place % 32 & ((2u << (count - 1)) - 1);
  }
  __device__ ResultRange results(uint64_t n) const { return {0, n}; }
};

// Heads as bits that were made from the offsets of segments: values before the first segment and
// behind the last have no results.
template <class Offset>
struct OffsetHeads : BitHeads {
  static constexpr bool kAreMade = true;
  const Offset* offsets;
  uint64_t count;
  uint32_t* made;  // head bits, one for each value; cleared before they are made

  __device__ ResultRange results(uint64_t) const {
    return {static_cast<uint64_t>(offsets[0]), static_cast<uint64_t>(offsets[count - 1])};
  }
};

}  // namespace presort::gpu
