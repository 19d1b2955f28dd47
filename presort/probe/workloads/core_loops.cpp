#include "presort/probe/workloads/core_loops.h"

#include <bit>
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
constexpr size_t kFetchAhead = 16;  // updates between a software prefetch and the update it is for
constexpr size_t kLine = 16;        // counters in a cache line

// Indices of the counters that kUpdates updates add to, and of kFetchAhead behind them.
template <class Draw>
std::vector<uint32_t> make_indices(const Draw& draw) {
  std::vector<uint32_t> indices(kUpdates + kFetchAhead);
  for (uint64_t i = 0; i < indices.size(); ++i) {
    indices[i] = draw(i);
  }
  return indices;
}

const std::vector<uint32_t>& one_index() {
  static const std::vector<uint32_t> indices = make_indices([](uint64_t) { return 7U; });
  return indices;
}

// Indices of two counters in cache lines of their own, at random: no predictor learns their order.
const std::vector<uint32_t>& two_indices() {
  static const std::vector<uint32_t> indices =
      make_indices([](uint64_t i) { return static_cast<uint32_t>(kLine * (mix64(i) & 1)); });
  return indices;
}

// Indices that change to another of 64 counters after each kRunOfUpdates.
const std::vector<uint32_t>& runs_of_indices() {
  static const std::vector<uint32_t> indices =
      make_indices([](uint64_t i) { return static_cast<uint32_t>(i / kRunOfUpdates % 64); });
  return indices;
}

// Indices of one counter, and of one of others after each kRunOfUpdates - 1.
const std::vector<uint32_t>& strays_among_indices() {
  static const std::vector<uint32_t> indices = make_indices([](uint64_t i) {
    const bool stray = i % kRunOfUpdates == kRunOfUpdates - 1;
    return stray ? static_cast<uint32_t>(kLine * (1 + i / kRunOfUpdates % 3)) : 0U;
  });
  return indices;
}

// Times update(counters, indices, i) for i below kUpdates. Update is a type of its own for each
// loop, so that the compiler puts it into the loop: the return address that a call stores would be
// a store between two updates.
template <class Counter = uint32_t, class Update>
Slice time_updates(const std::vector<uint32_t>& indices, const Update& update) {
  std::vector<Counter> counters(64, Counter{});
  const uint32_t* const index = indices.data();
  Counter* const counter = counters.data();
  return take_slice(kUpdates, [&] {
    for (uint64_t i = 0; i < kUpdates; ++i) {
      update(counter, index, i);
      asm volatile("" : : : "memory");
    }
  });
}

// Adds one with a load and a store as instructions of their own, as the kernels' updates do.
inline void add_one(uint32_t* counter, uint32_t index) {
  cpu::RawMemory::modify(counter, index, [](uint32_t count) { return count + 1; });
}

Slice time_plain_updates(const std::vector<uint32_t>& indices) {
  return time_updates(indices, [](uint32_t* counter, const uint32_t* index, uint64_t i) {
    add_one(counter, index[i]);
  });
}

}  // namespace

Slice same_address_update() {
  return time_updates(one_index(), [](uint32_t* counter, const uint32_t* index, uint64_t i) {
    ++counter[index[i]];
  });
}

Slice pair_update() {
  return time_plain_updates(two_indices());
}

Slice repeated_update() {
  return time_plain_updates(one_index());
}

Slice run_update() {
  return time_plain_updates(runs_of_indices());
}

Slice stray_update() {
  return time_plain_updates(strays_among_indices());
}

Slice prefetched_update() {
  return time_updates(one_index(), [](uint32_t* counter, const uint32_t* index, uint64_t i) {
    __builtin_prefetch(counter + index[i + kFetchAhead]);
    add_one(counter, index[i]);
  });
}

Slice float_update() {
  return time_updates<float>(one_index(), [](float* counter, const uint32_t* index, uint64_t i) {
    cpu::RawMemory::modify(counter, index[i], [](float sum) { return sum + 1; });
  });
}

Slice float_sum() {
  const std::vector<float> values(kUpdates, 1);
  const float* const value = values.data();
  return take_slice(kUpdates, [&] {
    float sum = 0;
    for (uint64_t i = 0; i < kUpdates; ++i) {
      sum += value[i];  // rounds, so that no compiler adds in another order
    }
    auto bits = std::bit_cast<uint32_t>(sum);
    keep(bits);
  });
}

Slice random_branch() {
  return branch_loop(1);
}
Slice steady_branch() {
  return branch_loop(0);
}

}  // namespace presort::probe
