// The next-line prefetcher: fetches `degree` lines after one that missed, the first `distance`
// lines ahead, when the line before the missing one was touched lately: a lone random access
// fetches nothing.
// Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "DCU prefetcher":
// triggered by an ascending access to recently loaded data; one line ahead.
#pragma once

#include <array>

#include "presort/sim/cache/prefetchers/page_limit.h"
#include "presort/sim/cache/prefetchers/prefetcher.h"

namespace presort::inline v0::sim {

class NextLinePrefetcher final : public LinePrefetcher {
 public:
  NextLinePrefetcher(PageLimit limit, int degree, int distance)
      : limit_(limit),
        degree_(static_cast<uint64_t>(degree)),
        distance_(static_cast<uint64_t>(distance)) {
    recent_.fill(kNone);
  }

  void observe(const Observed& access, std::vector<uint64_t>& fetch) override {
    if (access.trigger) {
      triggered(access.line, [&](uint64_t line) { fetch.push_back(line); });
    }
  }

  // Observes an access that triggers, and hands each line that the prefetcher wants to `fetch`.
  template <class Fetch>
  [[gnu::always_inline]] inline void triggered(uint64_t line, const Fetch& fetch) {
    const bool ascending = recent_[(line - 1) % recent_.size()] == line - 1;
    recent_[line % recent_.size()] = line;
    for (uint64_t i = 0; ascending && i < degree_; ++i) {
      const uint64_t next = line + distance_ + i;
      if (limit_.reaches(line, next)) {
        fetch(next);
      }
    }
  }

 private:
  // Line number of an empty entry: equals line - 1 for no line, not even for line 0.
  static constexpr uint64_t kNone = ~uint64_t{1};

  PageLimit limit_;
  uint64_t degree_;
  uint64_t distance_;
  std::array<uint64_t, 64> recent_;
};

}  // namespace presort::sim
