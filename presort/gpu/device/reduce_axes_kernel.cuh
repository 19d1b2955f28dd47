// The kernels of a reduction over axes of strided tensors (gpu/reduce_axes.cuh). A warp has a tile
// of results: some along the lane axis, each with as many lanes as reduce together, and each lane
// has kBlock results along the block axis. The lanes that reduce together step along the last
// reduced axis; the other reduced axes are walked one index after the other. Where there are few
// results, the reduction is cut into pieces, whose values a second kernel joins in their order.
// Order: depends on shape, strides and types alone; that of the axes where ⊙ does not commute
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

#include "presort/core/axes/axes_layout.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/host_device.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kAxesThreads = 256;

// The axes of a reduction, with arrays of fixed size, so that it can be a kernel's argument.
struct AxesGeometry {
  Axis lane;               // the kept axis along which neighbouring lanes have results
  Axis block;              // the kept axis along which one lane has several results
  Axis others[kMostAxes];  // kept axes other than the lane axis and the block axis
  int other_count = 0;
  Axis inner;              // the last reduced axis of the tensor
  Axis outers[kMostAxes];  // reduced axes except the last; the fastest changing one is last
  int outer_count = 0;
  int reducing_bits = 0;  // log2 of the lanes that reduce together
  bool blocks_lane_axis =
      false;  // true: a lane's results lie along the lane axis, a tile's lanes apart
  uint64_t lane_tiles = 1;
  uint64_t block_tiles = 1;
  uint64_t tiles = 1;  // number of tiles of results; a warp takes one
  uint64_t pieces = 1;
  uint64_t piece_inner = 1;  // number of elements of the inner axis in a piece of the reduction
  uint64_t piece_outer = 1;  // number of steps of the outer axes in a piece of the reduction
  uint64_t outer_total = 1;
};

// Number of result slots of all tiles of a reduction over axes, or of one piece where it is cut.
template <int kBlock>
PRESORT_HOST_DEVICE uint64_t slots_of(const AxesGeometry& axes) {
  return axes.tiles * (kLanes >> axes.reducing_bits) * kBlock;
}

// Divides `number` by a divisor in place: it becomes the quotient, and the remainder is returned.
inline __device__ uint64_t take_remainder(uint64_t& number, uint64_t divisor) {
  if (divisor == 1) {
    return 0;
  }
  if ((number | divisor) >> 32 == 0) {
    const auto small = static_cast<uint32_t>(number);
    const uint32_t quotient = small / static_cast<uint32_t>(divisor);
    number = quotient;
    return small - quotient * static_cast<uint32_t>(divisor);
  }
  const uint64_t quotient = number / divisor;
  const uint64_t remainder = number - quotient * divisor;
  number = quotient;
  return remainder;
}

// The place of a lane's results on the lane axis and the block axis.
struct ResultPlace {
  uint64_t along_lane;   // the lane's index on the lane axis, clamped to the axis' extent
  bool exists;           // false: the index was clamped, so the lane has no result
  uint64_t first_block;  // index of the lane's first result on the block axis
  int blocks;            // number of the lane's results along the block axis
  int64_t offset = 0;    // offset of the lane's first result in the result tensor, elements
};

// Finds where a lane's results lie. For each kept axis other than the lane and block axes, calls
// add(axis, the results' index on it).
template <int kBlock, class Add>
__device__ ResultPlace find_place(const AxesGeometry& axes, uint64_t tile, uint64_t lane_of_tile,
                                  const Add& add) {
  ResultPlace place;
  const uint64_t lanes = kLanes >> axes.reducing_bits;
  place.first_block = take_remainder(tile, axes.block_tiles) * kBlock;
  const uint64_t of_tile = axes.blocks_lane_axis ? lanes * kBlock : lanes;
  const uint64_t at = take_remainder(tile, axes.lane_tiles) * of_tile + lane_of_tile;
  place.exists = at < axes.lane.extent;
  place.along_lane = min(at, axes.lane.extent - 1);
  const uint64_t blocks = axes.blocks_lane_axis
                              ? (axes.lane.extent - place.along_lane - 1) / lanes + 1
                              : axes.block.extent - place.first_block;
  place.blocks = static_cast<int>(min(static_cast<uint64_t>(kBlock), blocks));
  place.offset = static_cast<int64_t>(place.along_lane) * axes.lane.result_stride +
                 static_cast<int64_t>(place.first_block) * axes.block.result_stride;
  for (int a = axes.other_count - 1; a >= 0; --a) {
    const uint64_t index = take_remainder(tile, axes.others[a].extent);
    place.offset += static_cast<int64_t>(index) * axes.others[a].result_stride;
    add(axes.others[a], index);
  }
  return place;
}

// ⊙ over the lanes that reduce together, in their order; the first of these lanes gets the result.
// Requires: all lanes of the warp call it
template <class Value, class M>
__device__ Value fold_group(Value value, int reducing_bits, const M& monoid) {
  const int lane = static_cast<int>(threadIdx.x % kWarpLanes);
  for (int bit = 0; bit < reducing_bits; ++bit) {
    const Value after = shuffle_from(value, (lane + (1 << bit)) % kWarpLanes);
    if ((lane & ((2 << bit) - 1)) == 0) {
      value = monoid(value, after);
    }
  }
  return value;
}

// Loads one element of each operand at given offsets and applies the user's map.
template <int kBlock, class Value, class Map, class... In>
struct AxesOperands {
  static constexpr int kCount = sizeof...(In);
  std::tuple<const In*...> data;
  Map map;

  // Sets values[r] to map of the elements at offsets + steps · strides + r · block, for r < blocks;
  // larger r get that of the last one. kIsFull: blocks == kBlock
  template <bool kIsFull>
  __device__ void load(const Axis& block, const int64_t (&offsets)[kCount], int64_t steps,
                       const int64_t (&strides)[kCount], int blocks,
                       Value (&values)[kBlock]) const {
    load_all<kIsFull>(block, offsets, steps, strides, blocks, values,
                      std::index_sequence_for<In...>{});
  }

 private:
  template <bool kIsFull, size_t... kOperand>
  __device__ void load_all(const Axis& block, const int64_t (&offsets)[kCount], int64_t steps,
                           const int64_t (&strides)[kCount], int blocks, Value (&values)[kBlock],
                           std::index_sequence<kOperand...>) const {
    std::tuple<std::array<In, kBlock>...> elements;
    (load_one<kIsFull>(std::get<kOperand>(data) + offsets[kOperand] + steps * strides[kOperand],
                       block.strides[kOperand], blocks, std::get<kOperand>(elements)),
     ...);
#pragma unroll
    for (int r = 0; r < kBlock; ++r) {
      values[r] = map(std::get<kOperand>(elements)[r]...);
    }
  }

  template <bool kIsFull, class T>
  __device__ static void load_one(const T* from, int64_t stride, int blocks,
                                  std::array<T, kBlock>& elements) {
    if (kBlock == 1 || stride == 0) {
      const T element = *from;
#pragma unroll
      for (int r = 0; r < kBlock; ++r) {
        elements[r] = element;
      }
    } else {
#pragma unroll
      for (int r = 0; r < kBlock; ++r) {
        elements[r] = *from;
        from += kIsFull || r + 1 < blocks ? stride : 0;
      }
    }
  }
};

// Elements of the inner axis that a lane has in a step. Values of 8 bytes in blocks leave registers
// for only one: the reduction of Magnetic Field Extrapolation took 2.75 to 4.4 ms with one and 4.1
// to 7.3 ms with two; rows of 4 and of 256 floats 0.97 and 0.70 ms with one, 0.70 and 0.46 ms with
// two (one H200, 2026-11-25).
template <int kBlock, class Value>
inline constexpr int kAxesItems = kBlock == 1          ? 16
                                  : sizeof(Value) <= 4 ? 2
                                                       : 1;

// The kernel that reduces axes. results: the result tensor's first element, or slots for pieces.
template <int kBlock, class Value, class M, class Operands>
__global__ void __launch_bounds__(kAxesThreads, 2)
    reduce_axes_kernel(AxesGeometry axes, Operands operands, Value* results, Value* slots,
                       M monoid) {
  constexpr int kItems = kAxesItems<kBlock, Value>;
  constexpr int kOperands = Operands::kCount;
  const uint64_t warp =
      (static_cast<uint64_t>(blockIdx.x) * kAxesThreads + threadIdx.x) / kWarpLanes;
  if (warp >= axes.tiles * axes.pieces) {
    return;
  }
  uint64_t piece = warp;
  const uint64_t tile = take_remainder(piece, axes.tiles);
  const uint32_t lane = threadIdx.x % kWarpLanes;
  const uint32_t reducing = 1u << axes.reducing_bits;
  const uint32_t among = lane & (reducing - 1);
  const uint32_t lane_of_tile = lane >> axes.reducing_bits;
  int64_t offsets[kOperands] = {};
  const auto add = [&](const Axis& axis, uint64_t index) {
#pragma unroll
    for (int i = 0; i < kOperands; ++i) {
      offsets[i] += static_cast<int64_t>(index) * axis.strides[i];
    }
  };
  const ResultPlace place = find_place<kBlock>(axes, tile, lane_of_tile, add);
  add(axes.lane, place.along_lane);
  add(axes.block, place.first_block);

  const uint64_t outer_pieces = (axes.outer_total + axes.piece_outer - 1) / axes.piece_outer;
  const uint64_t outer_piece = take_remainder(piece, outer_pieces);
  const uint64_t first_outer = outer_piece * axes.piece_outer;
  const uint64_t last_outer = min(first_outer + axes.piece_outer, axes.outer_total);
  const uint64_t first_inner = piece * axes.piece_inner;
  const uint64_t last_inner = min(first_inner + axes.piece_inner, axes.inner.extent);
  uint64_t index[kMostAxes] = {};  // current index on each outer axis
  if (axes.outer_count > 0) {
    uint64_t rest = first_outer;
#pragma unroll
    for (int a = kMostAxes - 1; a >= 0; --a) {
      if (a < axes.outer_count) {
        index[a] = take_remainder(rest, axes.outers[a].extent);
        add(axes.outers[a], index[a]);
      }
    }
  }
  Value sum[kBlock];
#pragma unroll
  for (Value& value : sum) {
    value = monoid.identity();
  }
  // In a step over the inner axis, neighbouring lanes have neighbouring elements, or, if the order
  // matters, runs of kItems elements.
  const uint64_t step = uint64_t{reducing} * kItems;
  const uint32_t own = M::is_commutative ? among : among * kItems;
  const uint32_t apart = M::is_commutative ? reducing : 1;
  int64_t strides[kOperands];
#pragma unroll
  for (int i = 0; i < kOperands; ++i) {
    strides[i] = axes.inner.strides[i];
  }
  const bool is_full_tile = __all_sync(kAllLanes, place.blocks == kBlock);
  for (uint64_t outer = first_outer; outer < last_outer; ++outer) {
    for (uint64_t first = first_inner; first < last_inner; first += step) {
      Value values[kItems][kBlock];
      if (is_full_tile && first + step <= last_inner) {
        int64_t from[kOperands];
        int64_t strides_of_items[kOperands];
#pragma unroll
        for (int i = 0; i < kOperands; ++i) {
          from[i] = offsets[i] + static_cast<int64_t>(first + own) * strides[i];
          strides_of_items[i] = apart * strides[i];
        }
#pragma unroll
        for (int j = 0; j < kItems; ++j) {
          operands.template load<true>(axes.block, from, j, strides_of_items, kBlock, values[j]);
        }
      } else {
#pragma unroll
        for (int j = 0; j < kItems; ++j) {
          const uint64_t at = first + own + apart * j;
          const bool is_any = !M::is_commutative || first + uint64_t{reducing} * j < last_inner;
          if (is_any) {
            operands.template load<false>(axes.block, offsets,
                                          static_cast<int64_t>(min(at, last_inner - 1)), strides,
                                          place.blocks, values[j]);
          }
          if (!is_any || at >= last_inner) {
#pragma unroll
            for (int r = 0; r < kBlock; ++r) {
              values[j][r] = monoid.identity();
            }
          }
        }
      }
#pragma unroll
      for (int r = 0; r < kBlock; ++r) {
        if constexpr (M::is_commutative) {
#pragma unroll
          for (int j = 0; j < kItems; ++j) {
            sum[r] = monoid(sum[r], values[j][r]);
          }
        } else {
          Value of_step = values[0][r];
#pragma unroll
          for (int j = 1; j < kItems; ++j) {
            of_step = monoid(of_step, values[j][r]);
          }
          sum[r] = monoid(sum[r], fold_group(of_step, axes.reducing_bits, monoid));
        }
      }
    }
    if (axes.outer_count == 0) {
      break;  // without outer axes there is only one step
    }
    bool carries = true;  // true: the index carries over to the next outer axis
#pragma unroll
    for (int a = kMostAxes - 1; a >= 0; --a) {
      if (a < axes.outer_count && carries) {
        carries = index[a] + 1 == axes.outers[a].extent;
#pragma unroll
        for (int i = 0; i < kOperands; ++i) {
          const int64_t stride = axes.outers[a].strides[i];
          offsets[i] += carries ? -static_cast<int64_t>(index[a]) * stride : stride;
        }
        index[a] = carries ? 0 : index[a] + 1;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kBlock; ++r) {
    const Value value = M::is_commutative ? fold_group(sum[r], axes.reducing_bits, monoid) : sum[r];
    if (among == 0 && place.exists && r < place.blocks) {
      if (axes.pieces == 1) {
        results[place.offset + r * axes.block.result_stride] = value;
      } else {
        const uint64_t number = warp / axes.tiles;
        const uint64_t slot = (tile * (kLanes >> axes.reducing_bits) + lane_of_tile) * kBlock + r;
        slots[number * slots_of<kBlock>(axes) + slot] = value;
      }
    }
  }
}

// How the threads of a joining block are laid over results and pieces: neighbouring threads have
// neighbouring results, so that their loads are adjacent; what is left of the block shares the
// pieces.
struct JoinShape {
  int slot_bits;  // log2 of the results that a block joins
  PRESORT_HOST_DEVICE uint32_t slots() const { return 1u << slot_bits; }
  PRESORT_HOST_DEVICE uint32_t groups() const { return kAxesThreads >> slot_bits; }
};

// Most bytes of a value that threads hand on to each other
inline constexpr size_t kMostJoinedBytes = 64;

// Shape of the kernel that joins the pieces of a reduction. A thread joins all pieces of its result
// if there are few, or if values have more than kMostJoinedBytes; otherwise the threads of a block
// share the pieces of at most 32 results.
inline JoinShape join_shape(uint64_t slots, uint64_t pieces, size_t value_bytes) {
  constexpr uint64_t kFewPieces = 8;
  const int most_bits = pieces <= kFewPieces || value_bytes > kMostJoinedBytes ? 8 : 5;
  static_assert(1 << 8 == kAxesThreads);
  JoinShape shape{0};
  while (shape.slot_bits < most_bits && (most_bits == 8 || shape.slots() < slots)) {
    ++shape.slot_bits;
  }
  return shape;
}

// The kernel that joins pieces: results = ⊙ of the values of all pieces, in their order. A thread
// joins consecutive pieces of one result, then the threads of a result join theirs like a tree.
template <int kBlock, class Value, class M>
__global__ void __launch_bounds__(kAxesThreads)
    join_axes_kernel(AxesGeometry axes, JoinShape shape, const Value* slots, Value* results,
                     M monoid) {
  constexpr int kAhead = sizeof(Value) <= 16 ? 8 : 2;  // number of loads under way in a thread
  constexpr bool kHandsOn = sizeof(Value) <= kMostJoinedBytes;
  __shared__ __align__(16) unsigned char raw[(kHandsOn ? kAxesThreads : 1) * sizeof(Value)];
  auto* const sums = reinterpret_cast<Value*>(raw);
  const uint64_t count = slots_of<kBlock>(axes);
  const uint32_t group = threadIdx.x >> shape.slot_bits;
  const uint64_t slot =
      static_cast<uint64_t>(blockIdx.x) * shape.slots() + (threadIdx.x & (shape.slots() - 1));
  const uint64_t share = (axes.pieces + shape.groups() - 1) / shape.groups();
  const uint64_t last = slot < count ? min((group + 1) * share, axes.pieces) : 0;
  Value sum = monoid.identity();
  for (uint64_t piece = group * share; piece < last; piece += kAhead) {
    Value value[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      value[i] = piece + i < last ? slots[(piece + i) * count + slot] : monoid.identity();
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      sum = monoid(sum, value[i]);
    }
  }
  if (kHandsOn && shape.groups() > 1) {
    sums[threadIdx.x] = sum;
    for (uint32_t apart = 1; apart < shape.groups(); apart *= 2) {
      __syncthreads();
      if (group % (2 * apart) == 0) {
        sum = monoid(sum, sums[threadIdx.x + (apart << shape.slot_bits)]);
        sums[threadIdx.x] = sum;
      }
    }
  }
  if (group > 0 || slot >= count) {
    return;
  }
  uint64_t rest = slot;
  const auto r = static_cast<int>(take_remainder(rest, kBlock));
  const uint64_t lane_of_tile = take_remainder(rest, kLanes >> axes.reducing_bits);
  const ResultPlace place =
      find_place<kBlock>(axes, rest, lane_of_tile, [](const Axis&, uint64_t) {});
  if (place.exists && r < place.blocks) {
    results[place.offset + r * axes.block.result_stride] = sum;
  }
}

}  // namespace presort::gpu
