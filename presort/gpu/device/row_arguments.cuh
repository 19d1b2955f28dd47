// Arguments of a reduction of rows (reduce_rows.cuh), and the shared memory of its warps.
#pragma once

#include <cstdint>
#include <type_traits>

#include "presort/core/row_chunks.h"
#include "presort/gpu/detail/input.cuh"
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
  int lane_bits;            // 2^lane_bits lanes share a row
  bool keeps_rows = false;  // true: a list's rows are copied to shared memory

  __host__ __device__ uint32_t groups() const { return kRowLanes >> lane_bits; }
  // Number of inputs whose places a warp reads: those of its chunks, and the 32 by which the last
  // border may move.
  __host__ __device__ uint32_t staged() const { return groups() * chunks.inputs + 32; }
  // Bytes of a warp's rows in shared memory.
  __host__ __device__ uint32_t kept_bytes() const {
    return (staged() + staged() / 32) * static_cast<uint32_t>(kRowLaneBytes) << lane_bits;
  }
};

// The shared memory of a warp: places by input, a word of padding for every 32 of them so that
// groups read from different banks.
struct StagedRows {
  uint32_t* positions;
  uint32_t* ends;    // ends[inputs]: label of the run that ends with an input, or kNoLabel
  uint32_t* lasts;   // lasts[inputs / 32]: bit i is set if a run ends with input i of 32
  uint32_t* filled;  // filled[inputs / 32]: bit i is set if slot i of 32 of a list has a row
  float* weights;

  static __host__ __device__ uint32_t padded(uint32_t at) { return at + at / 32; }
  static __host__ __device__ uint32_t words(uint32_t inputs, bool has_weights) {
    return padded(inputs) * (has_weights ? 3 : 2) + 2 * (inputs / 32);
  }
  static __device__ StagedRows cut(uint32_t* words, uint32_t inputs) {
    const uint32_t count = padded(inputs);
    uint32_t* lasts = words + 2 * count;
    uint32_t* filled = lasts + inputs / 32;
    return {words, words + count, lasts, filled, reinterpret_cast<float*>(filled + inputs / 32)};
  }
};

template <int kBytes>
using UnitOfBytes = std::conditional_t<
    kBytes == 16, uint4,
    std::conditional_t<kBytes == 8, uint2, std::conditional_t<kBytes == 4, uint32_t, uint16_t>>>;

// Calls a function with the largest number of elements, of kMost or fewer, that one instruction can
// read or write.
template <int kMost, class In, class Bucket, class Call>
void with_row_unit(const RowArguments<In, Bucket>& arguments, const Call& call) {
  if constexpr (kMost > 1) {
    const auto is_aligned = [](const auto* array) {
      using Element = std::remove_cvref_t<decltype(*array)>;
      return reinterpret_cast<uintptr_t>(array) % alignof(Pack<Element, kMost>) == 0;
    };
    if (arguments.columns % kMost != 0 || !is_aligned(arguments.rows) ||
        !is_aligned(arguments.buckets)) {
      return with_row_unit<kMost / 2>(arguments, call);
    }
  }
  call(std::integral_constant<int, kMost>{});
}

}  // namespace presort::gpu
