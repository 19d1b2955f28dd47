// Pointer chases: each load's address is the value of the load before it, so that the time per step
// is the load-to-use latency of wherever the lines lie.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/workloads/cycle.h"

namespace presort::inline v0::probe {

// Distance of nodes, bytes, also where a line has 128 bytes
inline constexpr uint64_t kLineBytes = 64;

// Layout of the nodes of a chain.
enum class Layout {
  dense,       // node i in line i, side by side
  onePerPage,  // node i in a pseudo-random line of the i-th 4 KiB: many pages, few lines
  // 16 nodes in each of 512 pages spread over the arena, one line in each 256 bytes: no line's
  // neighbour is a node, so adjacent-line prefetching gains nothing
  fewPages,
  // Node i in line (i + i/64) mod 64 of the i-th 4 KiB: as many in each set of an L1d, and of an L2
  // where frames are contiguous
  evenPages,
  hugePages,  // node i in a pseudo-random line of the i-th 2 MiB, evenly over the sets of an L1d
  strided,    // node i at i times a given stride
};
inline constexpr uint64_t kFewPagesNodes = uint64_t{512} * 16;

class Chain {
 public:
  // Writes `nodes` links into the arena, which outlives the chain.
  // Requires: the last node lies inside the arena
  Chain(Arena& arena, Layout layout, uint64_t nodes);
  // Lays nodes out at a stride (Layout::strided). Requires: stride_bytes is a multiple of 8
  Chain(Arena& arena, uint64_t stride_bytes, uint64_t nodes);

  uint64_t nodes() const { return cycle_.size(); }

  // Touches the nodes in chain order, with overlapping loads: at most the last `limit` of the
  // cycle, so that what a long chase would have left in the caches is there.
  void warm(uint64_t limit);

  // Writes all nodes' lines back and drops them from every cache. False where that is not possible.
  bool flush() const;

  // Times one chase, ns per step, that goes on where the last one ended.
  Slice chase(uint64_t steps);

  // ns per step, all chains counted, of `count` chases that start evenly spread over the cycle and
  // go on where the last such call ended.
  // Requires: count <= 32; 1, 2, 4, 8, 12, 16, 24 or 32
  Slice chase_many(int count, uint64_t steps_each);

  // ns per load of every node once, in chain order, with addresses known ahead: from a table of
  // offsets, because computing them fills the window and a table of pointers is prefetched through.
  // Requires: the arena is smaller than 4 GiB
  Slice load_all() const;

  // Time of a store into the line of every node once, ns, in chain order, the links left as they
  // are. Requires: an arena smaller than 4 GiB, and lines of at least 16 bytes
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
  uint64_t chased_ = 0;  // steps chased since warm(); chase_many goes on from there
};

}  // namespace presort::probe
