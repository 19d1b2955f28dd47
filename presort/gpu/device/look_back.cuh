// Look-back: a block learns ⊙ of all tiles before its own while the blocks that have them still run.
// The tiles are the leaves of a tree of 32 branches. The last tile of each group of 32 publishes
// the group's aggregate, the last of 32 groups theirs, and so on; a warp reads the tiles before its
// own in its group, the groups before that in theirs, …: a window of up to 32 descriptors on each
// level, by one load. No tile waits for a prefix, only for aggregates, so nothing is chained from
// tile to tile; and what is grouped with what depends on the number of the tile alone, so that sums
// which round are the same in every run.
//   LookBack<Value> look_back = LookBack<Value>::take(carver, tiles);
//   look_back.clear(stream);                                    // before each launch
//   tile = look_back.next_tile();                               // one thread of the block
//   before = look_back.pass(tile, {state, value}, …, monoid);   // one whole warp of the block
// Shapes:   a descriptor for each tile, group, group of groups, …; for 2^16 tiles 3 % more than
//           tiles
// Requires: tiles are taken by next_tile(), or lower numbers first in any other way; each passes
//           its aggregate, after any waiting that does not depend on later tiles
// Errors:   EnvironmentError when CUDA refuses to clear
// Order:    that of the tiles; ⊙ need not commute
// Source:   Merrill and Garland 2016, whose windows slide back over tiles until a prefix is met;
//           van den Hurk 2022, §3.2, for prefixes that a tile knows by itself
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/base/carver.h"
#include "presort/gpu/device/descriptors.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// ⊙ of the values of all lanes in the order of the lanes, in every lane.
// Requires: all lanes call it
template <class M, class Value>
__device__ Value fold_lanes(Value value, const M& monoid) {
  const int lane = threadIdx.x % kWarpLanes;
#pragma unroll
  for (int lanes = 1; lanes < kWarpLanes; lanes *= 2) {
    const Value after = shuffle_from(value, lane + lanes);
    if (lane + lanes < kWarpLanes) {
      value = monoid(value, after);
    }
  }
  return shuffle_from(value, 0);
}

template <class Value>
class LookBack {
 public:
  static LookBack take(Carver& carver, uint64_t tiles) {
    LookBack look_back;
    look_back.tiles_ = tiles;
    look_back.next_ = carver.take<unsigned>(1);
    look_back.descriptors_ = Descriptors<Value>::take(carver, descriptor_count(tiles));
    return look_back;
  }

  uint64_t tiles() const { return tiles_; }

  void clear(cudaStream_t stream) const {
    const size_t bytes = kLineBytes + Descriptors<Value>::cleared_bytes(descriptor_count(tiles_));
    PRESORT_CUDA(cudaMemsetAsync(next_, 0, bytes, stream));
  }

  // The number of the next tile, which no other block has; beyond tiles() when there is none.
  __device__ unsigned next_tile() const { return atomicAdd(next_, 1u); }

  // Publishes the tile's aggregate, and of the groups that the tile ends. Returns ⊙ of what is
  // before the tile, from the last prefix on, in every lane: if `needs_before`, otherwise any.
  // Requires: all lanes call it, with the same arguments
  template <class M>
  __device__ Value pass(uint32_t tile, const Descriptor<Value>& own, bool needs_before,
                        const M& monoid) const {
    const int lane = threadIdx.x % kWarpLanes;
    if (lane == 0) {
      descriptors_.write(tile, own);
    }
    const bool is_prefix = own.state == TileState::prefix;
    Value before = monoid.identity();
    bool ends_group = true;
    bool meets_prefix = false;
    uint64_t level_begin = 0;       // descriptor
    uint64_t level_count = tiles_;  // of this level
    for (uint32_t node = tile;;) {
      const uint32_t digit = node % kWarpLanes;
      ends_group = ends_group && digit == kWarpLanes - 1;
      const bool reads = (needs_before || (ends_group && !is_prefix)) && !meets_prefix;
      if (reads && digit > 0) {
        const Descriptor<Value> window = read_window(level_begin + node - digit, digit, monoid);
        before = monoid(window.value, before);
        meets_prefix = window.state == TileState::prefix;
      }
      level_begin += level_count;
      level_count /= kWarpLanes;
      node /= kWarpLanes;
      if (ends_group && lane == 0) {
        descriptors_.write(level_begin + node,
                           {is_prefix || meets_prefix ? TileState::prefix : TileState::aggregate,
                            is_prefix ? own.value : monoid(before, own.value)});
      }
      if (node == 0 || !(ends_group || (needs_before && !meets_prefix))) {
        return before;
      }
    }
  }

 private:
  static uint64_t descriptor_count(uint64_t tiles) {
    uint64_t count = 0;
    for (uint64_t level = tiles; level > 0; level /= kWarpLanes) {
      count += level;
    }
    return count;
  }

  // ⊙ of descriptors [first, first + count) from the last prefix on, when these are known.
  template <class M>
  __device__ Descriptor<Value> read_window(uint64_t first, uint32_t count, const M& monoid) const {
    const unsigned lane = threadIdx.x % kWarpLanes;
    Descriptor<Value> seen{TileState::empty, {}};
    while (true) {
      if (lane < count && seen.state == TileState::empty) {
        seen = descriptors_.read(first + lane);
      }
      const unsigned prefixes = __ballot_sync(kAllLanes, seen.state == TileState::prefix);
      const unsigned last_prefix = prefixes == 0 ? 0 : kWarpLanes - 1 - __clz(prefixes);
      const bool counts = lane < count && lane >= last_prefix;
      if (__all_sync(kAllLanes, !counts || seen.state != TileState::empty)) {
        return {prefixes == 0 ? TileState::aggregate : TileState::prefix,
                fold_lanes(counts ? seen.value : monoid.identity(), monoid)};
      }
    }
  }

  unsigned* next_ = nullptr;
  Descriptors<Value> descriptors_;
  uint64_t tiles_ = 0;
};

}  // namespace presort::gpu
