// Lets the host fetch the simulated caches' tags that the next records will look up. The tags of a
// large last level lie outside the host's near caches, and a core asks for them one after the other.
// No effect on what is simulated.
// Measured: docs/results/simulation-speed.md, "Timed accesses"
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class LookAhead {
 public:
  // Number of records in a block, which are looked at together
  static constexpr size_t kBlock = 16;

  // Looks ahead from a block of records that is about to run; `records` begin with that block.
  template <class Addresses, class Lines>
  void begin_block(std::span<const Access> records, Addresses& addresses, Lines& lines) {
    // The sets of the next block's lines have been fetched by now, so the lines that they will
    // evict are known.
    for (size_t i = 0; i < count_; ++i) {
      lines.expect_victim(lines_[i]);
    }
    count_ = 0;
    if (records.size() <= 2 * kBlock || !lines.misses_often(kBlock)) {
      return;
    }
    const auto far = records.subspan(2 * kBlock);
    for (const Access& record : far.first(std::min(kBlock, far.size()))) {
      if (record.kind != AccessKind::branch) {
        const uint64_t line = addresses.expected(record.address) >> lines.line_shift();
        lines.expect(line);
        lines_[count_++] = line;
      }
    }
  }

 private:
  std::array<uint64_t, kBlock> lines_;
  size_t count_ = 0;
};

}  // namespace presort::sim
