// The buffers in which a core collects non-temporal stores until a line is whole. A line that is
// whole leaves at once; when all buffers are taken, the one opened first leaves as it is.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section 11.3.1,
//         and the optimisation manual, "Write combining": buffers are evicted whole or in parts, in
//         no documented order; first opened, first evicted is this model's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace presort::inline v0::sim {

class WriteCombining {
 public:
  // Makes `buffers` empty buffers. Requires: buffers >= 1
  WriteCombining(size_t buffers, uint64_t line_bytes) : most_(buffers), line_bytes_(line_bytes) {}

  struct Step {
    bool opened = false;                 // true: the added bytes are the first of their line
    bool whole = false;                  // true: the added bytes complete their line, which leaves
    std::optional<uint64_t> pushed_out;  // line that leaves incomplete to make room
  };

  // Adds bytes of a line. Requires: 0 < bytes, offset + bytes <= line_bytes
  Step add(uint64_t line, uint64_t offset, uint64_t bytes) {
    Step step;
    auto at = find(line);
    if (at == open_.end()) {
      step.opened = true;
      if (open_.size() == most_) {
        step.pushed_out = open_.front().line;
        open_.erase(open_.begin());
      }
      open_.push_back({line, std::vector<bool>(line_bytes_, false)});
      at = open_.end() - 1;
    }
    const auto first = at->written.begin() + static_cast<std::ptrdiff_t>(offset);
    std::fill_n(first, bytes, true);
    step.whole = std::find(at->written.begin(), at->written.end(), false) == at->written.end();
    if (step.whole) {
      open_.erase(at);
    }
    return step;
  }

  // Takes the line's buffer away; false if it has none.
  bool close(uint64_t line) {
    const auto at = find(line);
    if (at == open_.end()) {
      return false;
    }
    open_.erase(at);
    return true;
  }

  bool empty() const { return open_.empty(); }

 private:
  struct Buffer {
    uint64_t line;
    std::vector<bool> written;  // bit mask: which bytes of the line were written
  };

  std::vector<Buffer>::iterator find(uint64_t line) {
    return std::find_if(open_.begin(), open_.end(),
                        [line](const Buffer& buffer) { return buffer.line == line; });
  }

  size_t most_;
  uint64_t line_bytes_;
  std::vector<Buffer> open_;  // open buffers, in the order in which they were opened
};

}  // namespace presort::sim
