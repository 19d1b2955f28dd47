// Arguments of a reduction of rows (reduce_rows.cuh), and the shared memory of its warps.
#pragma once

#include <cstdint>
#include <type_traits>

#include "presort/core/row_chunks.h"
#include "presort/gpu/detail/row_values.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kRowWarps = 4;   // number of warps of a block
inline constexpr int kRowBlocks = 8;  // blocks on a multiprocessor: 64 registers a thread
inline constexpr uint32_t kNoLabel = ~0u;

// The arguments of one level of a reduction of rows.
template <class In, class Bucket>
struct RowArguments {
  const RowPlace* places;  // places[n]: label and position of each input of the level
  const In* rows;          // rows of values, [rows][columns]
  const float* weights;    // weights[rows], or null
  Bucket* buckets;         // rows of buckets, [m][columns]
  RowPlace* slots;        // list of runs open at a chunk's ends, [2 · chunks]; null with one chunk
  RowSum<In>* slot_rows;  // sums of the open runs, [2 · chunks][columns]
  uint64_t n;
  uint32_t columns;
  uint32_t slices;  // number of slices that a row is cut into
  RowChunks chunks;
  int lane_bits;  // 2^lane_bits lanes share a row

  __host__ __device__ uint32_t groups() const { return kRowLanes >> lane_bits; }
  // Number of inputs whose places a warp reads: those of its chunks, and the 32 by which the last
  // border may move.
  __host__ __device__ uint32_t staged() const { return groups() * chunks.inputs + 32; }
};

// The shared memory of a warp: places by input, a word of padding for every 32 of them so that
// groups read from different banks.
struct StagedRows {
  uint32_t* positions;
  uint32_t* ends;   // ends[inputs]: label of the run that ends with an input, or kNoLabel
  uint32_t* lasts;  // lasts[inputs / 32]: bit i is set if a run ends with input i of 32
  float* weights;

  static __host__ __device__ uint32_t padded(uint32_t at) { return at + at / 32; }
  static __host__ __device__ uint32_t words(uint32_t inputs, bool has_weights) {
    return padded(inputs) * (has_weights ? 3 : 2) + inputs / 32;
  }
  static __device__ StagedRows cut(uint32_t* words, uint32_t inputs) {
    const uint32_t count = padded(inputs);
    uint32_t* lasts = words + 2 * count;
    return {words, words + count, lasts, reinterpret_cast<float*>(lasts + inputs / 32)};
  }
};

template <int kBytes>
using UnitOfBytes = std::conditional_t<
    kBytes == 16, uint4,
    std::conditional_t<kBytes == 8, uint2, std::conditional_t<kBytes == 4, uint32_t, uint16_t>>>;

}  // namespace presort::gpu
