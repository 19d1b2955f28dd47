// Look-back of single threads, over the tiles of many chains that run side by side: of each bucket,
// ⊙ of what stands before a tile. As in gpu/device/ordered/look_back.cuh, where a warp looks back
// for one chain, the tiles are the leaves of a tree, here of kChainBranches; the last tile of a
// group publishes the group's aggregate, and a thread reads the tiles before its own in its group,
// the groups before that in theirs, and so on. No tile waits for another's prefix, and what is
// grouped with what depends on the number of the tile alone: the result is the same in every call,
// of sums that round as well. Walking back to the nearest known prefix instead, 8 tiles at a time,
// let a tile of 256 buckets pass every 60 ns, however short it was (one H200, 2026-11-25).
// Requires: tiles begin in the order of their numbers
// Source:   Merrill and Garland 2016
#pragma once

#include <cstdint>

#include "presort/core/base/carver.h"
#include "presort/gpu/device/ordered/descriptors.cuh"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

inline constexpr int kChainBranches = 8;

template <class Value>
class ChainTree {
 public:
  // Takes scratch for a look-back tree over `tiles` tiles, each with an entry for each of `chains`
  // chains.
  static ChainTree take(Carver& carver, uint64_t tiles, uint64_t chains) {
    ChainTree tree;
    tree.tiles_ = tiles;
    tree.chains_ = chains;
    tree.next_ = carver.take<unsigned>(1);
    tree.descriptors_ = Descriptors<Value>::take(carver, tree.entry_count());
    return tree;
  }
  // Clears the tree; to be called before each launch. Errors: EnvironmentError when CUDA refuses
  void clear(cudaStream_t stream) const {
    const size_t bytes = kLineBytes + Descriptors<Value>::cleared_bytes(entry_count());
    PRESORT_CUDA(cudaMemsetAsync(next_, 0, bytes, stream));
  }

  // Takes the number of the next tile; each number goes to one block only. Called by one thread of
  // a block
  __device__ unsigned next_tile() const { return atomicAdd(next_, 1u); }

  // Publishes what a tile adds to a chain. Called by one thread for each tile and chain
  __device__ void publish(uint64_t tile, uint64_t chain, const Value& own) const {
    write(tile, chain, own);
  }

  // ⊙ of what the tiles before this one add to a chain; also publishes the aggregates of the groups
  // that the tile ends. Called by one thread for each tile and chain, after publish()
  // Requires: tile >= 1
  template <class M>
  __device__ Value before(uint64_t tile, uint64_t chain, const Value& own, const M& monoid) const {
    Value sum = own;  // starts as ⊙ of no tiles; becomes ⊙ of all tiles before this one
    bool has_sum = false;
    bool ends_group = true;
    uint64_t level_begin = 0;       // number of the first node on the current level of the tree
    uint64_t level_count = tiles_;  // number of tree nodes on the current level
    for (uint64_t node = tile; node > 0;) {
      const auto digit = static_cast<int>(node % kChainBranches);
      if (digit > 0) {
        const Value window = read_window(level_begin + node - digit, digit, chain, monoid);
        sum = has_sum ? monoid(window, sum) : window;
        has_sum = true;
      }
      ends_group = ends_group && digit == kChainBranches - 1;
      level_begin += level_count;
      level_count /= kChainBranches;
      node /= kChainBranches;
      if (ends_group) {
        write(level_begin + node, chain, monoid(sum, own));
      }
    }
    return sum;
  }

 private:
  uint64_t entry_count() const {
    uint64_t nodes = 0;
    for (uint64_t level = tiles_; level > 0; level /= kChainBranches) {
      nodes += level;
    }
    return saturating_multiply(nodes, chains_);
  }

  __device__ void write(uint64_t node, uint64_t chain, const Value& value) const {
    descriptors_.write(node * chains_ + chain, {TileState::aggregate, value});
  }

  // ⊙ of the aggregates of tree nodes [first, first + count); waits until all of them are
  // published.
  template <class M>
  __device__ Value read_window(uint64_t first, int count, uint64_t chain, const M& monoid) const {
    constexpr int kMost = kChainBranches - 1;
    Descriptor<Value> found[kMost];
    bool is_known = false;
#pragma unroll
    for (Descriptor<Value>& descriptor : found) {
      descriptor.state = TileState::empty;
    }
    while (!is_known) {
      is_known = true;
#pragma unroll
      for (int i = 0; i < kMost; ++i) {
        if (i < count && found[i].state == TileState::empty) {
          found[i] = descriptors_.read((first + i) * chains_ + chain);
        }
      }
#pragma unroll
      for (int i = 0; i < kMost; ++i) {
        is_known = is_known && (i >= count || found[i].state != TileState::empty);
      }
    }
    Value sum = found[0].value;
#pragma unroll
    for (int i = 1; i < kMost; ++i) {
      sum = i < count ? monoid(sum, found[i].value) : sum;
    }
    return sum;
  }

  unsigned* next_ = nullptr;
  Descriptors<Value> descriptors_;
  uint64_t tiles_ = 0;
  uint64_t chains_ = 0;
};

}  // namespace presort::gpu
