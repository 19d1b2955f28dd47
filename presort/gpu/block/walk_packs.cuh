// A walk of all blocks over an array of small elements, by packs of 16 bytes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

template <class T>
inline constexpr uint32_t kElementsOfPack = sizeof(uint4) / sizeof(T);

// Calls functions for every element of an array, by all blocks. Blocks take tiles by turns. A tile
// has kPacks packs for each thread, all loaded before the first pack of the tile before is used
// (labels of one byte: 0.000253 ns instead of 0.000257, reading alone 0.000222). One block takes
// the elements before and behind whole packs.
//   of_tile(pack)   called by all threads of the block
//   left(pack)      called by any of them
//   alone(element)  called by any of them
// Requires: a thread for each element of a pack
template <int kPacks, class T, class OfTile, class Left, class Alone>
__device__ void walk_packs(const T* elements, uint64_t n, const OfTile& of_tile, const Left& left,
                           const Alone& alone) {
  constexpr uint32_t kOfPack = kElementsOfPack<T>;
  const uint64_t to_pack = (sizeof(uint4) - reinterpret_cast<uintptr_t>(elements) % sizeof(uint4)) %
                           sizeof(uint4) / sizeof(T);
  const uint64_t before = min(to_pack, n);
  const auto* packs = reinterpret_cast<const uint4*>(elements + before);
  const uint64_t pack_count = (n - before) / kOfPack;
  const uint64_t tile = static_cast<uint64_t>(blockDim.x) * kPacks;
  const uint64_t tiles = pack_count / tile;
  uint4 ahead[kPacks];
  const auto read = [&](uint64_t at) {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      if (at < tiles) {
        ahead[i] = packs[at * tile + i * blockDim.x + threadIdx.x];
      }
    }
  };
  read(blockIdx.x);
  for (uint64_t at = blockIdx.x; at < tiles; at += gridDim.x) {
    uint4 pack[kPacks];
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      pack[i] = ahead[i];
    }
    read(at + gridDim.x);
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      of_tile(pack[i]);
    }
  }
  if (blockIdx.x == tiles % gridDim.x) {
    for (uint64_t i = tiles * tile + threadIdx.x; i < pack_count; i += blockDim.x) {
      left(packs[i]);
    }
    const uint64_t behind = before + pack_count * kOfPack;
    if (threadIdx.x < before) {
      alone(elements[threadIdx.x]);
    }
    if (behind + threadIdx.x < n) {
      alone(elements[behind + threadIdx.x]);
    }
  }
}

// The number of blocks of a walk over packs, at most one on each multiprocessor.
template <int kPacks, class T>
unsigned walking_blocks(uint64_t n, int threads) {
  const uint64_t tile = uint64_t{kElementsOfPack<T>} * kPacks * threads;
  return static_cast<unsigned>(
      std::min<uint64_t>(current_device_limits().multiprocessors, n / tile + 1));
}

}  // namespace presort::gpu
