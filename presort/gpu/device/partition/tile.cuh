// The work of one block on one tile in a pass of a partition (gpu/device/partition/partition.cuh):
// labels are ranked among those of equal digits, pairs are sorted by their digits in shared memory,
// and each digit's go side by side to where the tile's inputs of that digit belong.
// Source: ranks by votes in a warp as in Adinets and Merrill 2022, "Onesweep"
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <type_traits>

#include "presort/gpu/block/warp_ranks.cuh"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/device/partition/arrays.cuh"
#include "presort/gpu/device/partition/shape.cuh"
#include "presort/gpu/device/partition/tile_memory.cuh"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/left_out_tiles.h"
#include "presort/gpu/warp/search.cuh"

namespace presort::inline v0::gpu {

// Keeps the compiler from keeping a label's digit in a register: computing the digit again takes
// two instructions, and registers are what a tile is short of.
template <class Label>
__device__ void forget_digit(Label& label) {
  if constexpr (sizeof(Label) == 4) {
    asm volatile("" : "+r"(label));
  } else if constexpr (sizeof(Label) == 8) {
    asm volatile("" : "+l"(label));
  }
}

// The work of one block on one tile.
// kIsFull: all inputs of the tile exist. Without asking whether each does, Order::any takes 42
// instructions an input of a warp instead of 72. Values are read after the ranks are known: read
// with the labels, they made a pass by 9 bits take 0.0077 instead of 0.0068, and copied to shared
// memory past the registers, 0.0079 (one H200, 2026-11-22).
template <class Shape, Ranking kRanking, bool kIsFull, class LaneRanks, class Input, class Output>
struct PartitionTile {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  using Shared = PartitionShared<Shape, Output, kRanking>;
  static constexpr bool kReadsPairs = kRanking != Ranking::by_block && requires(Input input) {
    input.pairs;
  };

  const Input& input;
  const PartitionArrays<Output>& arrays;
  Digit digit;
  Shared& shared;
  uint64_t tile = 0;
  uint64_t first = 0;        // index of the tile's first input
  uint32_t count = 0;        // number of the tile's inputs
  uint32_t first_digit = 0;  // first digit of the tile's part among the digits of all parts
  Label label[Shape::kItems];
  Value value[Shape::kItems];
  uint32_t place
      [Shape::kItems];  // place of each input in the sorted tile, set once all digits are counted

  __device__ unsigned lane() const { return threadIdx.x % kWarpLanes; }
  __device__ unsigned warp() const { return threadIdx.x / kWarpLanes; }
  // Index in the tile of the calling thread's input number `item`. A warp has consecutive rows of
  // 32 inputs.
  __device__ uint32_t index(int item) const {
    return (warp() * Shape::kItems + item) * kWarpLanes + lane();
  }

  // Finds the first input of the block's tile and the tile's number of inputs. False: no tile is
  // left.
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

  // Loads the labels of a tile and, if the input is pairs, their values.
  __device__ void load_labels() {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      if (is_input(i)) {
        if constexpr (kReadsPairs) {
          Label labels[1];
          Value values[1];
          input.template load<1>(first + index(i), labels, values);
          label[i] = labels[0];
          value[i] = values[0];
        } else {
          label[i] = input.label(first + index(i));
        }
      }
    }
  }

  __device__ void rank() {
    if constexpr (kRanking == Ranking::by_lanes) {
      // A row is tested for having a single digit only if the first row has a single digit. Tested
      // always, 8 bits took 0.0056 ns an input instead of 0.0054; never tested, all-equal labels
      // took 0.0075 instead of 0.0051 (one H200, 2026-11-22).
      const bool is_first_uniform = is_uniform(is_input(0) ? digit.of(label[0]) : digit.count());
      if (is_first_uniform) {
        rank_rows<true>();
      } else {
        rank_rows<false>();
      }
    } else {
      rank_rows<true>();
    }
    __syncthreads();
  }

  template <bool kMayBeUniform>
  __device__ void rank_rows() {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      const unsigned active = kIsFull ? kAllLanes : __ballot_sync(kAllLanes, is_input(i));
      if (is_input(i)) {
        const uint32_t d = digit.of(label[i]);
        if constexpr (kRanking == Ranking::by_masks) {
          place[i] = rank_in_warp<Shape::kBits>(shared.ranks.counters[warp()],
                                                shared.ranks.masks[warp()], active, d);
        } else if constexpr (kRanking == Ranking::by_lanes && !kMayBeUniform) {
          place[i] = LaneRanks::rank(shared.ranks.counters[warp()], d);
        } else {
          auto* counters = shared.ranks.counters[kRanking == Ranking::by_lanes ? warp() : 0];
          place[i] = rank_in_block<LaneRanks>(counters, active, d);
        }
        forget_digit(label[i]);
      }
    }
  }

  // The number of inputs of a digit in this tile.
  __device__ uint32_t count_digit(uint32_t d) const {
    if constexpr (kRanking == Ranking::by_block) {
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

  // Sets where a digit begins in the sorted tile; for a stable partition, where each warp's inputs
  // of the digit begin, in place of the warp's counters.
  __device__ void begin_digit(uint32_t d, uint32_t begin) {
    if constexpr (kRanking == Ranking::by_block) {
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

  // The first place in the output for the tile's inputs of a digit.
  __device__ uint64_t first_place(uint32_t d, uint32_t of_tile) const {
    if constexpr (kRanking == Ranking::by_block) {
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
    if constexpr (!kReadsPairs) {
#pragma unroll
      for (int i = 0; i < Shape::kItems; ++i) {
        if (is_input(i)) {
          value[i] = input.value(first + index(i));
        }
      }
    }
  }

  __device__ void sort_in_shared() {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      if (is_input(i)) {
        const uint32_t d = digit.of(label[i]);
        if constexpr (kRanking == Ranking::by_block) {
          place[i] += shared.begin[d];
        } else {
          place[i] += shared.ranks.counters[warp()][d];
        }
        if constexpr (kRanking == Ranking::by_lanes) {
          shared.order[place[i] + 1] = d << 16 | index(i);
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

  // Writes the place in the output of each input of the tile. Requires: the digits' places are in
  // shared memory
  __device__ void write_places() const {
#pragma unroll
    for (int i = 0; i < Shape::kItems; ++i) {
      if (is_input(i)) {
        const uint64_t to = shared.place[digit.of(label[i])] + place[i];
        arrays.out.places[first + index(i)] = static_cast<uint32_t>(to);
      }
    }
  }

  // Writes the tile to the output. Returns whether this thread's part of the tile is in order,
  // which Ranking::by_lanes does not promise.
  __device__ bool write_out() const {
    __syncthreads();
    if constexpr (kTracesInputs<Output>) {
      write_places();
    }
    bool is_in_order = true;
#pragma unroll 2
    for (int item = 0; item < Shape::kItems; ++item) {
      const uint32_t i = item * Shape::kThreads + threadIdx.x;
      if (kIsFull || i < count) {
        if constexpr (kRanking == Ranking::by_lanes) {
          is_in_order &= shared.order[i] <= shared.order[i + 1];
        }
        shared.sorted.write(i, arrays.out,
                            [&](Label of) { return shared.place[digit.of(of)] + i; });
      }
    }
    return is_in_order;
  }

  // True if a tile may be left out of the partition because its labels are in order.
  static constexpr bool kMayBeInOrder =
      kRanking == Ranking::by_block && kIsFull && sizeof(Label) >= 4;

  // Compares neighbouring labels in the first row of each warp: counts the pairs that ascend, and
  // those that differ.
  // Requires: shared.neighbours is 0
  __device__ void compare_neighbours() const {
    const Label before = __shfl_up_sync(kAllLanes, label[0], 1);
    const unsigned ascend = __popc(__ballot_sync(kAllLanes, lane() == 0 || before <= label[0]));
    const unsigned differ = __popc(__ballot_sync(kAllLanes, before != label[0]));
    if (lane() == 0) {
      atomicAdd(&shared.neighbours, ascend << 16 | differ);
    }
  }

  // Leaves out the tile if its labels ascend, since atomics to buckets in order are faster than
  // moving the inputs. Of labels in no order half of the neighbours ascend. Labels of which most
  // are equal to their neighbours stay, as atomics would wait for each other. Returns whether the
  // tile was left out, the same for all threads. Requires: neighbours are compared, before a
  // barrier
  __device__ bool leave_out_in_order() const {
    constexpr uint32_t kLeastInOrder = Shape::kThreads - Shape::kThreads / kMostFalling;
    constexpr uint32_t kLeastDifferent = Shape::kThreads / kLeastDiffering;
    const uint32_t neighbours = shared.neighbours;
    if (neighbours >> 16 < kLeastInOrder || (neighbours & 0xffff) < kLeastDifferent) {
      return false;
    }
    for (uint32_t i = threadIdx.x; i < mark_words(digit.count()); i += Shape::kThreads) {
      arrays.rooms.marks[tile * mark_words(digit.count()) + i] = ~0u;
    }
    if (threadIdx.x == 0) {
      atomicAdd(arrays.rooms.left_out, static_cast<unsigned long long>(count));
    }
    return true;
  }

  // Partitions the tile. Returns whether this thread's part is in order, as write_out() does.
  __device__ bool run() {
    load_labels();
    if (kMayBeInOrder && threadIdx.x == 0) {
      shared.neighbours = 0;
    }
    clear_ranks();
    if constexpr (kMayBeInOrder) {
      if (arrays.rooms.marks != nullptr) {
        compare_neighbours();
      }
    }
    rank();
    if constexpr (kMayBeInOrder) {
      if (leave_out_in_order()) {
        return true;
      }
    }
    // Number of consecutive digits that each thread handles.
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
    if (kRanking == Ranking::by_lanes && threadIdx.x == 0) {
      shared.order[0] = 0;
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
    return write_out();
  }
};

}  // namespace presort::gpu
