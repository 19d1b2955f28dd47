// Synthetic streams of accesses for the simulator: pointer chases and sequential sweeps, which tell
// latencies and bandwidths of real machines.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "presort/core/labels/permutation.h"
#include "presort/core/machine/latency_matrix.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

// The nodes of a linked list: one every `stride_bytes` of a footprint, visited in `order`, again
// and again in the same order.
struct ChaseList {
  uint64_t footprint_bytes = 0;
  uint64_t stride_bytes = 64;
  ChaseOrder order = ChaseOrder::random;
  uint64_t block_bytes = 4096;  // bytes of a block, for the order blockRandom
  uint64_t base = 0;            // address of the list's first node
  uint64_t seed = 1;

  uint64_t nodes() const { return footprint_bytes / stride_bytes; }
};

// Walks the list from node number `first` (of the endless cycle) for `count` steps. Every load
// depends on the one before, so the time of a step is a load-to-use latency. Like the loops of
// latency benchmarks it is unrolled: kUnrolled instructions take turns, so that none of them sees a
// short stride.
// Requires: list.nodes() >= 1; for blockRandom list.block_bytes >= list.stride_bytes
class Chase : public AccessSource {
 public:
  static constexpr uint64_t kUnrolled = 64;

  Chase(const ChaseList& list, uint64_t first, uint64_t count);

  std::span<const Access> next() override;

 private:
  uint64_t node(uint64_t position);
  uint64_t node_in_block(uint64_t position);

  ChaseList list_;
  uint64_t nodes_;
  uint64_t position_;  // position of the next step in the endless cycle of nodes
  uint64_t step_;
  uint64_t left_;
  uint64_t block_nodes_;
  uint64_t block_ = 0;
  Permutation order_;  // order of all nodes, or of the nodes in block block_
  std::array<Access, 256> batch_;
};

// Touches every line of [0, bytes) once. No access waits for another, so memory is read or written
// as fast as possible. The lines are split into `streams` parts, each ascending, whose accesses
// take turns.
// Requires: streams >= 1
class Sweep : public AccessSource {
 public:
  Sweep(uint64_t bytes, uint64_t line_bytes, uint64_t streams, AccessKind kind);

  std::span<const Access> next() override;

 private:
  uint64_t lines_;
  uint64_t line_bytes_;
  uint64_t streams_;
  AccessKind kind_;
  uint64_t part_;          // lines in a stream; the last stream may be shorter
  uint64_t position_ = 0;  // next line, counted from the start of each stream
  uint64_t stream_ = 0;    // number of the stream whose turn it is
  std::array<Access, 256> batch_;
};

}  // namespace presort::sim
