#include "presort/probe/workloads/core_loops.h"

#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/cpu/memory/memory.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::probe {
namespace {

constexpr size_t kBranches = 1 << 14;  // bytes of the table of branch outcomes: they stay in L1d

// Branches on the bytes of a table, fresh for each slice so that no predictor knows them.
Slice branch_loop(uint8_t mask) {
  static uint64_t number = 0;
  std::vector<uint8_t> table(kBranches);
  for (uint8_t& byte : table) {
    byte = static_cast<uint8_t>(mix64(++number) & mask);
  }
  uint64_t taken = 0;
  const uint8_t* const bytes = table.data();
  return take_slice(kBranches, [&] {
    for (size_t i = 0; i < kBranches; ++i) {
      if (bytes[i] != 0) {
        keep(taken);  // keeps the branch from becoming a conditional move
        ++taken;
      }
    }
    keep(taken);
  });
}

constexpr uint64_t kUpdates = 1 << 15;

// Times updates of counters at the given indices, a power of two of them, read from a table each time.
template <class Update>
Slice update_counters(const std::vector<uint32_t>& indices, const Update& update) {
  std::vector<uint32_t> counters(64, 0);
  const uint32_t* const index = indices.data();
  const uint64_t mask = indices.size() - 1;
  uint32_t* const counter = counters.data();
  return take_slice(kUpdates, [&] {
    for (uint64_t i = 0; i < kUpdates; ++i) {
      update(counter, index[i & mask]);
      asm volatile("" : : : "memory");
    }
  });
}

const std::vector<uint32_t>& one_index() {
  static const std::vector<uint32_t> indices(1024, 7);
  return indices;
}

// Indices of two counters in cache lines of their own, at random, as many as there are updates: no
// predictor learns their order.
const std::vector<uint32_t>& two_indices() {
  static const std::vector<uint32_t> indices = [] {
    std::vector<uint32_t> drawn(kUpdates);
    for (uint64_t i = 0; i < kUpdates; ++i) {
      drawn[i] = 16 * static_cast<uint32_t>(mix64(i) & 1);
    }
    return drawn;
  }();
  return indices;
}

void add_one(uint32_t* counter, uint32_t index) {
  cpu::RawMemory::modify(counter, index, [](uint32_t count) { return count + 1; });
}

}  // namespace

Slice same_address_update() {
  return update_counters(one_index(), [](uint32_t* counter, uint32_t index) { ++counter[index]; });
}

Slice pair_update() {
  return update_counters(two_indices(), add_one);
}

Slice repeated_update() {
  return update_counters(one_index(), add_one);
}

Slice random_branch() {
  return branch_loop(1);
}
Slice steady_branch() {
  return branch_loop(0);
}

}  // namespace presort::probe
