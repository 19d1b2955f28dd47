// For tests: a simulated core on a small machine of its own, and records to feed it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/sim/hierarchy.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test {

using Records = std::vector<sim::Access>;

inline sim::Access record(sim::AccessKind kind, uint64_t line, uint16_t micro_ops = 0,
                          uint16_t depends_on = 0, uint16_t data_depends_on = 0) {
  const uint8_t bytes = kind == sim::AccessKind::streamingStore ? 64 : 4;
  return {line * 64, kind, bytes, micro_ops, depends_on, data_depends_on};
}

inline sim::Access load(uint64_t line, uint16_t micro_ops = 0, uint16_t depends_on = 0) {
  return record(sim::AccessKind::load, line, micro_ops, depends_on);
}

inline sim::Access store(uint64_t line, uint16_t data_depends_on = 0) {
  return record(sim::AccessKind::store, line, 0, 0, data_depends_on);
}

inline sim::Access branch(uint64_t address, bool taken, uint16_t depends_on = 0) {
  return {address, sim::AccessKind::branch, static_cast<uint8_t>(taken), 0, depends_on, 0};
}

inline Records repeat(int count, const Records& what) {
  Records result;
  for (int i = 0; i < count; ++i) {
    result.insert(result.end(), what.begin(), what.end());
  }
  return result;
}

inline uint64_t next_fresh_line() {
  static uint64_t next = 1 << 20;
  return next++;
}

// Makes `count` records by `make(line)`, each of a line never used before.
template <class Make>
Records fresh(uint64_t count, Make make) {
  Records result;
  for (uint64_t i = 0; i < count; ++i) {
    result.push_back(make(next_fresh_line()));
  }
  return result;
}

// Makes loads of lines 0 … count-1 once each, in an order without pattern, each depending on the
// one before.
inline Records chase(uint64_t count) {
  std::vector<uint64_t> order(count);
  for (uint64_t i = 0; i < count; ++i) {
    order[i] = i;
  }
  for (uint64_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[bounded(random_u64(5, i), i)]);
  }
  Records result;
  for (const uint64_t line : order) {
    result.push_back(load(line, 0, 1));
  }
  return result;
}

class CoreRig {
 public:
  explicit CoreRig(const Machine& machine, sim::MemoryMode mode = sim::MemoryMode::pipelined)
      : hierarchy_(machine, sim::AddressSpace(4096), mode) {}

  // Runs records; returns the time that they take, cycles of 1 ns.
  double run(const Records& records) {
    const double before = hierarchy_.now_ns();
    hierarchy_.run(records);
    return hierarchy_.now_ns() - before;
  }
  void warm(const Records& records) { hierarchy_.count(records); }
  void reset() { hierarchy_.reset_statistics(); }

  // Share of the core's time that one term of the time stack has.
  double part(const std::string& term) {
    const sim::Statistics statistics = hierarchy_.statistics();
    for (const auto& [name, ns] : statistics.stack_ns) {
      if (name == term) {
        return ns / statistics.ns;
      }
    }
    return -1;
  }
  sim::Hierarchy& hierarchy() { return hierarchy_; }

 private:
  sim::Hierarchy hierarchy_;
};

}  // namespace presort::test
