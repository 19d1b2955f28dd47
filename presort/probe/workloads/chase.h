// Pointer chases: each load's address is the value of the load before it, so that the time per step
// is the load-to-use latency of the cache level or memory that holds the lines.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/workloads/cycle.h"

namespace presort::inline v0::probe {

// Distance of neighbouring nodes, bytes, also where a line has 128 bytes
inline constexpr uint64_t kLineBytes = 64;

// Where the nodes of a chase lie in the arena.
enum class Layout {
  dense,       // node i of the chase in line i, side by side
  onePerPage,  // node i in a pseudo-random line of the i-th 4 KiB: many pages, few lines
  // 16 nodes in each of 512 pages spread over the arena, one in each 256 bytes: no line's neighbour
  // is a node, so adjacent-line prefetching gains nothing
  fewPages,
  // Node i in line (i + i/64) mod 64 of the i-th 4 KiB: as many nodes in each set of an L1d, and of
  // an L2 where page frames are contiguous
  evenPages,
  hugePages,  // node i in a pseudo-random line of the i-th 2 MiB, evenly over the sets of an L1d
  strided,    // node i of the chase at i times a given stride
};
inline constexpr uint64_t kFewPagesNodes = uint64_t{512} * 16;

class Chain {
 public:
  // Writes `nodes` links into the arena, which outlives the chain.
  // Requires: the last node lies inside the arena
  Chain(Arena& arena, Layout layout, uint64_t nodes);
  // Lays nodes out at a stride (Layout::strided).
  // Requires: stride_bytes is a multiple of 8
  Chain(Arena& arena, uint64_t stride_bytes, uint64_t nodes);

  uint64_t nodes() const { return cycle_.size(); }

  // Touches the nodes in chain order with overlapping loads, so that the caches hold what a long
  // chase would have left there; at most the last `limit` nodes of the cycle.
  void warm(uint64_t limit);

  // Writes the lines of all nodes back and drops them from every cache. False where that is not
  // possible.
  bool flush() const;

  // Times one chase, ns per step, that goes on where the last one ended.
  Slice chase(uint64_t steps);

  // Times `count` chases at once, ns per step, all steps counted. They start evenly spread over the
  // cycle and go on where the last such call ended.
  // Requires: count is 1, 2, 4, 8, 12, 16, 24 or 32
  Slice chase_many(int count, uint64_t steps_each);

  // Times loads of every node once, ns per load, in chain order, with addresses known ahead. They
  // come from a table of offsets: computing them fills the window, and a table of pointers would be
  // prefetched through.
  // Requires: the arena is smaller than 4 GiB
  Slice load_all() const;

  // Times a store into the line of every node once, ns per store, in chain order; the links stay as
  // they are.
  // Requires: an arena smaller than 4 GiB, and lines of at least 16 bytes
  Slice store_all();

 private:
  void link_nodes();
  // Offsets of the nodes from the arena's start, bytes, in chain order
  std::vector<uint32_t> offsets() const;
  char* address(uint64_t node) const;

  Arena& arena_;
  Layout layout_;
  uint64_t stride_bytes_ = 0;
  Cycle cycle_;
  char* position_ = nullptr;
  uint64_t chased_ = 0;  // steps chased since warm(); chase_many goes on from this step
};

}  // namespace presort::probe
