// Zeroed memory for the arrays in which the simulator keeps its own state. Sets are looked up in no
// order, so that each lookup in a large array would miss the host's TLB: large arrays begin at a huge
// page of the host and ask the system for huge pages, which it may refuse without effect on results.
// Measured: docs/results/simulation-speed.md, "Where an access waits"
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace presort::inline v0::sim {

// Size of a line of the host's caches, bytes. All arrays are aligned to it.
inline constexpr uint64_t kHostLine = 64;

struct FreeHostMemory {
  void operator()(void* memory) const { std::free(memory); }
};

template <class T>
using HostArray = std::unique_ptr<T[], FreeHostMemory>;

// Zeroed memory of a number of bytes, aligned to kHostLine.
// Errors: std::bad_alloc
void* zeroed_host_memory(uint64_t bytes);

}  // namespace presort::sim
