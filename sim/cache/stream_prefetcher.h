// Follows up to 32 ascending or descending streams, one per 4 KiB page, and runs ahead of each by
// up to `distance` lines, `degree` lines at a time. Source: Intel 64 and IA-32 Architectures
// Optimization Reference Manual, "Streamer": one forward or backward stream per 4-KByte page, 32
// streams, up to 20 lines ahead, two fetches per L2 lookup.
#pragma once

#include <array>

#include "sim/cache/prefetcher.h"

namespace presort::sim {

class StreamPrefetcher : public LinePrefetcher {
 public:
  StreamPrefetcher(uint64_t lines_per_page, int degree, int distance)
      : lines_per_page_(lines_per_page), degree_(degree), distance_(distance) {}

  void observe(uint64_t line, bool trigger, std::vector<uint64_t>& fetch) override;

 private:
  struct Stream {
    uint64_t page = ~uint64_t{0};
    uint64_t last = 0;      // line last seen
    uint64_t ahead = 0;     // line last fetched
    int direction = 0;      // +1, -1, or 0 before the second access
    int confirmations = 0;  // accesses that went on in the direction
    uint64_t used = 0;      // time stamp for replacement
  };

  Stream& find(uint64_t page);
  void run_ahead(Stream& stream, std::vector<uint64_t>& fetch) const;

  uint64_t lines_per_page_;
  int degree_;
  int distance_;
  uint64_t clock_ = 0;
  std::array<Stream, 32> streams_;
};

}  // namespace presort::sim
