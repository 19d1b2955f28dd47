// Machines so small that their times can be worked out by hand: at 1 GHz a cycle is 1 ns.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::test {

inline CacheLevel small_level(std::string name, uint64_t sets, uint64_t ways, double latency,
                              int queue) {
  CacheLevel level;
  level.name = std::move(name);
  level.ways = ways;
  level.size_bytes = sets * ways * level.line_bytes;
  level.latency_cycles = latency;
  level.queue = queue;
  return level;
}

// The most slices, up to 8, that a level with its number of sets may have.
inline int most_slices(const CacheLevel& level) {
  int slices = 1;
  while (slices < 8 && set_count(level) % static_cast<uint64_t>(2 * slices) == 0) {
    slices *= 2;
  }
  return slices;
}

inline TlbLevel small_tlb(std::string name, std::vector<uint64_t> pages, uint64_t entries,
                          uint64_t ways, double latency) {
  TlbLevel level;
  level.name = std::move(name);
  level.page_bytes = std::move(pages);
  level.entries = entries;
  level.ways = ways;
  level.latency_cycles = latency;
  return level;
}

// A machine whose caches hold L1 16, L2 64, L3 256 lines, with latencies of 4, 12 and 40 cycles and
// 100 of memory; no TLB, no prefetcher, no row effect, and more bandwidth than these tests can use.
inline Machine small_machine() {
  Machine machine;
  machine.name = "small";
  machine.clock_hz = 1e9;
  machine.dispatch_width = 4;
  machine.window = {64, 16};
  machine.branch_miss_cycles = 15;
  machine.store_forward_cycles = 5;
  machine.caches = {small_level("L1", 8, 2, 4, 10), small_level("L2", 16, 4, 12, 16),
                    small_level("L3", 32, 8, 40, 32)};
  machine.frames = Frames::contiguous;
  machine.memory.latency_ns = 100;
  machine.memory.bandwidth = 1e15;
  return machine;
}

}  // namespace presort::test
