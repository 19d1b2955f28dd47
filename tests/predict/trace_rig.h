// Runs kernel phases on tracing memory, at addresses that are easy to read.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "presort/core/monoid.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/phases/buffered_partition.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/phases/direct_ahead.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/permute_back.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/cpu/phases/update.h"
#include "presort/predict/trace/tracing_memory.h"

namespace presort::inline v0::test {

using predict::TracedArray;
using predict::TracingMemory;
using sim::Access;
using sim::AccessKind;
using Pair = cpu::Pair<uint32_t, uint32_t>;

inline constexpr uint64_t kLabels = 0x10000;
inline constexpr uint64_t kValues = 0x20000;
inline constexpr uint64_t kBuckets = 0x30000;
inline constexpr uint64_t kPositions = 0x40000;
inline constexpr uint64_t kBuffers = 0x50000;
inline constexpr uint64_t kOutput = 0x60000;
inline constexpr uint64_t kOutputValues = 0x70000;
inline constexpr uint64_t kCounts = 0x80000;

// An array at `address` that has contents for all elements.
template <class T, class U>
TracedArray<T> backed(uint64_t address, std::vector<U>& contents) {
  return {address, contents.data(), 0, contents.size()};
}

inline Access make(AccessKind kind, uint64_t address, int size, int micro_ops, int depends_on = 0,
                   int data_depends_on = 0) {
  return {address,
          kind,
          static_cast<uint8_t>(size),
          static_cast<uint16_t>(micro_ops),
          static_cast<uint16_t>(depends_on),
          static_cast<uint16_t>(data_depends_on)};
}
inline Access load(uint64_t address, int size, int micro_ops, int depends_on = 0) {
  return make(AccessKind::load, address, size, micro_ops, depends_on);
}
inline Access store(uint64_t address, int size, int micro_ops, int depends_on, int data) {
  return make(AccessKind::store, address, size, micro_ops, depends_on, data);
}
inline Access branch(bool taken, int micro_ops, int depends_on) {
  return make(AccessKind::branch, 0, taken, micro_ops, depends_on);
}

inline void check_records(const std::vector<Access>& found, const std::vector<Access>& expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].address == expected[i].address);
    CHECK(static_cast<int>(found[i].kind) == static_cast<int>(expected[i].kind));
    CHECK(int{found[i].size} == int{expected[i].size});
    CHECK(found[i].micro_ops == expected[i].micro_ops);
    CHECK(found[i].depends_on == expected[i].depends_on);
    CHECK(found[i].data_depends_on == expected[i].data_depends_on);
  }
}

// The records of a phase's items [first, last).
template <class Phase>
std::vector<Access> records_of(const Phase& phase, size_t first, size_t last) {
  TracingMemory memory;
  phase.step(first, last, memory);
  return memory.records();
}

}  // namespace presort::test
