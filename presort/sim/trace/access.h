// The record that programs, traces and patterns feed to the simulator: one memory access or branch.
#pragma once

#include <cstdint>
#include <span>

namespace presort::inline v0::sim {

enum class AccessKind : uint8_t {
  load,
  store,
  streamingStore,  // a non-temporal store of a whole line or, by `size`, of a part of one
  prefetch,        // software prefetch: like a load whose data nothing waits for
  branch,          // a branch, which accesses no memory; `size` says whether it was taken
};

// How many records back a dependence can reach; older records have long completed.
inline constexpr uint16_t kLongestDependence = 1023;

// One operation of a core (a memory access or branch), in program order. 24 bytes.
struct Access {
  uint64_t address = 0;  // virtual address; of a branch, that of the instruction
  AccessKind kind = AccessKind::load;
  uint8_t size = 4;        // bytes accessed; for a branch: 1 = taken, 0 = not taken
  uint16_t micro_ops = 0;  // other micro-operations just before it in program order
  // Distance back, in records, to the record that yields the address (of a branch: its condition);
  // 0: none
  uint16_t depends_on = 0;
  // Distance back, in records, to the record that yields a store's data or, for a load, the float
  // sum which the loaded value is added to. 0: none
  uint16_t data_depends_on = 0;
  // Address or another fixed number of the record's instruction; 0: unknown
  uint64_t instruction = 0;
};
static_assert(sizeof(Access) == 24);

// A stream of accesses that the simulator pulls in batches, never all of it in memory.
class AccessSource {
 public:
  virtual ~AccessSource() = default;

  // The next records in program order, valid until the next call; empty at the end.
  virtual std::span<const Access> next() = 0;
};

// Receives accesses in program order: a trace writer, for example.
class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void write(std::span<const Access> records) = 0;
};

}  // namespace presort::sim
