// Look-back: a block learns ⊙ of all tiles before its own while the blocks that have them still
// run. The tiles are the leaves of a tree of 32 branches. The last tile of each group of 32
// publishes the group's aggregate, the last of 32 groups theirs, and so on. A warp asks at once for
// the tiles before its own in its group, those of the group before, the groups before that in
// theirs, …: up to 32 descriptors by one load each. Only the first two may still be on their way.
// No tile waits for a prefix, so nothing is chained from tile to tile, and what is grouped with
// what depends on the number of the tile alone, so that sums which round are the same in every run.
//   LookBack<Value> look_back = LookBack<Value>::take(carver, tiles);
//   look_back.clear(stream);                                    // before each launch, or
//   look_back.leave_to_launch(); look_back.clear_in_launch();   // on the host; by all threads
//   tile = look_back.next_tile();                               // one thread of the block
//   look_back.publish(tile, {state, value});                    // one thread
//   before = look_back.before(tile, {state, value}, …);         // one whole warp, soon after
// Shapes:   a descriptor for each tile, group, group of groups, …: 3 % more than tiles
// Requires: tiles are taken by next_tile(), or lower numbers first in any other way; for each both
//           functions are called, whoever needs the result, without waiting for later tiles
// Errors:   EnvironmentError when CUDA refuses to clear
// Order:    that of the tiles; ⊙ need not commute
// Source:   Merrill and Garland 2016, whose windows slide back over tiles until a prefix is met;
//           van den Hurk 2022, §3.2, for prefixes that a tile knows by itself
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/base/carver.h"
#include "presort/gpu/device/ordered/cluster.cuh"
#include "presort/gpu/device/ordered/descriptors.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/host_device.h"
#include "presort/gpu/warp/scan.cuh"

namespace presort::inline v0::gpu {

template <class Value>
class LookBack {
 public:
  static LookBack take(Carver& carver, uint64_t tiles) {
    LookBack look_back;
    look_back.tiles_ = tiles;
    look_back.next_ = carver.take<unsigned>(1);
    look_back.first_cleared_ = look_back.next_;
    look_back.descriptors_ = Descriptors<Value>::take(carver, descriptor_count(tiles));
    return look_back;
  }

  PRESORT_HOST_DEVICE uint64_t tiles() const { return tiles_; }

  // Makes clear() and clear_in_launch() clear the scratch from `first` on too, which lies before
  // the descriptors.
  void clear_from(void* first) { first_cleared_ = static_cast<unsigned*>(first); }

  // False if there is nothing to clear: a single tile publishes nothing and is not given out by
  // next_tile().
  bool needs_clear() const { return tiles_ > 1 || first_cleared_ != next_; }

  // The look-back's own memory that clear() clears: words [first, first + count).
  struct Words {
    uint32_t* first;
    uint64_t count;
  };
  Words words() const {
    const auto before = static_cast<size_t>(next_ - first_cleared_);
    return {next_, bytes_to_clear() / sizeof *next_ - before};
  }

  void clear(cudaStream_t stream) const {
    PRESORT_CUDA(cudaMemsetAsync(first_cleared_, 0, bytes_to_clear(), stream));
  }

  // Has the launch clear the descriptors, in place of clear(). Requires: the launch is one cluster,
  // whose kernel calls clear_in_launch() first
  void leave_to_launch() {
    words_left_ = static_cast<uint32_t>(bytes_to_clear() / sizeof *first_cleared_);
  }
  // True if the kernel itself must clear the descriptors, by clear_in_launch().
  __device__ bool is_left_to_launch() const { return words_left_ > 0; }
  // Clears the descriptors if they were left to the launch. Requires: all threads call it
  __device__ void clear_in_launch() const {
    if (is_left_to_launch()) {
      clear_in_cluster(first_cleared_, words_left_);
    }
  }

  // Takes the number of the next tile, or the first number of the next `count` tiles; each tile
  // goes to one caller. Numbers from tiles() on mean that none is left. Requires: more than one
  // tile
  __device__ unsigned next_tile(unsigned count = 1) const { return atomicAdd(next_, count); }

  // Publishes the reduction of the tile's own values: as a prefix if nothing before the tile
  // matters to what follows.
  __device__ void publish(uint32_t tile, const Descriptor<Value>& own) const {
    descriptors_.write(tile, own);
  }

  // Publishes, then looks back: publish() and before() in one call. Requires: all lanes call it,
  // with the same arguments
  template <class M>
  __device__ Value pass(uint32_t tile, const Descriptor<Value>& own, bool needs_before,
                        const M& monoid) const {
    if (threadIdx.x % kWarpLanes == 0) {
      publish(tile, own);
    }
    return before(tile, own, needs_before, monoid);
  }

  // Publishes the aggregates of groups that end with this tile. Returns, in every lane, ⊙ of the
  // tiles before this one, from the last prefix on; without `needs_before` an arbitrary value.
  // With `orders_memory`, whatever the blocks of those tiles read and wrote before their fence and
  // publish() is done when this returns. A tile that overwrites what earlier tiles read needs it.
  // Requires: all lanes call it, with the same arguments
  template <class M>
  __device__ Value before(uint32_t tile, const Descriptor<Value>& own, bool needs_before,
                          const M& monoid, bool orders_memory = false) const {
    const uint32_t group = tile / kWarpLanes;
    const bool is_prefix = own.state == TileState::prefix;
    const bool ends_group = tile % kWarpLanes == kWarpLanes - 1;
    Window of_group = window_before(0, tile);
    Window of_last{};
    Window of_groups{};
    Window of_parents{};
    if (needs_before || (ends_group && !is_prefix)) {
      look(of_group);
    }
    if (needs_before && group > 0) {
      of_last = {uint64_t{kWarpLanes} * (group - 1), kWarpLanes};
      of_groups = window_before(tiles_, group - 1);
      of_parents = window_before(tiles_ + tiles_ / kWarpLanes, (group - 1) / kWarpLanes);
      look(of_last);
      look(of_groups);
      look(of_parents);
    }
    Descriptor<Value> all{TileState::aggregate, monoid.identity()};
    if (needs_before || (ends_group && !is_prefix)) {
      all = wait_for(of_group, orders_memory, monoid);
    }
    if (ends_group) {
      end_groups(group, is_prefix ? own : join(all, own, monoid), orders_memory, monoid);
    }
    if (!needs_before || group == 0) {
      return all.value;
    }
    const auto prepend = [&](Window& window) {
      if (all.state != TileState::prefix) {
        all = join(wait_for(window, orders_memory, monoid), all, monoid);
      }
    };
    prepend(of_last);
    prepend(of_groups);
    prepend(of_parents);
    uint64_t level_begin = tiles_ + tiles_ / kWarpLanes;
    uint64_t level_count = tiles_ / (kWarpLanes * kWarpLanes);
    for (uint32_t node = (group - 1) / (kWarpLanes * kWarpLanes); node > 0; node /= kWarpLanes) {
      level_begin += level_count;
      level_count /= kWarpLanes;
      Window above = window_before(level_begin, node);
      prepend(above);
    }
    return all.value;
  }

 private:
  // A window of up to 32 descriptors, [first, first + count): each lane loads one.
  struct Window {
    uint64_t first;
    uint32_t count;
    Descriptor<Value> seen;  // descriptor that the lane loaded; empty if none was published
  };

  size_t bytes_to_clear() const {
    const auto before = static_cast<size_t>(next_ - first_cleared_) * sizeof *next_;
    return before + kLineBytes + Descriptors<Value>::cleared_bytes(descriptor_count(tiles_));
  }
  static uint64_t descriptor_count(uint64_t tiles) {
    uint64_t count = 0;
    for (uint64_t level = tiles; level > 0; level /= kWarpLanes) {
      count += level;
    }
    return count;
  }

  // The window of tree nodes before `node` that have the same parent.
  static __device__ Window window_before(uint64_t level_begin, uint32_t node) {
    const uint32_t digit = node % kWarpLanes;
    return {level_begin + node - digit, digit, {}};
  }
  __device__ void look(Window& window) const {
    const uint32_t lane = threadIdx.x % kWarpLanes;
    if (lane < window.count && window.seen.state == TileState::empty) {
      window.seen = descriptors_.read(window.first + lane);
    }
  }

  // Returns ⊙ of the values of a window's tiles, from the last tile with a prefix on. Waits until
  // all these values are published.
  template <class M>
  __device__ Descriptor<Value> wait_for(Window& window, bool orders_memory, const M& monoid) const {
    const uint32_t lane = threadIdx.x % kWarpLanes;
    while (true) {
      const unsigned prefixes = __ballot_sync(kAllLanes, window.seen.state == TileState::prefix);
      const unsigned last_prefix = prefixes == 0 ? 0 : kWarpLanes - 1 - __clz(prefixes);
      const bool counts = lane < window.count && lane >= last_prefix;
      if (__all_sync(kAllLanes, !counts || window.seen.state != TileState::empty)) {
        if (orders_memory) {
          __threadfence();
        }
        return {prefixes == 0 ? TileState::aggregate : TileState::prefix,
                fold_lanes(counts ? window.seen.value : monoid.identity(), monoid)};
      }
      look(window);
    }
  }

  // The descriptor of two consecutive runs of tiles, `a` before `b`.
  template <class M>
  static __device__ Descriptor<Value> join(const Descriptor<Value>& a, const Descriptor<Value>& b,
                                           const M& monoid) {
    return b.state == TileState::prefix ? b : Descriptor<Value>{a.state, monoid(a.value, b.value)};
  }

  // Publishes the aggregate of a group of tiles, and of the larger groups that end with this group.
  template <class M>
  __device__ void end_groups(uint32_t group, Descriptor<Value> aggregate, bool orders_memory,
                             const M& monoid) const {
    uint64_t level_begin = tiles_;
    uint64_t level_count = tiles_ / kWarpLanes;
    for (uint32_t node = group;; node /= kWarpLanes) {
      if (threadIdx.x % kWarpLanes == 0) {
        descriptors_.write(level_begin + node, aggregate);
      }
      if (node % kWarpLanes != kWarpLanes - 1) {
        return;
      }
      if (aggregate.state != TileState::prefix) {
        Window window = window_before(level_begin, node);
        aggregate = join(wait_for(window, orders_memory, monoid), aggregate, monoid);
      }
      level_begin += level_count;
      level_count /= kWarpLanes;
    }
  }

  unsigned* next_ = nullptr;
  Descriptors<Value> descriptors_;
  uint64_t tiles_ = 0;
  unsigned* first_cleared_ = nullptr;
  uint32_t words_left_ =
      0;  // descriptor words for the launch to clear; 0: they were cleared before
};

}  // namespace presort::gpu
