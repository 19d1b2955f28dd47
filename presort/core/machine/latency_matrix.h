// Load latencies of a real machine, measured by pointer chases over working sets of many sizes,
// with many strides and in several orders. Read by io/machine/latency_matrix_file.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/text/names.h"

namespace presort::inline v0 {

// The order in which a chase visits its nodes.
enum class ChaseOrder {
  forward,      // ascending addresses, then from the start again
  backward,     // descending
  random,       // one random cycle over all nodes
  blockRandom,  // blocks of the footprint in turn; within each a random order of its own
};
inline constexpr Named<ChaseOrder> kChaseOrders[] = {
    {"forward", ChaseOrder::forward},
    {"backward", ChaseOrder::backward},
    {"random", ChaseOrder::random},
    {"blockRandom", ChaseOrder::blockRandom},
};

struct LatencyCell {
  uint64_t footprint_bytes = 0;
  uint64_t stride_bytes = 0;  // distance of neighbouring nodes in memory
  uint64_t block_bytes = 0;   // block size of the order blockRandom, bytes; 0 for other orders
  double cycles = 0;          // per load
};

struct LatencyTable {
  std::string title;  // title of the table in the file
  ChaseOrder order = ChaseOrder::random;
  std::vector<LatencyCell> cells;  // ordered by footprint, then by stride or block
};

struct LatencyMatrix {
  std::string processor;  // name of the processor in the file; empty when it has none
  double clock_hz = 0;    // clock that the cycles are counted in; 0 where the file has none
  std::vector<LatencyTable> tables;
};

}  // namespace presort
