// Fetches the line after one that missed, when the line before it was touched lately: a lone random
// access fetches nothing.
// Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "DCU prefetcher":
// triggered by an ascending access to recently loaded data.
#pragma once

#include <array>

#include "sim/cache/prefetcher.h"

namespace presort::sim {

class NextLinePrefetcher : public LinePrefetcher {
 public:
  explicit NextLinePrefetcher(uint64_t lines_per_page) : lines_per_page_(lines_per_page) {
    recent_.fill(kNone);
  }

  void observe(uint64_t line, bool trigger, std::vector<uint64_t>& fetch) override {
    if (!trigger) {
      return;
    }
    const bool ascending = recent_[(line - 1) % recent_.size()] == line - 1;
    recent_[line % recent_.size()] = line;
    if (ascending && (line + 1) % lines_per_page_ != 0) {
      fetch.push_back(line + 1);
    }
  }

 private:
  // Not line - 1 of any line, 0 included.
  static constexpr uint64_t kNone = ~uint64_t{1};

  uint64_t lines_per_page_;
  std::array<uint64_t, 64> recent_;
};

}  // namespace presort::sim
