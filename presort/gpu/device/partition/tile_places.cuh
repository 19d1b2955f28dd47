// Where each tile of a partition writes its inputs of each digit, in the order of the tiles: found
// before the partition, by reading the labels once. Inputs are cut into chunks of whole tiles. A
// block counts the digits of a chunk, tile by tile; then the chunks' counts are summed up. A tile
// of the partition then needs nothing from tiles that run at the same time. (Decoupled look-back,
// Merrill and Garland 2016, finds the same while it partitions; it spares a pass over the labels
// only where there is a histogram of several passes at once.)
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Tables in device memory that give the place in the output where a tile's inputs of a digit begin.
// Places are in units of inputs.
struct TilePlaces {
  // in_chunk[tiles · digits]: number of the digit's inputs in earlier tiles of the chunk
  uint32_t* in_chunk;
  uint32_t* of_chunk;  // of_chunk[chunks · digits]: number of the digit's inputs in earlier chunks
  const uint64_t* begins;  // begins[digits]: number of inputs with lower digits
  uint64_t tiles_per_chunk;

  // The place in the output at which a tile's inputs of a digit begin.
  __device__ uint64_t place(uint64_t tile, uint32_t digits, uint32_t digit) const {
    return begins[digit] + of_chunk[tile / tiles_per_chunk * digits + digit] +
           in_chunk[tile * digits + digit];
  }
};

inline constexpr int kTileCountThreads = 512;
#if __CUDA_ARCH__ == 750
inline constexpr int kTileCountBlocks =
    2;  // number of counting blocks on a multiprocessor: all that its threads allow
#else
inline constexpr int kTileCountBlocks =
    3;  // number of counting blocks on a multiprocessor: 42 registers a thread
#endif

// Divides the tiles of a partition into chunks. No side effects.
struct Chunks {
  uint64_t tiles;
  uint64_t tiles_per_chunk;
  uint64_t count() const { return (tiles + tiles_per_chunk - 1) / tiles_per_chunk; }
};

inline constexpr uint64_t kMostChunks =
    544;  // most chunks of a partition: each of 32 lanes sums up 17 of them

inline Chunks divide_tiles(uint64_t n, uint64_t tile_inputs, uint64_t most_chunks) {
  const uint64_t tiles = (n + tile_inputs - 1) / tile_inputs;
  // At least one tile, as chunks are counted by division: without inputs there are 0 chunks.
  return {.tiles = tiles,
          .tiles_per_chunk = std::max<uint64_t>(1, (tiles + most_chunks - 1) / most_chunks)};
}

// Counts the digits of inputs [first, last) in a table. Requires: first is a multiple of kPack
template <int kPack, class Input>
__device__ void count_tile(const Input& input, Digit digit, uint64_t first, uint64_t last,
                           uint32_t* table) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  constexpr int kPacks =
      kPack > 1 ? 4 : 8;  // number of packs of labels read before the first is used
  const uint64_t step = static_cast<uint64_t>(blockDim.x) * kPack;
  const uint32_t rest = static_cast<uint32_t>(last - first) % kPack;
  const uint64_t last_pack = last - rest;
  for (uint64_t at = first + threadIdx.x * kPack; at < last_pack; at += kPacks * step) {
    Label label[kPacks][kPack];
    Value unused[kPack];
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      if (at + i * step < last_pack) {
        input.template load<kPack>(at + i * step, label[i], unused);
      }
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      if (at + i * step < last_pack) {
#pragma unroll
        for (int j = 0; j < kPack; ++j) {
          atomicAdd(table + digit.of(label[i][j]), 1u);
        }
      }
    }
  }
  if (threadIdx.x < rest) {
    atomicAdd(table + digit.of(input.label(last_pack + threadIdx.x)), 1u);
  }
}

// Counts the digits of chunks.
// Shapes: in_chunk[tiles · digits]; of_chunk[chunks · digits]: the counts of each chunk, which
//         sum_chunks_kernel replaces by the counts of all chunks before it
template <int kPack, class Input>
__global__ void __launch_bounds__(kTileCountThreads, kTileCountBlocks)
    count_tiles_kernel(Input input, uint64_t n, uint32_t tile_inputs, Chunks chunks, Digit digit,
                       uint32_t* in_chunk, uint32_t* of_chunk) {
  constexpr int kDigitsOfThread = (1 << kMaxDigitBits) / kTileCountThreads;
  // Two tables of digit counters, counters[digits] each, that tiles use by turns
  extern __shared__ __align__(16) uint32_t tables[];
  const uint32_t digits = digit.count();
  for (uint32_t d = threadIdx.x; d < 2 * digits; d += blockDim.x) {
    tables[d] = 0;
  }
  __syncthreads();
  uint32_t before[kDigitsOfThread] = {};
  const uint64_t first_tile = blockIdx.x * chunks.tiles_per_chunk;
  const uint64_t last_tile = min(first_tile + chunks.tiles_per_chunk, chunks.tiles);
  for (uint64_t tile = first_tile; tile < last_tile; ++tile) {
    uint32_t* table = tables + tile % 2 * digits;
    const uint64_t first = tile * tile_inputs;
    count_tile<kPack>(input, digit, first, min(first + tile_inputs, n), table);
    __syncthreads();  // the other table, with the counts of the tile before, is read and cleared
#pragma unroll
    for (int i = 0; i < kDigitsOfThread; ++i) {
      const uint32_t d = i * blockDim.x + threadIdx.x;
      if (d < digits) {
        in_chunk[tile * digits + d] = before[i];
        before[i] += table[d];
        table[d] = 0;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kDigitsOfThread; ++i) {
    const uint32_t d = i * blockDim.x + threadIdx.x;
    if (d < digits) {
      of_chunk[blockIdx.x * digits + d] = before[i];
    }
  }
}

// Sums up the counts of chunks, and counts each digit in all inputs. One warp sums up each digit;
// its lanes take neighbouring chunks, whose counts are all loaded before the first is used.
// Shapes:   of_chunk[chunks · digits], counts[digits]
// Requires: chunks <= kMostChunks
static __global__ void __launch_bounds__(256)
    sum_chunks_kernel(uint32_t* of_chunk, uint32_t* counts, uint64_t chunks, uint32_t digits) {
  const uint32_t lane = threadIdx.x % kWarpLanes;
  const uint32_t d = (blockIdx.x * blockDim.x + threadIdx.x) / kWarpLanes;
  if (d >= digits) {
    return;
  }
  constexpr int kMostOfLane = kMostChunks / kWarpLanes;
  const auto of_lane = static_cast<uint32_t>((chunks + kWarpLanes - 1) / kWarpLanes);
  const auto own = [&](int i) { return uint64_t{lane} * of_lane + i; };
  const auto is_own = [&](int i) { return i < static_cast<int>(of_lane) && own(i) < chunks; };
  uint32_t count[kMostOfLane];
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kMostOfLane; ++i) {
    count[i] = is_own(i) ? of_chunk[own(i) * digits + d] : 0;
    sum += count[i];
  }
  uint32_t before = sum;
#pragma unroll
  for (int lanes = 1; lanes < kWarpLanes; lanes *= 2) {
    const uint32_t other = __shfl_up_sync(kAllLanes, before, lanes);
    before += lane >= static_cast<uint32_t>(lanes) ? other : 0;
  }
  if (lane == kWarpLanes - 1) {
    counts[d] = before;
  }
  before -= sum;
#pragma unroll
  for (int i = 0; i < kMostOfLane; ++i) {
    if (is_own(i)) {
      of_chunk[own(i) * digits + d] = before;
      before += count[i];
    }
  }
}

// Finds where each tile of a partition writes each of its digits. Requires: n >= 1; fewer than 2^32
// inputs of one digit
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Input>
void count_tiles(cudaStream_t stream, const Input& input, uint64_t n, uint32_t tile_inputs,
                 const Chunks& chunks, Digit digit, const TilePlaces& places, uint32_t* counts) {
  const size_t shared_bytes = 2 * sizeof(uint32_t) * digit.count();
  const auto launch = [&]<int kPack>(std::integral_constant<int, kPack>) {
    count_tiles_kernel<kPack>
        <<<static_cast<unsigned>(chunks.count()), kTileCountThreads, shared_bytes, stream>>>(
            input, n, tile_inputs, chunks, digit, places.in_chunk, places.of_chunk);
    PRESORT_CUDA(cudaGetLastError());
  };
  if (input.template is_aligned<4>() && tile_inputs % 4 == 0) {
    launch(std::integral_constant<int, 4>{});
  } else {
    launch(std::integral_constant<int, 1>{});
  }
  constexpr unsigned kDigitsOfBlock = 256 / kWarpLanes;
  sum_chunks_kernel<<<(digit.count() + kDigitsOfBlock - 1) / kDigitsOfBlock, 256, 0, stream>>>(
      places.of_chunk, counts, chunks.count(), digit.count());
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
