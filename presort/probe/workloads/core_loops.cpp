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

// Times updates of counters at one and the same index, read from a table each time.
template <class Update>
Slice update_one_counter(const Update& update) {
  constexpr uint64_t kUpdates = 1 << 15;
  const std::vector<uint32_t> indices(1024, 7);
  std::vector<uint32_t> counters(64, 0);
  const uint32_t* const index = indices.data();
  uint32_t* const counter = counters.data();
  return take_slice(kUpdates, [&] {
    for (uint64_t i = 0; i < kUpdates; ++i) {
      update(counter, index[i % 1024]);
      asm volatile("" : : : "memory");
    }
  });
}

}  // namespace

Slice same_address_update() {
  return update_one_counter([](uint32_t* counter, uint32_t index) { ++counter[index]; });
}

Slice repeated_update() {
  return update_one_counter([](uint32_t* counter, uint32_t index) {
    cpu::RawMemory::modify(counter, index, [](uint32_t count) { return count + 1; });
  });
}

Slice random_branch() {
  return branch_loop(1);
}
Slice steady_branch() {
  return branch_loop(0);
}

}  // namespace presort::probe
