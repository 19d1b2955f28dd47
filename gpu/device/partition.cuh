// One pass of a partition: pairs ordered by one digit of their labels. Inputs are read once and
// written once, after a histogram of all of them has told where each digit starts.
//   Order::stable  those of equal digits in the order of the inputs: the histogram was one of each
//                  tile (gpu/device/tile_places.cuh), which so knows where its digits go
//   Order::any     in any order, maybe another one in each call: a tile takes the next places of a
//                  digit by an atomic; where only a sample was counted, in a room for the digit
//                  that may end before all are in (gpu/device/partition_rooms.cuh)
// Source: ranks by votes in a warp as in Adinets and Merrill 2022, "Onesweep"
#pragma once

#include <bit>
#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <type_traits>

#include "gpu/block/warp_ranks.cuh"
#include "gpu/device/partition_output.cuh"
#include "gpu/device/partition_rooms.cuh"
#include "gpu/device/tile_places.cuh"
#include "gpu/device_limits.h"
#include "gpu/digit.h"
#include "gpu/input.cuh"
#include "gpu/warp/search.cuh"

namespace presort::gpu {

enum class Order { stable, any };

// A tile: kThreads threads, kItems inputs each; up to kDigits digits.
template <int kThreadsValue, int kItemsValue, int kDigitsValue>
struct PartitionShape {
  static constexpr int kThreads = kThreadsValue;
  static constexpr int kItems = kItemsValue;
  static constexpr int kDigits = kDigitsValue;
  static constexpr int kBits = std::countr_zero(static_cast<unsigned>(kDigits));
  static constexpr int kWarps = kThreads / kWarpLanes;
  static constexpr int kTile = kThreads * kItems;
  static constexpr int kDigitsPerThread = (kDigits + kThreads - 1) / kThreads;
  static constexpr int kBlocks = 1024 / kThreads;  // of a multiprocessor: 64 registers a thread
  static_assert(kTile < 1 << 16, "places in a tile have 16 bits");
};

// The tiles of the measured shapes: ns an input of uniform labels, u32 + u32, n = 2^28, one H200,
// 2026-11-22, with the histogram, which is 0.0011 of it. Order::any: 512 x 12 of 256 digits 0.0063,
// 1024 x 12 of 512 and 1024 0.0070 and 0.0078, 1024 x 14 of 2048 0.0100. Order::stable: 384 x 16 of
// 256 0.0073 (x 14 0.0076, 512 x 12 0.0082), 512 x 12 of 1024 0.0108, 512 x 10 of 512 0.0091 (x 16,
// which spills registers, 0.0113), 1024 x 12 of 2048 0.0125 (x 16 0.0134; 512 x 16 0.0187).
template <Order kOrder, int kDigits, class Output>
struct BestShape {
  static constexpr bool kIsStable = kOrder == Order::stable;
  static constexpr bool kIsWide = kIsStable ? kDigits > 1024 : kDigits > 256;
  static constexpr bool kIsNarrow = kIsStable && kDigits == 256;
  static constexpr int kThreads = kIsWide ? 1024 : kIsNarrow ? 384 : 512;
  static constexpr int kItems = kIsNarrow        ? 16
                                : kIsStable      ? (kDigits == 512 ? 10 : 12)
                                : kDigits > 1024 ? 14
                                                 : 12;
  // Larger pairs: half as many; of more than 16 bytes, as many as 8 bytes have room for.
  static constexpr int kOfPairs = Output::kBytes <= 8    ? kItems
                                  : Output::kBytes <= 16 ? kItems / 2
                                                         : kItems * 8 / Output::kBytes;
  using Type = PartitionShape<kThreads, kOfPairs, kDigits>;
};

// Of labels beside values, of more than 8 bytes together. u32 + u64 without the histogram: 512 x 10
// by 7, 8 and 10 bits 0.0091, 0.0120, 0.0236; 1024 x 8 0.0109, 0.0117, 0.0165; 512 x 8 and 12 by 8
// bits 0.0129 and 0.0133 (the same H200).
template <int kDigits, class Label, class Value>
requires(sizeof(Label) + sizeof(Value) > 8 &&
         sizeof(Label) + sizeof(Value) <=
             16) struct BestShape<Order::stable, kDigits, SeparateOutput<Label, Value>> {
  static constexpr bool kIsWide = kDigits > 256;
  using Type = PartitionShape<kIsWide ? 1024 : 512, kIsWide ? 8 : 10, kDigits>;
};

// What the pass is given, in device memory.
template <class Output>
struct PartitionArrays {
  Output out;
  const uint64_t* begins;       // [digits]: where each digit starts in `out`
  unsigned long long* cursors;  // [digits]: the same, before the launch; Order::any
  TilePlaces places;            // Order::stable
  // Of the second pass from the top: the input's parts, each partitioned by itself; begins and
  // cursors are then those of all digits of all parts. One part: null.
  const uint32_t* tile_begins = nullptr;  // [parts + 1]: the first tile of each part
  uint32_t parts = 1;
  PartitionRooms rooms = {};  // Order::any: with null pointers, there is a place for every input
};

// What a tile keeps in shared memory. The counters are done with before the pairs are sorted.
template <class Shape, class Output, Order kOrder>
struct PartitionShared {
  struct OfWarps {
    uint16_t counters[Shape::kWarps][Shape::kDigits];
    uint32_t masks[Shape::kWarps][kMasks<Shape::kBits>];
  };
  struct OfBlock {
    uint32_t counters[1][Shape::kDigits];
  };
  union {
    std::conditional_t<kOrder == Order::stable, OfWarps, OfBlock> ranks;
    typename Output::template Tile<Shape::kTile> sorted;
  };
  uint64_t place[Shape::kDigits];  // in the output, less that in `sorted`
  uint16_t begin[Shape::kDigits];  // in `sorted`; Order::any
  typename cub::BlockScan<uint32_t, Shape::kThreads>::TempStorage scan;
  uint32_t part;
};

// Keeps the compiler from holding on to what it has computed from the label: its digit takes two
// instructions, and registers are what a tile is short of.
template <class Label>
__device__ void forget_digit(Label& label) {
  if constexpr (sizeof(Label) == 4) {
    asm volatile("" : "+r"(label));
  } else if constexpr (sizeof(Label) == 8) {
    asm volatile("" : "+l"(label));
  }
}

// The work of one block on one tile.
// Of a full tile all inputs are there: without asking for each of them, Order::any takes 42
// instructions an input of a warp instead of 72. Values are read after the ranks are known: read
// with the labels, they made a pass by 9 bits take 0.0077 instead of 0.0068, and copied to shared
// memory past the registers, 0.0079 (one H200, 2026-11-22).
template <class Shape, Order kOrder, bool kIsFull, class Input, class Output>
struct PartitionTile {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  using Shared = PartitionShared<Shape, Output, kOrder>;

  const Input& input;
  const PartitionArrays<Output>& arrays;
  Digit digit;
  Shared& shared;
  uint64_t tile = 0;
  uint64_t first = 0;        // input of the tile
  uint32_t count = 0;        // of its inputs
  uint32_t first_digit = 0;  // of the tile's part, among the digits of all
  Label label[Shape::kItems];
  Value value[Shape::kItems];
  uint32_t place[Shape::kItems];  // in `sorted`, once all is known

  __device__ unsigned lane() const { return threadIdx.x % kWarpLanes; }
  __device__ unsigned warp() const { return threadIdx.x / kWarpLanes; }
  // Rows of 32 inputs; those of a warp follow each other.
  __device__ uint32_t index(int item) const {
    return (warp() * Shape::kItems + item) * kWarpLanes + lane();
  }

  // Where the tile lies. False: there is none left.
  __device__ bool take(uint64_t n) {
    if (arrays.tile_begins != nullptr) {
      return take_of_part();
    }
    first = tile * Shape::kTile;
    count = static_cast<uint32_t>(min(static_cast<uint64_t>(Shape::kTile), n - first));
    return true;
  }

  __device__ bool take_of_part() {
    if (tile >= arrays.tile_begins[arrays.parts]) {
      return false;
    }
    if (warp() == 0) {
      shared.part = last_at_or_before(arrays.tile_begins, arrays.parts, tile);
    }
    __syncthreads();
    const uint32_t part = shared.part;
    first_digit = part * digit.count();
    first = arrays.begins[first_digit] + (tile - arrays.tile_begins[part]) * Shape::kTile;
    const uint64_t last = arrays.begins[first_digit + digit.count()];
    count = static_cast<uint32_t>(min(static_cast<uint64_t>(Shape::kTile), last - first));
    return true;
  }

  __device__ bool is_input(int item) const { return kIsFull || index(item) < count; }

  __device__ void clear_ranks() {
    auto* words = reinterpret_cast<uint4*>(&shared.ranks);
    for (unsigned i = threadIdx.x; i < sizeof shared.ranks / sizeof(uint4); i += Shape::kThreads) {
      words[i] = {0, 0, 0, 0};
    }
    __syncthreads();
  }

  __device__ void load_labels() {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      if (is_input(i)) {
        label[i] = input.label(first + index(i));
      }
    }
  }

  __device__ void rank() {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      const unsigned active = kIsFull ? kAllLanes : __ballot_sync(kAllLanes, is_input(i));
      if (is_input(i)) {
        const uint32_t d = digit.of(label[i]);
        if constexpr (kOrder == Order::stable) {
          place[i] = rank_in_warp<Shape::kBits>(shared.ranks.counters[warp()],
                                                shared.ranks.masks[warp()], active, d);
        } else {
          place[i] = rank_in_block(shared.ranks.counters[0], active, d);
        }
        forget_digit(label[i]);
      }
    }
    __syncthreads();
  }

  // The inputs of a digit in this tile.
  __device__ uint32_t count_digit(uint32_t d) const {
    if constexpr (kOrder == Order::any) {
      return shared.ranks.counters[0][d];
    } else {
      uint32_t sum = 0;
#pragma unroll
      for (int w = 0; w < Shape::kWarps; ++w) {
        sum += shared.ranks.counters[w][d];
      }
      return sum;
    }
  }

  // Where a digit begins in `sorted`; of a stable partition, where that of each warp does, in place
  // of its counters.
  __device__ void begin_digit(uint32_t d, uint32_t begin) {
    if constexpr (kOrder == Order::any) {
      shared.begin[d] = static_cast<uint16_t>(begin);
    } else {
#pragma unroll
      for (int w = 0; w < Shape::kWarps; ++w) {
        auto& counter = shared.ranks.counters[w][d];
        const uint32_t of_warp = counter;
        counter = static_cast<std::remove_reference_t<decltype(counter)>>(begin);
        begin += of_warp;
      }
    }
  }

  // Where the digit's inputs of this tile go.
  __device__ uint64_t first_place(uint32_t d, uint32_t of_tile) const {
    if constexpr (kOrder == Order::any) {
      if (of_tile == 0) {
        return 0;
      }
      const uint64_t at = atomicAdd(arrays.cursors + first_digit + d, of_tile);
      const bool is_room =
          arrays.rooms.fills == nullptr || at + of_tile <= arrays.begins[first_digit + d + 1];
      return is_room ? at : leave_out(d, of_tile, at);
    } else {
      return arrays.places.place(tile, digit.count(), d);
    }
  }

  __device__ uint64_t leave_out(uint32_t d, uint32_t of_tile, uint64_t at) const {
    const PartitionRooms& rooms = arrays.rooms;
    atomicMin(rooms.fills + d, static_cast<unsigned long long>(at));
    atomicAdd(rooms.left_out, static_cast<unsigned long long>(of_tile));
    atomicOr(rooms.marks + tile * mark_words(digit.count()) + d / 32, 1u << d % 32);
    return rooms.spill + shared.begin[d];
  }

  __device__ void load_values() {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      if (is_input(i)) {
        value[i] = input.value(first + index(i));
      }
    }
  }

  __device__ void sort_in_shared() {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      if (is_input(i)) {
        const uint32_t d = digit.of(label[i]);
        if constexpr (kOrder == Order::any) {
          place[i] += shared.begin[d];
        } else {
          place[i] += shared.ranks.counters[warp()][d];
        }
        forget_digit(label[i]);
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      if (is_input(i)) {
        shared.sorted.put(place[i], label[i], value[i]);
      }
    }
  }

  __device__ void write_out() const {
    __syncthreads();
#pragma unroll 2
    for (int item = 0; item < Shape::kItems; ++item) {
      const uint32_t i = item * Shape::kThreads + threadIdx.x;
      if (kIsFull || i < count) {
        shared.sorted.write(i, arrays.out,
                            [&](Label of) { return shared.place[digit.of(of)] + i; });
      }
    }
  }

  __device__ void run() {
    load_labels();
    clear_ranks();
    rank();
    // Each thread has kDigitsPerThread digits, side by side.
    uint32_t of_tile[Shape::kDigitsPerThread];
    uint32_t begin[Shape::kDigitsPerThread];
    const uint32_t own = threadIdx.x * Shape::kDigitsPerThread;
#pragma unroll
    for (int j = 0; j < Shape::kDigitsPerThread; ++j) {
      of_tile[j] = own + j < digit.count() ? count_digit(own + j) : 0;
    }
    cub::BlockScan<uint32_t, Shape::kThreads>(shared.scan).ExclusiveSum(of_tile, begin);
#pragma unroll
    for (int j = 0; j < Shape::kDigitsPerThread; ++j) {
      if (own + j < digit.count()) {
        begin_digit(own + j, begin[j]);
      }
    }
    load_values();
    __syncthreads();
    sort_in_shared();
#pragma unroll
    for (int j = 0; j < Shape::kDigitsPerThread; ++j) {
      if (own + j < digit.count()) {
        shared.place[own + j] = first_place(own + j, of_tile[j]) - begin[j];
      }
    }
    write_out();
  }
};

// Tiles first_tile + blockIdx.x.
template <class Shape, Order kOrder, bool kIsFull, class Input, class Output>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    partition_kernel(Input input, uint64_t n, uint64_t first_tile, PartitionArrays<Output> arrays,
                     Digit digit) {
  using Tile = PartitionTile<Shape, kOrder, kIsFull, Input, Output>;
  extern __shared__ __align__(16) unsigned char raw[];
  Tile tile{input, arrays, digit, *reinterpret_cast<typename Tile::Shared*>(raw),
            first_tile + blockIdx.x};
  if (tile.take(n)) {
    tile.run();
  }
}

}  // namespace presort::gpu
