// The adjacent-line prefetcher: when one line of an aligned 128-byte pair misses, it fetches the
// other.
// Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Spatial prefetcher":
// "strives to complete every cache line fetched to the L2 cache with the pair line that completes
// it to a 128-byte aligned chunk".
#pragma once

#include "presort/sim/cache/prefetchers/prefetcher.h"

namespace presort::inline v0::sim {

class AdjacentLinePrefetcher : public LinePrefetcher {
 public:
  void observe(const Observed& access, std::vector<uint64_t>& fetch) override {
    if (access.trigger) {
      // Both lines of a pair lie in one page, so no page limit is needed
      fetch.push_back(access.line ^ 1);
    }
  }
};

}  // namespace presort::sim
