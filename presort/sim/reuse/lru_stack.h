// The stack of lines in order of their last use, the latest on top. The depth at which a line is
// found, its stack distance, is the number of other lines used since: a fully associative LRU cache
// hits if and only if it holds more lines than that. So one pass over a trace tells the misses of
// all sizes. O(log n) a use of n lines so far, memory proportional to n whatever the trace's
// length.
// Source: Mattson, Gecsei, Slutz, Traiger, "Evaluation techniques for storage hierarchies", IBM
//         Systems Journal 9(2), 1970
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "presort/sim/reuse/line_times.h"
#include "presort/sim/reuse/live_times.h"

namespace presort::inline v0::sim {

class LruStack {
 public:
  // Stack distance of a line that was not used before
  static constexpr uint64_t kCold = ~uint64_t{0};

  // `first_times`: uses of lines below the top of the stack until the first renumbering
  // (live_times.h).
  explicit LruStack(uint64_t first_times = 1 << 16) : times_(first_times) { top_.fill(kNoLine); }

  // Uses `line` and returns its stack distance until then.
  // Requires: line < 2^63
  uint64_t use(uint64_t line) {
    uint64_t above = line;  // the line at `depth` of the stack, which moves down by one
    for (size_t depth = 0; depth < kTop; ++depth) {
      std::swap(above, top_[depth]);
      if (above == line) {
        return depth;
      }
    }
    return use_deep(line, above);
  }

  uint64_t lines() const { return line_times_.size(); }

  // Prefetches, on the host, the memory that use(line) will read unless the line is near the top.
  void prefetch(uint64_t line) const { line_times_.prefetch(line); }

 private:
  // Lines at the top of the stack that are kept in a list of their own: most uses are of these
  // lines.
  static constexpr size_t kTop = 8;
  static constexpr uint64_t kNoLine = ~uint64_t{0};

  uint64_t use_deep(uint64_t line, uint64_t pushed_down);

  std::array<uint64_t, kTop> top_;
  LineTimes line_times_;  // time of each line's last use; meaningless for lines in top_
  LiveTimes times_;       // times at which lines left the top list
};

}  // namespace presort::sim
