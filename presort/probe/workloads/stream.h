// Sequential bandwidth, in ns per 64 bytes (64 / value = GB/s).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/arena.h"

namespace presort::inline v0::probe {

// Times sequential reads and writes of an arena. Each slice goes on where the last one ended and
// starts again at the end of the arena, so that an arena several times the caches' size is read
// from memory.
class Stream {
 public:
  explicit Stream(Arena& arena) : arena_(arena) {}

  Slice read(uint64_t bytes);
  // Reads the first `bytes` bytes of the arena, the same in each call
  Slice read_again(uint64_t bytes);
  Slice copy(uint64_t bytes);  // copies by plain stores; memory moves three bytes per byte copied
  // Nothing where the processor has no known streaming store
  std::optional<Slice> streaming_store(uint64_t bytes);

  // Reads with one pinned thread on each of the given CPUs at once, each its own part of the arena;
  // without pinning, a scheduler may put two threads on one core. The slice counts the bytes of all
  // threads. Nothing where the system refuses that many threads.
  std::optional<Slice> read_all(const std::vector<int>& cpus, uint64_t bytes_each);

 private:
  char* advance(uint64_t bytes);

  Arena& arena_;
  uint64_t offset_ = 0;
};

}  // namespace presort::probe
