// A machine like cachegrind's.
#pragma once

#include <cstdint>
#include <string>

#include "presort/core/machine/machine.h"

namespace presort::bench {

inline constexpr uint64_t kCachegrindLineBytes = 64;

inline CacheLevel cachegrind_level(const std::string& name, uint64_t kib, uint64_t ways) {
  CacheLevel result;
  result.name = name;
  result.size_bytes = kib << 10;
  result.ways = ways;
  result.line_bytes = kCachegrindLineBytes;
  result.latency_cycles = 4;
  result.queue = 10;
  return result;
}

// Two levels of caches with LRU: physical addresses equal virtual ones, nothing is prefetched,
// translation is free.
inline Machine cachegrind_machine(uint64_t d1_kib, uint64_t d1_ways, uint64_t ll_kib,
                                  uint64_t ll_ways) {
  Machine machine;
  machine.name = "cachegrind";
  machine.clock_hz = 1e9;
  machine.frames = Frames::contiguous;
  machine.caches = {cachegrind_level("D1", d1_kib, d1_ways),
                    cachegrind_level("LL", ll_kib, ll_ways)};
  return machine;
}

}  // namespace presort::bench
