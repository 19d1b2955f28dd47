// Load latencies of a real machine, measured by pointer chases over working sets of many sizes,
// with many strides and in several orders. Read by io/machine/latency_matrix_file.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/text/names.h"

namespace presort::inline v0 {

// The order in which a pointer chase visits its nodes.
enum class ChaseOrder {
  forward,      // forward: ascending addresses, then from the start again
  backward,     // backward: descending addresses
  random,       // random: one random cycle over all nodes
  blockRandom,  // blockRandom: blocks of the footprint in turn; a random order within each block
};
inline constexpr Named<ChaseOrder> kChaseOrders[] = {
    {"forward", ChaseOrder::forward},
    {"backward", ChaseOrder::backward},
    {"random", ChaseOrder::random},
    {"blockRandom", ChaseOrder::blockRandom},
};

struct LatencyCell {
  uint64_t footprint_bytes = 0;
  uint64_t stride_bytes = 0;  // stride: distance of neighbouring nodes of the chase, bytes
  uint64_t block_bytes = 0;   // block size of the order blockRandom, bytes; 0 for other orders
  double cycles = 0;          // latency per load, cycles
};

struct LatencyTable {
  std::string title;  // title of the table of latencies in the file
  ChaseOrder order = ChaseOrder::random;
  std::vector<LatencyCell> cells;  // points ordered by footprint, then by stride or block
};

struct LatencyMatrix {
  std::string processor;  // name of the processor in the file; empty when it has none
  double clock_hz = 0;    // clock that the latencies' cycles refer to; 0 where the file has none
  std::vector<LatencyTable> tables;
};

}  // namespace presort
